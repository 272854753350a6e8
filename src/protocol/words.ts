/** The closed vocabularies of the contract. Every door speaks these words and no others. */

export const FRESHNESS = ['current', 'recent', 'last_seen', 'missing'] as const;
/** How new the evidence for one entity is. */
export type Freshness = (typeof FRESHNESS)[number];

export const BRIEF_FRESHNESS = ['current', 'stale'] as const;
/** Whether the graph as a whole is being fed. */
export type BriefFreshness = (typeof BRIEF_FRESHNESS)[number];

export const RELATION_KINDS = ['on', 'inside', 'holding', 'near'] as const;
export type RelationKind = (typeof RELATION_KINDS)[number];

export const KNOWN_CONTAINER_STATES = ['open', 'closed', 'unknown'] as const;
/** What a Brief says about a container. */
export type KnownContainerState = (typeof KNOWN_CONTAINER_STATES)[number];
/** '' means: not a container. */
export type ContainerState = '' | KnownContainerState;

export const PERCEPTION_STATES = ['ok', 'degraded', 'blind'] as const;
export type PerceptionState = (typeof PERCEPTION_STATES)[number];

export const REFUSAL_KINDS = [
  'scene_graph_ref_not_found',
  'scene_graph_ref_removed',
  'invalid_tool_arguments',
  'invalid_execution',
  'verdict_not_success',
  'effect_ref_not_found',
  'effect_impossible',
  'too_large',
  'not_active',
  'not_available',
  'store_failed',
  'internal_error',
] as const;
export type RefusalKind = (typeof REFUSAL_KINDS)[number];

/** `provenance` of every Brief. */
export const BRIEF_PROVENANCE = 'rgbd_scene_graph';
/** `provenance` of what the agent tools return. */
export const TOOL_PROVENANCE = 'scene_graph';
/** The robot's own name; never issued to an entity. */
export const ROBOT_REF = 'robot';
/** Refs of hypotheses begin so; never issued to an entity. */
export const HYPOTHESIS_PREFIX = 'hyp:';
