import type {
  ConfirmedExecution,
  CorrectionAnswer,
  Refusal,
  SceneGraphProtocol,
  SceneGraphQueryProtocol,
} from '../protocol/index.js';
import { recordToJson } from '../protocol/index.js';
import type { RosTime } from '../time/Stamp.js';
import type { AnswerHead, ServiceHandler } from './answer.js';
import { answerWith, refusalHead, triggerRefusal } from './answer.js';
import { withDirectAnswers } from './directAnswers.js';
import type { FaultLog } from './guard.js';
import type { BriefMessage } from './messages.js';
import {
  fromTime,
  toEvidenceMessage,
  toObjectBriefMessage,
  toObjectDetailMessage,
  toRelationMessage,
} from './messages.js';
import { toRclQos } from './rcl.js';
import { SERVICE_QOS } from './rosTypes.js';
import type { RosNode, RosService } from './rosTypes.js';

/**
 * The node's services: a thin skin over the provider that every door shares. Each exists from start-up and
 * always answers (`answerWith`); what is not built answers `not_available`.
 */

/** What the services need behind them. */
export interface GraphDoor extends SceneGraphProtocol, SceneGraphQueryProtocol {
  relabel(ref: string, label: string): Promise<CorrectionAnswer>;
  merge(keepRef: string, otherRef: string): Promise<CorrectionAnswer>;
  forget(ref: string, why: string): Promise<CorrectionAnswer>;
  reset(): Promise<unknown>;
}

/** The latest Brief as message and as text. */
export type TakeBrief = () => { readonly message: BriefMessage; readonly text: string };

export interface ServiceSet {
  readonly node: RosNode;
  readonly faults: FaultLog;
  readonly door: GraphDoor;
  readonly takeBrief: TakeBrief;
}

const OK: AnswerHead = { success: true, kind: '', message: '' };

interface RefRequest {
  readonly object_ref: string;
}

interface ExecutionRequest {
  readonly execution_id: string;
  readonly tool_name: string;
  readonly arguments_json: string;
  readonly result_json: string;
  readonly evaluator_verdict_json: string;
  readonly finished_at: RosTime;
}

interface FindRequest {
  readonly label: string;
  readonly near_ref: string;
  readonly within_m: number;
  readonly freshness: string;
  readonly limit: number;
}

/** Creates all services; their names are private to the node. */
export function createServices(set: ServiceSet): readonly RosService[] {
  return [
    ...queryServices(set),
    ...changeServices(set),
    offer(set, 'explain_object', 'ExplainObject', () =>
      refusalHead('not_available', 'explanations are not built in this version'),
    ),
    offerReset(set),
  ];
}

function queryServices(set: ServiceSet): readonly RosService[] {
  const { door, takeBrief } = set;
  return [
    offer(set, 'get_brief', 'GetBrief', () => {
      const { message, text } = takeBrief();
      return { ...OK, brief: message, text };
    }),
    offer(
      set,
      'get_object_relations',
      'GetObjectRelations',
      async (request: RefRequest & { relation: string }) => {
        const answer = await door.getObjectRelations(request.object_ref, request.relation);
        if (!answer.success) return refused(answer);
        return { ...OK, object_ref: answer.objectRef, relations: answer.relations.map(toRelationMessage) };
      },
    ),
    offer(set, 'get_image', 'GetImage', async (request: RefRequest & { include_removed: boolean }) => {
      const options = { includeRemoved: request.include_removed };
      const answer = await door.getImage(request.object_ref, options);
      if (!answer.success) return refused(answer);
      return { ...OK, object_ref: answer.objectRef, images: answer.images.map(toEvidenceMessage) };
    }),
    offer(set, 'get_object', 'GetObject', async (request: RefRequest) => {
      const answer = await door.getObject(request.object_ref);
      return answer.success ? { ...OK, object: toObjectDetailMessage(answer.object) } : refused(answer);
    }),
    offer(set, 'find_objects', 'FindObjects', async (request: FindRequest) => {
      const answer = await door.findObjects(toFilter(request));
      return answer.success ? { ...OK, objects: answer.objects.map(toObjectBriefMessage) } : refused(answer);
    }),
  ];
}

