import assert from 'node:assert/strict';
import { updateRelations } from '../../src/graph/relations.js';
import type { Entity, GraphState, RelationEdge } from '../../src/graph/types.js';
import type { Vec3 } from '../../src/math/types.js';
import { defaultParameters } from '../../src/pipeline/parameterSet.js';
import { graphParameters } from '../../src/pipeline/sceneParameters.js';
import { box, edges, entity, stateOf, T0 } from '../fixtures/graphStates.js';

const PARAMETERS = graphParameters(defaultParameters());

const TABLE = entity('support_1', box([0, 0, 0.71], [1.5, 0.8, 0.02]), { kind: 'support' });

/** A 10 cm cube whose bottom is `gap` above the table, shifted along x. */
function cup(gap: number, x = 0, change: Partial<Entity> = {}): Entity {
  return entity('cup_1', box([x, 0, 0.72 + gap + 0.05]), change);
}

function update(
  entities: readonly Entity[],
  before: GraphState['relations'] = edges(),
  touched = entities.map(({ ref }) => ref),
  change: Partial<GraphState> = {},
): GraphState['relations'] {
  return updateRelations(stateOf(entities, { relations: before, ...change }), touched, PARAMETERS).relations;
}

function texts(relations: GraphState['relations']): string[] {
  return [...relations.values()]
    .map(({ ref, relation, otherRef }) => `${ref} ${relation} ${otherRef}`)
    .sort();
}

const ON_TABLE = edges(['cup_1', 'on', 'support_1']);

describe('on', () => {
  //  gap   −0.06  −0.05   −0.03        0       0.05     0.08
  //  enter                  [───────────────────]
  //  stay            [────────────────────────────────────]
  it('is entered within narrow limits and left only beyond wider ones', () => {
    const holds = (gap: number, before?: GraphState['relations']): boolean =>
      update([TABLE, cup(gap)], before).size === 1;
    assert.deepEqual(
      [-0.04, -0.025, 0, 0.045, 0.06].map((gap) => holds(gap)),
      [false, true, true, true, false],
    );
    assert.deepEqual(
      [-0.06, -0.045, 0, 0.06, 0.075, 0.085].map((gap) => holds(gap, ON_TABLE)),
      [false, true, true, true, true, false],
    );
  });

  it('does not flicker while noise plays about the limit', () => {
    let relations = update([TABLE, cup(0.04)]);
    for (const gap of [0.049, 0.051, 0.06, 0.048, 0.07, 0.052]) {
      relations = update([TABLE, cup(gap)], relations);
      assert.deepEqual(texts(relations), ['cup_1 on support_1']);
    }
    relations = update([TABLE, cup(0.09)], relations);
    assert.equal(relations.size, 0);
    for (const gap of [0.07, 0.055]) assert.equal(update([TABLE, cup(gap)], relations).size, 0);
  });

  it('needs half of the footprint to begin and a third to go on', () => {
    const holds = (over: number, before?: GraphState['relations']): boolean =>
      update([TABLE, cup(0, 0.8 - 0.1 * over)], before).size === 1;
    assert.deepEqual(
      [0.3, 0.45, 0.55, 1].map((over) => holds(over)),
      [false, false, true, true],
    );
    assert.deepEqual(
      [0.3, 0.4, 0.55].map((over) => holds(over, ON_TABLE)),
      [false, true, true],
    );
  });

  it('is told of what carries directly only, and the floor counts', () => {
    const book = entity('book_1', box([0, 0, 0.74], [0.2, 0.2, 0.04]));
    const onBook = entity('cup_1', box([0, 0, 0.81]));
    const floor = entity('floor_1', box([0, 0, -0.01], [4, 4, 0.02]), { kind: 'floor' });
    const ball = entity('ball_1', box([1.5, 0, 0.05]));
    assert.deepEqual(
      texts(update([TABLE, book, onBook, floor, ball])).filter((text) => text.includes(' on ')),
      ['ball_1 on floor_1', 'book_1 on support_1', 'cup_1 on book_1'],
    );
  });

  it('is never told of walls and floors, nor to a wall or to what is held', () => {
    const wall = entity('wall_1', box([0, 0, 0.71], [1, 1, 0.02]), { kind: 'wall' });
    assert.deepEqual(texts(update([wall, cup(0)])), []);
    const high = entity('floor_1', box([0, 0, 0.74], [0.3, 0.3, 0.02]), { kind: 'floor' });
    assert.deepEqual(texts(update([TABLE, high])), []);
    const tray = entity('tray_1', box([0, 0, 0.7], [0.4, 0.4, 0.04]));
    const held = stateOf([]).robot.holding.push({
      ref: 'tray_1',
      gripper: '',
      since: { epoch: 0, stamp: T0 },
    });
    const robot = { ...stateOf([]).robot, holding: held };
    assert.deepEqual(texts(update([tray, cup(0)], edges(), ['cup_1', 'tray_1'], { robot })), []);
  });

  it('that an execution set stays until the thing has been looked at since', () => {
    const set: RelationEdge = { ref: 'cup_1', relation: 'on', otherRef: 'support_1', setByExecution: true };
    const before = edges(['cup_1', 'on', 'support_1']).map(() => set);
    const at = { epoch: 0, stamp: T0 + 5n };
    const away = { x: 3, gap: 0.5 };
    const unseen = cup(away.gap, away.x, { setByExecutionAt: at });
    assert.deepEqual(texts(update([TABLE, unseen], before)), ['cup_1 on support_1']);
    const seen = { ...unseen, lastSeen: { epoch: 0, stamp: T0 + 6n } };
    assert.deepEqual(texts(update([TABLE, seen], before)), []);
  });

  it('of things that were not touched is left as it was', () => {
    assert.equal(update([TABLE, cup(0.5)], ON_TABLE, []), ON_TABLE);
  });
});

