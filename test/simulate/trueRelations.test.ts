import assert from 'node:assert/strict';
import { shelf, table } from '../../src/simulate/furniture.js';
import type { Scene, Thing } from '../../src/simulate/Scene.js';
import { at, ball, book, bowl, can, carton } from '../../src/simulate/things.js';
import { trueRelations } from '../../src/simulate/trueRelations.js';

const wood = { kind: 'wood', color: [150, 110, 80] } as const;
const plain = [
  [200, 180, 90],
  [90, 40, 40],
] as const;

function relationsOf(...things: Thing[]): string[] {
  const scene: Scene = {
    room: { center: [0, 0], size: [4, 4, 3] },
    light: { position: [0, 0, 2.5], strength: 1 },
    things,
  };
  return trueRelations(scene).map(({ subject, relation, object }) => `${subject} ${relation} ${object}`);
}

describe('trueRelations', () => {
  const desk = table('desk', at(0, 0, 0, 0.5), [1.2, 0.7, 0.7], wood);

  it('finds the direct support only: book on box, box on table', () => {
    const box = carton('box', at(0.1, 0, 0.7), [0.3, 0.2, 0.1], plain);
    const lying = book('book', at(0.12, 0.01, 0.8), [0.2, 0.15, 0.03], [50, 80, 120]);
    assert.deepEqual(relationsOf(desk, box, lying), ['box on desk', 'book on box']);
  });

  it('lets a thing half over the edge rest where its middle does, in the turned table’s own frame', () => {
    // The desk's corner lies at (0.6, 0.35) turned by 0.5 rad: (0.36, 0.59).
    assert.deepEqual(relationsOf(desk, can('tin', at(0.34, 0.56, 0.7), [0, 0, 0])), ['tin on desk']);
    assert.deepEqual(relationsOf(desk, can('tin', at(0.58, 0.33, 0.7), [0, 0, 0])), []);
  });

  it('tells boards of one shelf apart', () => {
    const rack = shelf('rack', at(0, 1, 0), [1, 0.3, 1.4], [0.4, 0.8], wood);
    const found = relationsOf(
      rack,
      can('low', at(0, 1, 0.4), [0, 0, 0]),
      can('high', at(0, 1, 0.8), [0, 0, 0]),
    );
    assert.deepEqual(found, ['low on rack_board_1', 'high on rack_board_2']);
  });

  it('says inside, not on, for what lies in a hollow', () => {
    const dish = bowl('dish', at(0, 0, 0.7), [0, 0, 0], 0.1, 0.07);
    const apple = ball('apple', at(0, 0, 0.709), 'apple', [0, 0, 0], 0.035);
    assert.deepEqual(relationsOf(desk, dish, apple), ['dish on desk', 'apple inside dish']);
  });

  it('says near below ten centimetres of gap, once a pair, and not for a support', () => {
    const left = carton('left', at(-0.2, 0, 0.7), [0.1, 0.1, 0.1], plain);
    const right = carton('right', at(-0.01, 0, 0.7), [0.1, 0.1, 0.1], plain);
    const far = carton('far', at(0.2, 0, 0.7), [0.1, 0.1, 0.1], plain);
    const near = relationsOf(desk, left, right, far).filter((text) => text.includes('near'));
    assert.deepEqual(near, ['left near right']);
  });

  it('says nothing of a thing that hangs in the air', () =>
    assert.deepEqual(relationsOf(desk, can('tin', at(0, 0, 0.75), [0, 0, 0])), []));
});