function changeServices(set: ServiceSet): readonly RosService[] {
  const { door } = set;
  return [
    offer(set, 'apply_execution', 'ApplyExecution', async (request: ExecutionRequest) => {
      const answer = await door.applyConfirmedExecution(toExecution(request));
      if (!answer.success) return refused(answer);
      return {
        ...OK,
        applied: answer.applied,
        already_applied: answer.alreadyApplied,
        changed_refs: [...answer.changedRefs],
        revision: answer.revision,
        update_json: JSON.stringify(recordToJson(answer.update)),
      };
    }),
    offer(set, 'relabel', 'Relabel', async (request: RefRequest & { label: string }) =>
      corrected(await door.relabel(request.object_ref, request.label)),
    ),
    offer(set, 'merge', 'Merge', async (request: { keep_ref: string; other_ref: string }) =>
      corrected(await door.merge(request.keep_ref, request.other_ref)),
    ),
    offer(set, 'forget', 'Forget', async (request: RefRequest & { why: string }) =>
      corrected(await door.forget(request.object_ref, request.why)),
    ),
  ];
}

function offer<Request>(
  { node, faults }: ServiceSet,
  name: string,
  type: string,
  handler: ServiceHandler<Request>,
): RosService {
  const fullType = `rgbd_scene_graph/srv/${type}`;
  const callback = answerWith<Request>({ name, faults, handler });
  return node.createService(
    withDirectAnswers(fullType),
    `~/${name}`,
    { qos: toRclQos(SERVICE_QOS) },
    callback,
  );
}

function offerReset({ node, faults, door }: ServiceSet): RosService {
  const type = 'std_srvs/srv/Trigger';
  const callback = answerWith<object>({
    name: 'reset',
    faults,
    refusal: triggerRefusal,
    handler: async () => {
      const answer = await door.reset();
      if (isRefusal(answer)) return triggerRefusal(answer.kind, answer.reason);
      return { success: true, message: 'removed all entities, views and relations' };
    },
  });
  return node.createService(withDirectAnswers(type), '~/reset', { qos: toRclQos(SERVICE_QOS) }, callback);
}

function isRefusal(answer: unknown): answer is Refusal {
  return typeof answer === 'object' && answer !== null && 'success' in answer && answer.success === false;
}

/** The sentence was made safe where the refusal was made. */
function refused({ kind, reason }: Refusal): AnswerHead {
  return { success: false, kind, message: reason };
}

function corrected(answer: CorrectionAnswer): object {
  if (!answer.success) return refused(answer);
  return { ...OK, changed_refs: [...answer.changedRefs], revision: answer.revision };
}

/** Empty and zero mean "not asked for"; wrong words are the provider's to refuse. */
function toFilter(request: FindRequest): object {
  return {
    ...(request.label === '' ? {} : { label: request.label }),
    ...(request.near_ref === '' ? {} : { nearRef: request.near_ref }),
    ...(request.within_m === 0 ? {} : { withinM: request.within_m }),
    ...(request.freshness === '' ? {} : { freshness: request.freshness }),
    ...(request.limit === 0 ? {} : { limit: request.limit }),
  };
}

function toExecution(request: ExecutionRequest): ConfirmedExecution {
  const finishedAt = fromTime(request.finished_at);
  return {
    executionId: request.execution_id,
    toolName: request.tool_name,
    arguments: request.arguments_json === '' ? {} : request.arguments_json,
    result: request.result_json === '' ? {} : request.result_json,
    evaluatorVerdict: request.evaluator_verdict_json,
    ...(finishedAt === undefined ? {} : { finishedAt }),
  };
}
