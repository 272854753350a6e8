import type {
  Brief,
  ContainerState,
  Freshness,
  ObjectBrief,
  ObjectDetail,
  PerceptionState,
  Relation,
  RelationKind,
  RobotBrief,
  VisualEvidence,
} from '../protocol/index.js';
import { parseRef } from '../protocol/index.js';
import { isoFromStamp, rosTimeFromStamp, stampFromRosTime } from '../time/Stamp.js';
import type { RosTime, Stamp } from '../time/Stamp.js';
import { stampFromIso } from '../time/stampFromIso.js';

/**
 * Records of the contract to messages of the package and back. ROS has no optional fields: what a record leaves
 * out is an empty text or list, a zero time, NaN for a number, or false in the bool beside it.
 */

export interface PointMessage {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

export interface PoseMessage {
  readonly position: PointMessage;
  readonly orientation: PointMessage & { readonly w: number };
}

export interface ObjectBriefMessage {
  readonly object_ref: string;
  readonly label: string;
  readonly coarse_position: PointMessage;
  readonly confidence: number;
  readonly freshness: string;
  readonly last_seen: RosTime;
  readonly container_state: string;
  readonly contents: readonly string[];
}

export interface RobotBriefMessage {
  readonly pose_known: boolean;
  readonly pose: PoseMessage;
  readonly holding: readonly string[];
  readonly grippers: readonly string[];
}

export interface BriefMessage {
  readonly header: { readonly stamp: RosTime; readonly frame_id: string };
  readonly provenance: string;
  readonly freshness: string;
  readonly revision: number;
  readonly perception_state: string;
  readonly perception_reason: string;
  readonly blind_since: RosTime;
  readonly objects: readonly ObjectBriefMessage[];
  readonly robot: RobotBriefMessage;
}

export interface RelationMessage {
  readonly relation: string;
  readonly other_ref: string;
  readonly inverse: boolean;
  readonly distance_known: boolean;
  readonly distance_m: number;
}

export interface EvidenceMessage {
  readonly name: string;
  readonly media_type: string;
  readonly data: Uint8Array;
  readonly caption: string;
  readonly freshness: string;
  readonly stamp: RosTime;
}

export interface ObjectDetailMessage {
  readonly object_ref: string;
  readonly label: string;
  readonly label_share: number;
  readonly confidence: number;
  readonly box_pose: PoseMessage;
  readonly box_size: PointMessage;
  readonly position_sigma_m: number;
  readonly observations: number;
  readonly first_seen: RosTime;
  readonly last_seen: RosTime;
  readonly freshness: string;
  readonly position_freshness: string;
  readonly label_freshness: string;
  readonly container_state_freshness: string;
  readonly contents_freshness: string;
  readonly container_state: string;
  readonly contents: readonly string[];
  readonly support: string;
  readonly aliases: readonly string[];
}

const NO_TIME: RosTime = { sec: 0, nanosec: 0 };

/** What the message tells beyond the record. */
export interface BriefExtras {
  /** Graph time to the nanosecond; the record holds milliseconds. */
  readonly graphTime?: Stamp;
  /** Gripper names parallel to the robot's `holding`; empty where not known. */
  readonly grippers?: readonly string[];
}

export function toBriefMessage(brief: Brief, { graphTime, grippers }: BriefExtras = {}): BriefMessage {
  const stamp = graphTime === undefined ? toTime(brief.updatedAt) : rosTimeFromStamp(graphTime);
  return {
    header: { stamp, frame_id: brief.coordinateFrame },
    provenance: brief.provenance,
    freshness: brief.freshness,
    revision: brief.revision,
    perception_state: brief.perception.state,
    perception_reason: brief.perception.reason ?? '',
    blind_since: toTime(brief.perception.blindSince),
    objects: brief.objects.map(toObjectBriefMessage),
    robot: toRobotMessage(brief.robot, grippers),
  };
}

export function fromBriefMessage(message: BriefMessage): Brief {
  return withoutUndefined({
    objects: message.objects.map(fromObjectBriefMessage),
    robot: fromRobotMessage(message.robot),
    freshness: message.freshness as Brief['freshness'],
    provenance: message.provenance as Brief['provenance'],
    coordinateFrame: message.header.frame_id,
    updatedAt: fromTime(message.header.stamp),
    revision: message.revision,
    perception: withoutUndefined({
      state: message.perception_state as PerceptionState,
      reason: message.perception_reason === '' ? undefined : message.perception_reason,
      blindSince: fromTime(message.blind_since),
    }),
  });
}

export function toObjectBriefMessage(object: ObjectBrief): ObjectBriefMessage {
  const [x = NaN, y = NaN, z = NaN] = object.coarsePosition ?? [];
  return {
    object_ref: object.ref,
    label: object.label ?? parseRef(object.ref)?.stem ?? '',
    coarse_position: { x, y, z },
    confidence: object.confidence ?? NaN,
    freshness: object.freshness,
    last_seen: toTime(object.lastSeen),
    container_state: object.containerState ?? '',
    contents: [...(object.contents ?? [])],
  };
}

export function fromObjectBriefMessage(message: ObjectBriefMessage): ObjectBrief {
  const { x, y, z } = message.coarse_position;
  const isStem = message.label === parseRef(message.object_ref)?.stem;
  return withoutUndefined({
    ref: message.object_ref,
    coarsePosition: Number.isNaN(x) ? undefined : [x, y, z],
    confidence: Number.isNaN(message.confidence) ? undefined : message.confidence,
    freshness: message.freshness as Freshness,
    label: message.label === '' || isStem ? undefined : message.label,
    lastSeen: fromTime(message.last_seen),
    containerState: fromContainerState(message.container_state),
    contents: listOrNone(message.contents),
  });
}

function toRobotMessage(robot: RobotBrief, grippers: readonly string[] | undefined): RobotBriefMessage {
  const [x = 0, y = 0, z = 0, yaw = 0] = robot.pose ?? [];
  const holding = [...(robot.holding ?? [])];
  return {
    pose_known: robot.pose !== undefined,
    pose: toPose([x, y, z], yaw),
    holding,
    grippers: holding.map((_, index) => grippers?.[index] ?? ''),
  };
}

function fromRobotMessage({ pose_known, pose, holding }: RobotBriefMessage): RobotBrief {
  const { x, y, z } = pose.position;
  return withoutUndefined({
    pose: pose_known ? [x, y, z, yawOf(pose)] : undefined,
    holding: listOrNone(holding),
  });
}

export function toRelationMessage(relation: Relation): RelationMessage {
  return {
    relation: relation.relation,
    other_ref: relation.otherRef,
    inverse: relation.inverse ?? false,
    distance_known: relation.distanceM !== undefined,
    distance_m: relation.distanceM ?? NaN,
  };
}

export function fromRelationMessage(message: RelationMessage): Relation {
  return withoutUndefined({
    relation: message.relation as RelationKind,
    otherRef: message.other_ref,
    distanceM: message.distance_known ? message.distance_m : undefined,
    inverse: message.inverse ? true : undefined,
  });
}

/** The client library sends a view's underlying memory from its start, whatever its offset: so bytes are copied. */
export function toEvidenceMessage(evidence: VisualEvidence): EvidenceMessage {
  return {
    name: evidence.name,
    media_type: evidence.mediaType,
    data: ownedBytes(evidence.data),
    caption: evidence.caption,
    freshness: evidence.freshness,
    stamp: toTime(evidence.stamp),
  };
}

/** A plain `Uint8Array` that spans its whole buffer, with the bytes of the view. */
export function ownedBytes(view: Uint8Array): Uint8Array {
  const owned = new Uint8Array(view.byteLength);
  owned.set(view);
  return owned;
}

export function fromEvidenceMessage(message: EvidenceMessage): VisualEvidence {
  return withoutUndefined({
    name: message.name,
    mediaType: message.media_type,
    data: ownedBytes(message.data),
    caption: message.caption,
    freshness: message.freshness as Freshness,
    stamp: fromTime(message.stamp),
  });
}

export function toObjectDetailMessage(object: ObjectDetail): ObjectDetailMessage {
  const [x, y, z] = object.box.size;
  return {
    object_ref: object.ref,
    label: object.label,
    label_share: object.labelShare,
    confidence: object.confidence,
    box_pose: toPose(object.box.center, object.box.yaw),
    box_size: { x, y, z },
    position_sigma_m: object.positionSigmaM,
    observations: object.observations,
    first_seen: toTime(object.firstSeen),
    last_seen: toTime(object.lastSeen),
    freshness: object.freshness,
    position_freshness: object.fieldFreshness.position,
    label_freshness: object.fieldFreshness.label ?? '',
    container_state_freshness: object.fieldFreshness.containerState ?? '',
    contents_freshness: object.fieldFreshness.contents ?? '',
    container_state: object.containerState ?? '',
    contents: [...(object.contents ?? [])],
    support: object.support ?? '',
    aliases: [...(object.aliases ?? [])],
  };
}

export function fromObjectDetailMessage(message: ObjectDetailMessage): ObjectDetail {
  const { position } = message.box_pose;
  return withoutUndefined({
    ref: message.object_ref,
    label: message.label,
    labelShare: message.label_share,
    box: {
      center: [position.x, position.y, position.z],
      size: [message.box_size.x, message.box_size.y, message.box_size.z],
      yaw: yawOf(message.box_pose),
    },
    positionSigmaM: message.position_sigma_m,
    confidence: message.confidence,
    freshness: message.freshness as Freshness,
    fieldFreshness: withoutUndefined({
      position: message.position_freshness as Freshness,
      label: wordOrNone(message.label_freshness),
      containerState: wordOrNone(message.container_state_freshness),
      contents: wordOrNone(message.contents_freshness),
    }),
    firstSeen: fromTime(message.first_seen),
    lastSeen: fromTime(message.last_seen),
    observations: message.observations,
    support: message.support === '' ? undefined : message.support,
    containerState: fromContainerState(message.container_state),
    contents: listOrNone(message.contents),
    aliases: listOrNone(message.aliases),
  });
}

/** ISO 8601 to ROS time; what is not known is zero. */
function toTime(iso: string | undefined): RosTime {
  return iso === undefined ? NO_TIME : rosTimeFromStamp(stampFromIso(iso));
}

/** ROS time to ISO 8601; zero means not known. */
export function fromTime(time: RosTime): string | undefined {
  return time.sec === 0 && time.nanosec === 0 ? undefined : isoFromStamp(stampFromRosTime(time));
}

function toPose([x, y, z]: readonly number[], yaw: number): PoseMessage {
  return {
    position: { x: x ?? 0, y: y ?? 0, z: z ?? 0 },
    orientation: { x: 0, y: 0, z: Math.sin(yaw / 2), w: Math.cos(yaw / 2) },
  };
}

/** Yaw in (−π, π] of a rotation about z. */
function yawOf({ orientation }: PoseMessage): number {
  const yaw = 2 * Math.atan2(orientation.z, orientation.w);
  const wrapped = Math.atan2(Math.sin(yaw), Math.cos(yaw));
  return wrapped === -Math.PI ? Math.PI : wrapped;
}

function fromContainerState(word: string): Exclude<ContainerState, ''> | undefined {
  return word === '' ? undefined : (word as Exclude<ContainerState, ''>);
}

function wordOrNone(word: string): Freshness | undefined {
  return word === '' ? undefined : (word as Freshness);
}

function listOrNone(list: readonly string[]): readonly string[] | undefined {
  return list.length === 0 ? undefined : [...list];
}

/** Records leave empty fields out instead of holding undefined. */
function withoutUndefined<T extends object>(record: T): T {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as T;
}
