import { describeExpected } from '../pipeline/parameterDefinition.js';
import type { ParameterDefinition, ParameterValue } from '../pipeline/parameterDefinition.js';
import { listParameters, parametersFromFlat, refuseParameter } from '../pipeline/parameterSet.js';
import type { NamedParameter } from '../pipeline/parameterSet.js';
import type { Parameters } from '../pipeline/parameters.js';
import type { FaultLog } from './guard.js';
import type { ParameterOverride } from './paramsFile.js';
import { rcl } from './rcl.js';
import type { RosNode, RosParameter, SetParametersResult } from './rosTypes.js';

/**
 * Declares every tunable of the one table as a ROS parameter, with its sentence, unit and range. Values are
 * checked by that table at the start and at every later change; a refusal tells what was expected and found.
 * Most values shape the pipeline when it is made and are read-only afterwards.
 */

/** What may change while the node runs: what is read anew each time it is used. */
const LIVE: ReadonlySet<string> = new Set([
  'brief.max_rate_hz',
  'brief.max_period_s',
  'brief.min_move_m',
  'markers.enabled',
]);

const USE_SIM_TIME = 'use_sim_time';

export interface DeclaredParameters {
  /** The values as they stand now. */
  readonly current: Parameters;
  readonly usesSimTime: boolean;
  /** `name = value (where it came from)`, one for each value that is not the default. */
  readonly origins: readonly string[];
  readonly warnings: readonly string[];
}

/** @throws ParameterError naming each bad value, what was expected and what was found. */
export function declareParameters(
  node: RosNode,
  overrides: ReadonlyMap<string, ParameterOverride>,
  faults: FaultLog,
): DeclaredParameters {
  const flat = new Map([...overrides].map(([name, { value }]) => [name, value]));
  const simTime = flat.get(USE_SIM_TIME) === true;
  flat.delete(USE_SIM_TIME);
  const { parameters, warnings } = parametersFromFlat(Object.fromEntries(flat));

  for (const known of listParameters()) declareOne(node, known, flat);
  if (simTime) node.setParameter(new rcl.Parameter(USE_SIM_TIME, typeNumber('BOOL'), true));

  let current = parameters;
  guardChanges(node, faults, (changed) => {
    for (const { name, value } of changed) flat.set(name, value);
    current = parametersFromFlat(Object.fromEntries(flat)).parameters;
  });
  return {
    get current() {
      return current;
    },
    get usesSimTime() {
      return node.getParameter(USE_SIM_TIME).value === true;
    },
    origins: [...overrides].map(
      ([name, { value, source }]) => `${name} = ${JSON.stringify(value)} (${source})`,
    ),
    warnings,
  };
}

function declareOne(
  node: RosNode,
  { name, definition }: NamedParameter,
  flat: ReadonlyMap<string, unknown>,
): void {
  if (definition.type !== 'string_map') {
    declare(node, name, definition, (flat.get(name) ?? definition.default) as ParameterValue);
    return;
  }
  // ROS has no tables: each entry is a parameter of its own below the table's name.
  const whole = (flat.get(name) ?? definition.default) as Readonly<Record<string, string>>;
  const entries = [...flat].filter(([key]) => key.startsWith(`${name}.`));
  for (const [key, value] of Object.entries(whole)) declare(node, `${name}.${key}`, definition, value);
  for (const [key, value] of entries) declare(node, key, definition, value as string);
}

function declare(node: RosNode, name: string, definition: ParameterDefinition, value: ParameterValue): void {
  const type = typeNumber(ROS_TYPES[definition.type]);
  const readOnly = !LIVE.has(name);
  const descriptor = new DescribedParameter(name, definition, type, readOnly);
  node.declareParameter(new rcl.Parameter(name, type, toRosValue(definition, value)), descriptor);
}

const ROS_TYPES = {
  double: 'DOUBLE',
  integer: 'INTEGER',
  bool: 'BOOL',
  string: 'STRING',
  string_array: 'STRING_ARRAY',
  string_map: 'STRING',
} as const;

