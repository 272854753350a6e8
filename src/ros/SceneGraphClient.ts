import type {
  Brief,
  ConfirmedExecution,
  CorrectionAnswer,
  ExecutionAnswer,
  FindAnswer,
  FindFilter,
  ImageAnswer,
  ObjectAnswer,
  Refusal,
  RefusalKind,
  RelationsAnswer,
  SceneGraphProtocol,
  SceneGraphQueryProtocol,
} from '../protocol/index.js';
import { BRIEF_PROVENANCE, executionUpdateSchema, recordFromJson, refuse } from '../protocol/index.js';
import { rosTimeFromStamp } from '../time/Stamp.js';
import { stampFromIso } from '../time/stampFromIso.js';
import { messageDecoder, withDirectReading } from './directReading.js';
import type { FaultLog } from './guard.js';
import { guard } from './guard.js';
import {
  fromBriefMessage,
  fromEvidenceMessage,
  fromObjectBriefMessage,
  fromObjectDetailMessage,
  fromRelationMessage,
} from './messages.js';
import type {
  BriefMessage,
  EvidenceMessage,
  ObjectBriefMessage,
  ObjectDetailMessage,
  RelationMessage,
} from './messages.js';
import { toRclQos } from './rcl.js';
import { LATCHED, SERVICE_QOS } from './rosTypes.js';
import type { RosClient, RosNode, RosSubscription } from './rosTypes.js';

/**
 * The contract through ROS: a provider for a process that talks to a running node. When the node does not
 * answer, the Brief is the last one that was seen, marked stale, and queries are refused as not available;
 * nothing throws.
 */

const PACKAGE = 'rgbd_scene_graph';

interface AnswerMessage {
  readonly success: boolean;
  readonly kind: string;
  readonly message: string;
}

type Content<Fields> = AnswerMessage & Fields;

export interface SceneGraphClientOptions {
  /** Full name of the node to talk to. */
  readonly target?: string;
  /** How long an answer may take before the node counts as gone. */
  readonly timeoutS?: number;
}

export class SceneGraphClient implements SceneGraphProtocol, SceneGraphQueryProtocol {
  readonly #node: RosNode;
  readonly #target: string;
  readonly #timeoutMs: number;
  readonly #clients = new Map<string, RosClient>();
  readonly #subscription: RosSubscription;
  #last: Brief | undefined;