describe('near', () => {
  const pair = (gap: number): Entity[] => [
    entity('cup_2', box([0, 0, 0.77])),
    entity('cup_10', box([0.1 + gap, 0, 0.77])),
  ];
  const NEAR = edges(['cup_2', 'near', 'cup_10']);

  it('is entered at half a metre and left only beyond six tenths', () => {
    const holds = (gap: number, before?: GraphState['relations']): boolean =>
      update(pair(gap), before).size === 1;
    assert.deepEqual(
      [0, 0.49, 0.51, 0.7].map((gap) => holds(gap)),
      [true, true, false, false],
    );
    assert.deepEqual(
      [0.49, 0.55, 0.59, 0.61].map((gap) => holds(gap, NEAR)),
      [true, true, true, false],
    );
  });

  it('stands once for both directions, the lesser ref first, with the gap in metres', () => {
    for (const touched of [['cup_2'], ['cup_10'], ['cup_10', 'cup_2']]) {
      const relations = update(pair(0.2), edges(), touched);
      assert.deepEqual(
        [...relations.entries()],
        [
          [
            'cup_2 near cup_10',
            { ref: 'cup_2', relation: 'near', otherRef: 'cup_10', distanceM: 0.2, setByExecution: false },
          ],
        ],
      );
    }
  });

  it('is the same object while nothing moves by a millimetre', () => {
    const first = update(pair(0.2));
    assert.equal(update(pair(0.2003), first).get('cup_2 near cup_10'), first.get('cup_2 near cup_10'));
    assert.equal(update(pair(0.21), first).get('cup_2 near cup_10')?.distanceM, 0.21);
  });

  it('is not said of a thing and what it stands on', () => {
    const book = entity('book_1', box([0, 0, 0.74], [0.2, 0.2, 0.04]));
    const onBook = (at: Vec3): Entity => entity('cup_1', box(at));
    assert.deepEqual(texts(update([book, onBook([0, 0, 0.81])])), ['cup_1 on book_1']);
    assert.deepEqual(texts(update([book, onBook([0.3, 0, 0.81])])), ['book_1 near cup_1']);
  });
});