function typeNumber(word: string): number {
  const found = rcl.ParameterType[`PARAMETER_${word}`];
  if (found === undefined) throw new Error(`the client library knows no parameter type ${word}`);
  return found;
}

function toRosValue(definition: ParameterDefinition, value: ParameterValue): unknown {
  return definition.type === 'integer' ? BigInt(value as number) : value;
}

/**
 * A descriptor that tells its range to clients; the library's own leaves the range out of its message.
 * The range is not given to the library for checking: it lets NaN pass and refuses without a reason.
 */
class DescribedParameter extends rcl.ParameterDescriptor {
  constructor(
    name: string,
    private readonly definition: ParameterDefinition,
    type: number,
    readOnly: boolean,
  ) {
    super(name, type, definition.description, readOnly);
    this.additionalConstraints = describeExpected(definition);
  }

  override toMessage(): Record<string, unknown> {
    const message = super.toMessage();
    const { definition } = this;
    if (definition.type === 'double') {
      const [from_value, to_value] = definition.range;
      message['floating_point_range'] = [{ from_value, to_value, step: 0 }];
    } else if (definition.type === 'integer') {
      const [from, to] = definition.range;
      message['integer_range'] = [{ from_value: BigInt(from), to_value: BigInt(to), step: 1n }];
    }
    return message;
  }
}

/**
 * Refuses bad values with a reason. The library checks types before it asks anyone, with a text that says
 * nothing; so a bad set is first swapped for the values that already stand, and then vetoed with the true reason.
 */
function guardChanges(
  node: RosNode,
  faults: FaultLog,
  apply: (changed: readonly { name: string; value: ParameterValue }[]) => void,
): void {
  const ours = new Map(listParameters().map(({ name, definition }) => [name, definition]));
  let refusal: string | undefined;

  node.addPreSetParametersCallback((incoming) => {
    refusal = undefined;
    try {
      refusal = incoming
        .map((parameter) => refuseChange(parameter, ours))
        .find((reason) => reason !== undefined);
      return incoming.map((parameter) =>
        refusal === undefined ? toDeclaredType(parameter, ours) : standing(node, parameter, ours),
      );
    } catch (error) {
      faults.add('parameter change', error);
      refusal = 'the change could not be checked; see the log of the node';
      return incoming;
    }
  });
  node.addOnSetParametersCallback((): SetParametersResult => {
    const reason = refusal;
    refusal = undefined;
    return { successful: reason === undefined, reason: reason ?? '' };
  });
  node.addPostSetParametersCallback((changed) => {
    try {
      apply(changed.filter(({ name }) => ours.has(name)).map(fromRos));
    } catch (error) {
      faults.add('parameter change', error);
    }
  });
}

type Definitions = ReadonlyMap<string, ParameterDefinition>;

/** Names that are not of the table, `use_sim_time` among them, are the library's to judge. */
function refuseChange(parameter: RosParameter, ours: Definitions): string | undefined {
  if (!ours.has(parameter.name)) return undefined;
  if (!LIVE.has(parameter.name)) return `${parameter.name} is fixed when the node starts`;
  return refuseParameter(parameter.name, fromRos(parameter).value);
}

/** YAML and command lines write `2` for 2.0. */
function toDeclaredType(parameter: RosParameter, ours: Definitions): RosParameter {
  const isWholeDouble = ours.get(parameter.name)?.type === 'double' && typeof parameter.value === 'bigint';
  if (!isWholeDouble) return parameter;
  return new rcl.Parameter(parameter.name, typeNumber('DOUBLE'), Number(parameter.value));
}

function standing(node: RosNode, parameter: RosParameter, ours: Definitions): RosParameter {
  return ours.has(parameter.name) ? node.getParameter(parameter.name) : parameter;
}

function fromRos({ name, value }: { name: string; value: unknown }): { name: string; value: ParameterValue } {
  return { name, value: (typeof value === 'bigint' ? Number(value) : value) as ParameterValue };
}
