import type { List, Map as ImmutableMap } from 'immutable';
import type { Box, RigidTransform, Vec3 } from '../math/types.js';
import type { FlatHull } from '../perceive/convexHull.js';
import type { FrameObservation, PixelRect, StructureKind } from '../perceive/observations.js';
import type { ContainerState, RelationKind } from '../protocol/index.js';
import type { Stamp } from '../time/Stamp.js';
import type { Cells } from './cells.js';
import type { EdgeIndex } from './EdgeTable.js';
import type { PlaceIndex } from './placeIndex.js';

/**
 * The working graph's state and the events that change it. States are immutable and share structure:
 * `reduce(state, event)` returns a new one and leaves the old one as it was, so a snapshot is a reference.
 */

/** A moment that can be compared across clock jumps and restarts: by epoch first, then by stamp. */
export interface Moment {
  readonly epoch: number;
  readonly stamp: Stamp;
}

export type EntityKind = 'object' | StructureKind;

/** The shape that one frame reported, kept to take robust statistics over. */
export interface SeenShape {
  /** The footprint's faces at each yaw that a box may have, see `facesOf`. */
  readonly faces: Float64Array;
  readonly zMin: number;
  readonly zMax: number;
  /** Cut off by the picture's edge or by something nearer: says how large it is at least, not at most. */
  readonly partial: boolean;
  readonly weight: number;
}

/** How the latest frame that showed the thing showed it: what a stored view is judged by. */
export interface LatestView {
  readonly rect: PixelRect;
  readonly pixelCount: number;
  readonly truncated: boolean;
  readonly occludedShare: number;
}

/** The plane of a structure entity: unit normal, offset (normal · p + d = 0), outline of all that was seen of it. */
export interface StructurePlane {
  readonly normal: Vec3;
  readonly d: number;
  readonly hull: FlatHull;
}

/** What a tentative track and a confirmed entity have in common: what was measured of one thing. */
export interface Thing {
  readonly kind: EntityKind;
  readonly box: Box;
  /** Uncertainty of the box's centre, one standard deviation in metres. */
  readonly positionSigmaM: number;
  readonly shapes: readonly SeenShape[];
  readonly latestView?: LatestView;
  /** Occupied cells of the 4 cm grid; none for structure. */
  readonly cells: Cells;
  readonly observations: number;
  /** Observations that neither the picture's edge cut off nor something nearer hid in part. */
  readonly wholeViews: number;
  /** Points of its surface as last seen whole, xyz triples in the map: where to look for it. */
  readonly samples: Float32Array;
  /** Frames that observed it, of those that showed its place unhidden. */
  readonly hits: number;
  readonly opportunities: number;
  readonly firstSeen: Moment;
  readonly lastSeen: Moment;
  readonly existsLogOdds: number;
  /** Sum of certainties per label. */
  readonly labelVotes: ImmutableMap<string, number>;
  /** Observations per label; absent before the first that had one. */
  readonly labelSightings?: ImmutableMap<string, number>;
  /** Sightings in pictures that a detector looked at without naming it. */
  readonly silences?: number;
  readonly appearance?: Float32Array;
  /** Structure only. */
  readonly plane?: StructurePlane;
}

/** A thing seen too few times to be named. Never in the Brief. */
export interface Track extends Thing {
  readonly id: number;
  /** Seen often enough, but no thing of its own: what it is part of and what stands by it is told apart by it. */
  readonly isBackground: boolean;
}

/** A confirmed thing. Its ref never changes meaning. */
export interface Entity extends Thing {
  readonly ref: string;
  readonly label: string;
  /** Certainty of the label in [0,1]. */
  readonly labelShare: number;
  /** '' means: not a container. */
  readonly containerState: ContainerState;
  readonly contents: readonly string[];
  /** When an execution set the position: observations before this moment cannot contradict it. */
  readonly setByExecutionAt?: Moment;
  /** The position an execution set was worked out from its target or gripper; true until it is seen again. */
  readonly positionEstimated?: boolean;
  /** Its place was seen empty. */
  readonly missing: boolean;
  /** Clear views through its place since it was last seen, and the first of them. */
  readonly misses: number;
  readonly firstMiss?: Moment | undefined;
}

