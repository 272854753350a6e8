import { compareRefs } from '../protocol/index.js';
import { sha256, sortedJson } from './canonicalHash.js';
import type { GraphState } from './types.js';

/**
 * SHA-256 over what executions say: holding, containers, relations and positions set by executions, and the
 * ledger. Perception that merely moves things leaves it alone: a position counts as told (the ledger's
 * update and its moment), not as measured since.
 */
export function executionHash(state: GraphState): string {
  const entities = [...state.entities.values()].sort((a, b) => compareRefs(a.ref, b.ref));
  const containers = entities.filter(
    ({ containerState, contents }) => containerState !== '' || contents.length > 0,
  );
  const set = entities.filter(({ setByExecutionAt }) => setByExecutionAt !== undefined);
  return sha256(
    sortedJson({
      containers: containers.map(({ ref, containerState, contents }) => [
        ref,
        containerState,
        [...contents].sort(),
      ]),
      holding: state.robot.holding.map(({ ref, gripper }) => [ref, gripper]).toArray(),
      ledger: [...state.ledger.values()]
        .map(({ executionId, applied, updateJson }) => [executionId, applied, updateJson])
        .sort(),
      positions: set.map(({ ref, setByExecutionAt: at }) => [ref, at?.epoch ?? 0, String(at?.stamp)]),
      relations: [...state.relations.filter((edge) => edge.setByExecution).keys()].sort(),
    }),
  );
}
