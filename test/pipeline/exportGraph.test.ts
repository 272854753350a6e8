import assert from 'node:assert/strict';
import { Map as ImmutableMap } from 'immutable';
import { parseReplayResult } from '../../src/evaluate/replayResult.js';
import { canonicalHash } from '../../src/graph/canonicalHash.js';
import { exportGraph } from '../../src/pipeline/exportGraph.js';
import { box, entity, kitchen, stateOf, T0 } from '../fixtures/graphStates.js';

interface Exported {
  readonly entities: readonly (Record<string, unknown> & { readonly ref: string })[];
  readonly relations: readonly {
    readonly ref: string;
    readonly relation: string;
    readonly other_ref: string;
    readonly distance_m: number;
  }[];
  readonly tombstones: readonly unknown[];
  readonly state_hash: string;
}

const FIELDS =
  'ref label box confidence freshness first_seen last_seen observations container_state contents support aliases images kind'.split(
    ' ',
  );

describe('exportGraph', () => {
  const state = kitchen();
  const graph = exportGraph(state, new Map([['cup_1', ['images/cup_1-1.jpg']]])) as unknown as Exported;

  it('gives every entity every field of the contract, in ref order', () => {
    assert.deepEqual(
      graph.entities.map(({ ref }) => ref),
      ['battery_1', 'box_1', 'cup_1', 'cup_2', 'floor_1', 'table_1'],
    );
    for (const exported of graph.entities) {
      for (const field of FIELDS) assert.ok(field in exported, `${exported.ref} has no ${field}`);
    }
    const [battery, box1, cup] = graph.entities;
    assert.deepEqual(
      [battery?.['support'], battery?.['container_state'], battery?.['images']],
      [null, '', []],
    );
    assert.deepEqual([box1?.['container_state'], box1?.['contents']], ['open', ['battery_1']]);
    assert.deepEqual([cup?.['support'], cup?.['images']], ['table_1', ['images/cup_1-1.jpg']]);
  });

  it('gives near the gap between the boxes and other relations the distance of centres', () => {
    const distance = (ref: string, relation: string): number | undefined =>
      graph.relations.find((edge) => edge.ref === ref && edge.relation === relation)?.distance_m;
    // cups at y = ±0.2, 0.1 wide: 0.4 − 0.1
    assert.ok(Math.abs(distance('cup_1', 'near')! - 0.3) < 1e-9);
    // (0.8, 0.2, 0.85) to (1, 0, 0.4)
    assert.ok(Math.abs(distance('cup_1', 'on')! - Math.hypot(0.2, 0.2, 0.45)) < 1e-9);
  });

  it('carries tombstones and the hash of the state', () => {
    const buried = stateOf([], {
      tombstones: ImmutableMap([
        ['cup_9', { ref: 'cup_9', label: 'cup', reason: 'eaten', at: { epoch: 0, stamp: T0 } }],
      ]),
    });
    assert.deepEqual(exportGraph(buried, new Map())['tombstones'], [
      { ref: 'cup_9', label: 'cup', reason: 'eaten', time: '2026-07-27T12:00:00Z' },
    ]);
    assert.equal(graph.state_hash, canonicalHash(state));
  });

  it('does not depend on the order in which things came to be', () => {
    const [a, b] = [entity('cup_1', box([0, 0, 1])), entity('cup_2', box([1, 0, 1]))];
    const text = (entities: Parameters<typeof stateOf>[0]): string =>
      JSON.stringify(exportGraph(stateOf(entities), new Map()));
    assert.equal(text([a, b]), text([b, a]));
  });

  it('is what the evaluation reads', () => {
    const { graph: read } = parseReplayResult({ graph, brief: { objects: [] } });
    assert.equal(read.entities.length, 6);
    assert.equal(read.relations.length, state.relations.size);
  });
});