export interface Tombstone {
  readonly ref: string;
  readonly label: string;
  readonly reason: string;
  readonly at: Moment;
}

/** A directed edge `ref RELATION otherRef`; `near` is stored once with ref < otherRef in ref order. */
export interface RelationEdge {
  readonly ref: string;
  readonly relation: RelationKind;
  readonly otherRef: string;
  readonly distanceM?: number;
  readonly setByExecution: boolean;
}

export interface Holding {
  readonly ref: string;
  /** '' when the execution named none and no gripper is configured: the robot's base carries it. */
  readonly gripper: string;
  /** Pose of the thing in the carrier's frame at the moment of grasping, when both were known. */
  readonly carrier_T_object?: RigidTransform;
  readonly since: Moment;
}

export interface RobotState {
  readonly map_T_base?: RigidTransform;
  readonly map_T_grippers: ImmutableMap<string, RigidTransform>;
  readonly holding: List<Holding>;
}

/** What an execution answered the first time; a repeat of its id answers the same. */
export interface LedgerEntry {
  readonly executionId: string;
  readonly toolName: string;
  readonly argumentsJson: string;
  readonly resultJson: string;
  readonly verdictStatus: string;
  readonly at: Moment | undefined;
  readonly applied: boolean;
  readonly changedRefs: readonly string[];
  readonly revision: number;
  readonly updateJson: string;
}

export interface GraphState {
  readonly revision: number;
  readonly epoch: number;
  /** Newest stamp folded in this epoch; undefined before any data. */
  readonly graphTime: Stamp | undefined;
  readonly mapFrame: string;
  /** Highest number issued per stem; survives reset. */
  readonly refCounters: ImmutableMap<string, number>;
  readonly entities: ImmutableMap<string, Entity>;
  readonly tracks: ImmutableMap<number, Track>;
  readonly nextTrackId: number;
  /** Merged ref to the ref that answers for it. */
  readonly aliases: ImmutableMap<string, string>;
  readonly tombstones: ImmutableMap<string, Tombstone>;
  /** Keyed by `relationKey`. */
  readonly relations: ImmutableMap<string, RelationEdge>;
  /** How clearly a pair of nested refs looked like one thing lately, by `pairKey`; negative: like two. */
  readonly mergeEvidence: ImmutableMap<string, number>;
  /** Where to find entities and edges without looking at all of them: says nothing that those do not. */
  readonly places: PlaceIndex;
  readonly edges: EdgeIndex;
  readonly robot: RobotState;
  /** By execution id; survives reset. */
  readonly ledger: ImmutableMap<string, LedgerEntry>;
}

/** A confirmed execution, already parsed and planned against the effects table. */
export interface ExecutionEvent {
  readonly kind: 'execution';
  readonly executionId: string;
  readonly toolName: string;
  readonly arguments: unknown;
  readonly result: unknown;
  readonly verdictStatus: string;
  /** On the data's clock; undefined: graph time at receipt. */
  readonly finishedAt?: Stamp;
}

/** A person's or an agent's correction, journaled like an execution. */
export type CorrectionEvent =
  | {
      readonly kind: 'correction';
      readonly correction: 'relabel';
      readonly ref: string;
      readonly label: string;
    }
  | {
      readonly kind: 'correction';
      readonly correction: 'merge';
      readonly keepRef: string;
      readonly otherRef: string;
    }
  | {
      readonly kind: 'correction';
      readonly correction: 'forget';
      readonly ref: string;
      readonly why: string;
    };

export type GraphEvent =
  | { readonly kind: 'observation'; readonly frame: FrameObservation }
  | ExecutionEvent
  | CorrectionEvent
  | { readonly kind: 'clock_jump' }
  | { readonly kind: 'reset' };