  constructor(node: RosNode, faults: FaultLog, options: SceneGraphClientOptions = {}) {
    this.#node = node;
    this.#target = options.target ?? '/rgbd_scene_graph';
    this.#timeoutMs = (options.timeoutS ?? 2) * 1000;
    const briefType = `${PACKAGE}/msg/SceneGraphBrief`;
    const decodeBrief = messageDecoder(briefType);
    this.#subscription = node.createSubscription(
      briefType,
      `${this.#target}/brief`,
      { qos: toRclQos(LATCHED), isRaw: true },
      guard(faults, 'subscription brief', (cdr: Uint8Array) => {
        this.#keep(fromBriefMessage(decodeBrief(cdr) as BriefMessage));
      }),
    );
  }

  /** The node folds in by itself. */
  async refreshFromPerception(): Promise<void> {}

  async brief(): Promise<Brief> {
    const answer = await this.#call<{ brief: BriefMessage }>('get_brief', 'GetBrief', {});
    if (answer !== undefined && answer.success) return this.#keep(fromBriefMessage(answer.brief));
    return { ...(this.#last ?? EMPTY_BRIEF), freshness: 'stale' };
  }

  async applyConfirmedExecution(execution: ConfirmedExecution): Promise<ExecutionAnswer> {
    const request = {
      execution_id: execution.executionId,
      tool_name: execution.toolName,
      arguments_json: toJsonText(execution.arguments),
      result_json: toJsonText(execution.result),
      evaluator_verdict_json: toJsonText(execution.evaluatorVerdict),
      finished_at: toRequestTime(execution.finishedAt),
    };
    if (request.finished_at === undefined) {
      return refuse('invalid_execution', 'finished_at is not a time in ISO 8601 with Z');
    }
    const answer = await this.#call<{
      applied: boolean;
      already_applied: boolean;
      changed_refs: readonly string[];
      revision: number;
      update_json: string;
    }>('apply_execution', 'ApplyExecution', request);
    if (answer === undefined) return NODE_GONE;
    if (!answer.success) return toRefusal(answer);
    const update = recordFromJson(executionUpdateSchema, parseJson(answer.update_json));
    if (!update.ok)
      return refuse('internal_error', `the node's update_json: ${update.path} ${update.reason}`);
    return {
      success: true,
      applied: answer.applied,
      alreadyApplied: answer.already_applied,
      changedRefs: answer.changed_refs,
      revision: answer.revision,
      update: update.value,
    };
  }

  async hasRef(ref: string): Promise<boolean> {
    const answer = await this.getObject(ref);
    return answer.success;
  }

  async getObjectRelations(ref: string, relation = ''): Promise<RelationsAnswer> {
    const request = { object_ref: ref, relation };
    const answer = await this.#call<{ object_ref: string; relations: readonly RelationMessage[] }>(
      'get_object_relations',
      'GetObjectRelations',
      request,
    );
    if (answer === undefined) return NODE_GONE;
    if (!answer.success) return toRefusal(answer);
    return {
      success: true,
      objectRef: answer.object_ref,
      relations: answer.relations.map(fromRelationMessage),
    };
  }

  async getImage(ref: string, options: { readonly includeRemoved?: boolean } = {}): Promise<ImageAnswer> {
    const request = { object_ref: ref, include_removed: options.includeRemoved ?? false };
    const answer = await this.#call<{ object_ref: string; images: readonly EvidenceMessage[] }>(
      'get_image',
      'GetImage',
      request,
    );
    if (answer === undefined) return NODE_GONE;
    if (!answer.success) return toRefusal(answer);
    return { success: true, objectRef: answer.object_ref, images: answer.images.map(fromEvidenceMessage) };
  }

  async getObject(ref: string): Promise<ObjectAnswer> {
    const answer = await this.#call<{ object: ObjectDetailMessage }>('get_object', 'GetObject', {
      object_ref: ref,
    });
    if (answer === undefined) return NODE_GONE;
    return answer.success
      ? { success: true, object: fromObjectDetailMessage(answer.object) }
      : toRefusal(answer);
  }

  /** The service carries label, near_ref, within_m, freshness and limit; any other part is refused, not ignored. */
  async findObjects(filter: FindFilter): Promise<FindAnswer> {
    const { label, nearRef, withinM, freshness, limit, ...others } = filter;
    const unsent = Object.entries(others).find(([, value]) => value !== undefined);
    if (unsent !== undefined) {
      return refuse('invalid_tool_arguments', `${unsent[0]} cannot be asked for through this door`);
    }
    const answer = await this.#call<{ objects: readonly ObjectBriefMessage[] }>(
      'find_objects',
      'FindObjects',
      {
        label: label ?? '',
        near_ref: nearRef ?? '',
        within_m: withinM ?? 0,
        freshness: freshness ?? '',
        limit: limit ?? 0,
      },
    );
    if (answer === undefined) return NODE_GONE;
    return answer.success
      ? { success: true, objects: answer.objects.map(fromObjectBriefMessage) }
      : toRefusal(answer);
  }

  relabel(ref: string, label: string): Promise<CorrectionAnswer> {
    return this.#correct('relabel', 'Relabel', { object_ref: ref, label });
  }

  merge(keepRef: string, otherRef: string): Promise<CorrectionAnswer> {
    return this.#correct('merge', 'Merge', { keep_ref: keepRef, other_ref: otherRef });
  }

  forget(ref: string, why: string): Promise<CorrectionAnswer> {
    return this.#correct('forget', 'Forget', { object_ref: ref, why });
  }

  /** @returns whether the node did it. */
  async reset(): Promise<boolean> {
    const answer = await this.#call<object>('reset', 'std_srvs/srv/Trigger', {});
    return answer?.success ?? false;
  }

  /** Waits until the node offers its services. */
  async waitForNode(timeoutMs: number): Promise<boolean> {
    return this.#client('get_brief', 'GetBrief').waitForService(timeoutMs);
  }

  close(): void {
    this.#node.destroySubscription(this.#subscription);
    for (const client of this.#clients.values()) this.#node.destroyClient(client);
    this.#clients.clear();
  }

  async #correct(service: string, type: string, request: object): Promise<CorrectionAnswer> {
    const answer = await this.#call<{ changed_refs: readonly string[]; revision: number }>(
      service,
      type,
      request,
    );
    if (answer === undefined) return NODE_GONE;
    if (!answer.success) return toRefusal(answer);
    return { success: true, changedRefs: answer.changed_refs, revision: answer.revision };
  }

  /** The answer, or undefined when none came in time. */
  async #call<Fields>(service: string, type: string, request: object): Promise<Content<Fields> | undefined> {
    const client = this.#client(service, type);
    if (!(await client.waitForService(this.#timeoutMs))) return undefined;
    try {
      return (await client.sendRequestAsync(request, { timeout: this.#timeoutMs })) as Content<Fields>;
    } catch {
      // The client library knows no other failure here than that no answer came.
      return undefined;
    }
  }

  #client(service: string, type: string): RosClient {
    let client = this.#clients.get(service);
    if (client === undefined) {
      const fullType = type.includes('/') ? type : `${PACKAGE}/srv/${type}`;
      client = this.#node.createClient(withDirectReading(fullType), `${this.#target}/${service}`, {
        qos: toRclQos(SERVICE_QOS),
      });
      this.#clients.set(service, client);
    }
    return client;
  }

  /** Keeps the newest by revision; an older one may arrive late from the topic. */
  #keep(brief: Brief): Brief {
    if (this.#last === undefined || brief.revision >= this.#last.revision) this.#last = brief;
    return brief;
  }
}

const EMPTY_BRIEF: Brief = {
  objects: [],
  robot: {},
  freshness: 'stale',
  provenance: BRIEF_PROVENANCE,
  coordinateFrame: 'map',
  revision: 0,
  perception: { state: 'blind', reason: 'the node does not answer' },
};

const NODE_GONE: Refusal = refuse('not_available', 'the scene graph node does not answer');

function toRefusal({ kind, message }: AnswerMessage): Refusal {
  return { success: false, kind: kind as RefusalKind, reason: message };
}

function toJsonText(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined ? '' : JSON.stringify(value);
}

/** Zero for "not told"; undefined for what is no time. */
function toRequestTime(iso: string | undefined): { sec: number; nanosec: number } | undefined {
  if (iso === undefined) return { sec: 0, nanosec: 0 };
  try {
    return rosTimeFromStamp(stampFromIso(iso));
  } catch {
    return undefined;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
