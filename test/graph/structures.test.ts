import assert from 'node:assert/strict';
import { isWhole, newStructure, structureDistance, structureSeenAgain } from '../../src/graph/structures.js';
import type { Moment, Thing } from '../../src/graph/types.js';
import { boxTop } from '../../src/math/box.js';
import type { StructureObservation } from '../../src/perceive/observations.js';
import { assertClose } from '../fixtures/assertClose.js';
import { T0 } from '../fixtures/graphStates.js';
import { seenLevel, seenWall } from '../fixtures/observations.js';

const NOW: Moment = { epoch: 0, stamp: T0 };

function seenInTurn(first: StructureObservation, ...later: readonly StructureObservation[]): Thing {
  return later.reduce((thing, again) => structureSeenAgain(thing, again, NOW), newStructure(first, NOW));
}

function isSame(thing: Thing, observation: StructureObservation): boolean {
  return structureDistance(thing, observation) !== undefined;
}

describe('level structures', () => {
  const left = seenLevel('support', 0.72, [0, 0, 0.8, 0.8]);

  it('grow over what is seen of them and steady in height', () => {
    const table = seenInTurn(
      left,
      seenLevel('support', 0.73, [0.6, 0, 1.5, 0.8]),
      seenLevel('support', 0.71, [0, 0, 1, 0.8]),
    );
    assertClose(
      [...table.box.size].slice(0, 2).sort((a, b) => b - a),
      [1.5, 0.8],
      1e-9,
    );
    assert.ok(Math.abs(boxTop(table.box) - 0.72) < 0.004, `${boxTop(table.box)}`);
    assert.equal(table.observations, 3);
  });

  it('are two when they differ in height or lie apart', () => {
    const table = seenInTurn(left);
    assert.ok(isSame(table, seenLevel('support', 0.74, [0.9, 0, 1.5, 0.8])));
    assert.ok(!isSame(table, seenLevel('support', 0.76, [0, 0, 0.8, 0.8])));
    assert.ok(!isSame(table, seenLevel('support', 0.72, [1.2, 0, 2, 0.8])));
    assert.ok(!isSame(table, seenWall(1, [0, 2], [0, 2])));
  });

  it('are one floor wherever it is seen', () => {
    const floor = seenInTurn(seenLevel('floor', 0, [0, 0, 1, 1]));
    assert.ok(isSame(floor, seenLevel('floor', 0.05, [4, 4, 5, 5])));
    const grown = seenInTurn(seenLevel('floor', 0, [0, 0, 1, 1]), seenLevel('floor', 0, [4, 4, 5, 5]));
    assert.ok(Math.max(grown.box.size[0], grown.box.size[1]) > 5);
  });

  it('become floor once it is known that they are, and stay it', () => {
    const patch = seenInTurn(seenLevel('support', 0, [0, 0, 1, 1]), seenLevel('floor', 0, [0, 0, 1, 1]));
    assert.equal(patch.kind, 'floor');
    assert.equal(structureSeenAgain(patch, seenLevel('support', 0, [0, 0, 1, 1]), NOW).kind, 'floor');
  });

  it('are whole only when they are larger than the tops of things', () => {
    assert.equal(isWhole(seenInTurn(seenLevel('support', 0.72, [0, 0, 0.3, 0.2]))), false);
    assert.equal(isWhole(seenInTurn(left)), true);
    assert.equal(isWhole(seenInTurn(seenLevel('floor', 0, [0, 0, 0.2, 0.2]))), true);
  });
});

describe('walls', () => {
  it('grow along and in height and keep their plane', () => {
    const wall = seenInTurn(
      seenWall(2, [0, 1], [0.8, 1.6]),
      seenWall(2.02, [0.8, 2.5], [0.2, 1.2]),
      seenWall(1.98, [0, 1], [1, 2.2]),
    );
    assertClose([...wall.box.size], [2.5, 0.02, 2], 0.03);
    assertClose(wall.plane?.normal ?? [], [0, -1, 0], 1e-6);
    assert.ok(Math.abs((wall.plane?.d ?? 0) - 2) < 0.02);
    assertClose(wall.box.center, [1.25, 2, 1.2], 0.03);
  });

  it('are two when they face another way, lie behind each other or far along', () => {
    const wall = seenInTurn(seenWall(2, [0, 1], [0.8, 1.6]));
    assert.ok(isSame(wall, seenWall(2.05, [1.3, 2], [0.8, 1.6])));
    assert.ok(!isSame(wall, seenWall(2.3, [0, 1], [0.8, 1.6])));
    assert.ok(!isSame(wall, seenWall(2, [2, 3], [0.8, 1.6])));
    assert.ok(!isSame(wall, { ...seenWall(2, [0, 1], [0.8, 1.6]), normal: [0, 1, 0], d: -2 }));
    assert.ok(!isSame(wall, seenLevel('floor', 0, [0, 0, 1, 1])));
  });

  it('are whole from the span of a wall on', () => {
    assert.equal(isWhole(seenInTurn(seenWall(2, [0, 1], [0, 0.7]))), false);
    assert.equal(isWhole(seenInTurn(seenWall(2, [0, 1], [0, 0.7]), seenWall(2, [0.9, 1.5], [0, 0.7]))), true);
  });
});
