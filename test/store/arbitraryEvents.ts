/** Any history of a small table: what frames show, what executions and people say, jumps of the clock, resets. */
import fc from 'fast-check';
import { emptyState } from '../../src/graph/emptyState.js';
import { nextRevision } from '../../src/graph/nextRevision.js';
import { createReducer } from '../../src/graph/reduce.js';
import type { GraphEvent, GraphState } from '../../src/graph/types.js';
import type { ObjectObservation, Visibility } from '../../src/perceive/observations.js';
import { defaultParameters } from '../../src/pipeline/parameterSet.js';
import { graphParameters } from '../../src/pipeline/sceneParameters.js';
import { execution, shippedEffects, T0 } from '../fixtures/graphStates.js';
import { frameOf, seenBox, seenLevel, seenWall } from '../fixtures/observations.js';

const reduce = createReducer(graphParameters(defaultParameters()), shippedEffects());
const PLACES = 12;
const LABELS = ['cup', 'bowl', 'book', 'box'];

/** What one step of the history does; its number makes stamps and ids. */
type Step = (state: GraphState, k: number) => GraphEvent;

const look: fc.Arbitrary<Step> = fc
  .record({
    shown: fc.uniqueArray(fc.nat(PLACES - 1), { maxLength: PLACES }),
    shift: fc.double({ min: -0.02, max: 0.02, noNaN: true }),
    label: fc.option(fc.constantFrom(...LABELS), { nil: undefined }),
    isClear: fc.boolean(),
    appearance: fc.option(
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 4, maxLength: 4 }),
      {
        nil: undefined,
      },
    ),
  })
  .map(({ shown, shift, label, isClear, appearance }) => (state: GraphState, k: number) => {
    const change: Partial<ObjectObservation> = {
      ...(label !== undefined && { label, labelScore: 0.8 }),
      ...(appearance && { appearance: Float32Array.from(appearance) }),
    };
    const seen = isClear ? { present: 0, clear: 25 } : { present: 25, clear: 0 };
    const visibility = new Map<string, Visibility>();
    for (const ref of state.entities.keys()) visibility.set(ref, { samples: 25, occluded: 0, ...seen });
    const objects = shown.map((place) => seenBox(boxAt(place, shift), change));
    const structures = [seenLevel('support', 0.72, [-1, -1, 1, 1]), seenWall(2, [-2, 2], [0, 2])];
    const told = { visibility, isNamed: label !== undefined };
    return { kind: 'observation', frame: frameOf(T0 + BigInt(k) * 300_000_000n, objects, structures, told) };
  });

function boxAt(
  place: number,
  shift: number,
): { center: [number, number, number]; size: [number, number, number]; yaw: number } {
  const [column, row] = [place % 4, Math.floor(place / 4)];
  return { center: [-0.6 + 0.4 * column + shift, -0.4 + 0.4 * row, 0.77], size: [0.08, 0.08, 0.1], yaw: 0 };
}

/** Something about one or two known things, the pick of which is left to chance. */
const told: fc.Arbitrary<Step> = fc
  .record({
    a: fc.nat(20),
    b: fc.nat(20),
    tool: fc.constantFrom('pick', 'place', 'open', 'close', 'put_in', 'take_out', 'throw_away', 'wave'),
  })
  .map(({ a, b, tool }) => (state: GraphState, k: number) => {
    const [obj, target] = [anyRef(state, a), anyRef(state, b)];
    return execution(tool, { obj, target, container: target }, { executionId: `e${k}` });
  });

const corrected: fc.Arbitrary<Step> = fc
  .record({ a: fc.nat(20), b: fc.nat(20), what: fc.constantFrom('relabel', 'merge', 'forget') })
  .map(({ a, b, what }) => (state: GraphState): GraphEvent => {
    const [ref, otherRef] = [anyRef(state, a), anyRef(state, b)];
    if (what === 'relabel') return { kind: 'correction', correction: 'relabel', ref, label: 'told' };
    if (what === 'forget') return { kind: 'correction', correction: 'forget', ref, why: '' };
    return { kind: 'correction', correction: 'merge', keepRef: ref, otherRef };
  });

function anyRef(state: GraphState, n: number): string {
  const refs = [...state.entities.keys()].sort();
  return refs[n % Math.max(1, refs.length)] ?? 'object_1';
}

const step: fc.Arbitrary<Step> = fc.oneof(
  { arbitrary: look, weight: 12 },
  { arbitrary: told, weight: 4 },
  { arbitrary: corrected, weight: 2 },
  {
    arbitrary: fc.constantFrom<Step>(
      () => ({ kind: 'clock_jump' }),
      () => ({ kind: 'reset' }),
    ),
    weight: 1,
  },
);

/** Begins with looks, so that there is something to talk about. */
export const arbitraryHistory: fc.Arbitrary<readonly Step[]> = fc
  .tuple(fc.array(look, { minLength: 4, maxLength: 8 }), fc.array(step, { maxLength: 40 }))
  .map(([first, rest]) => [...first, ...rest]);

/** The states after each of the steps, revisions counted as the working graph counts them. */
export function statesOf(
  steps: readonly Step[],
  from: GraphState = emptyState('map'),
  firstStep = 0,
): GraphState[] {
  let state = from;
  return steps.map((make, k) => {
    const reduced = reduce(state, make(state, firstStep + k));
    if (reduced !== state) state = { ...reduced, revision: nextRevision(state, reduced) };
    return state;
  });
}
