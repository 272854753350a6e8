import assert from 'node:assert/strict';
import fc from 'fast-check';
import { evaluate } from '../../src/evaluate/evaluate.js';
import { formatEvaluation } from '../../src/evaluate/formatEvaluation.js';
import type { Vec3 } from '../../src/math/types.js';
import { END_S, makeEntity, makeObject, makeResult, makeTruth, TABLE_TOP } from './fixtures.js';

const CUP: Vec3 = [0, 0, 0.75];
const BOOK: Vec3 = [0.5, 0, 0.75];

describe('evaluate', () => {
  it('counts found, missed and wrong inside the scored region', () => {
    // cup found 3 cm off, book missed, one entity on the bare table, one outside the region on the floor
    const truth = makeTruth([makeObject('cup', CUP), makeObject('book', BOOK)]);
    const entities = [
      makeEntity('object_1', [0.03, 0, 0.75]),
      makeEntity('object_2', [-0.6, 0.6, 0.75]),
      makeEntity('object_3', [3, 0, 0.1]),
      TABLE_TOP,
    ];
    const { strict, spuriousInside, spuriousOutside, positionError } = evaluate(makeResult(entities), truth);
    assert.deepEqual(strict.recall, { count: 1, of: 2, share: 0.5 });
    assert.deepEqual(strict.precision, { count: 1, of: 2, share: 0.5 });
    assert.equal(strict.f1, 0.5);
    assert.deepEqual(
      spuriousInside.map(({ ref }) => ref),
      ['object_2'],
    );
    assert.deepEqual(
      spuriousOutside.map(({ ref }) => ref),
      ['object_3'],
    );
    assert.ok(Math.abs(positionError.medianM! - 0.03) < 1e-9);
  });

  it('matches one to one, so that a second entity on an object is a duplicate and wrong', () => {
    const truth = makeTruth([makeObject('cup', CUP)]);
    const entities = [makeEntity('object_1', [0.01, 0, 0.75]), makeEntity('object_2', [0, 0.05, 0.75])];
    const { strict, duplicates } = evaluate(makeResult(entities), truth);
    assert.deepEqual(strict.precision, { count: 1, of: 2, share: 0.5 });
    assert.deepEqual(duplicates, [{ id: 'cup', refs: ['object_1', 'object_2'] }]);
  });

  it('gives up a nearer pair when only that lets both objects be found', () => {
    //  a    b        a at 0, b at 0.10, tolerance 8 cm
    //     1    2     1 is nearer to b, but 2 (at 0.16) reaches only b
    const truth = makeTruth([makeObject('a', [0, 0, 0.75]), makeObject('b', [0.1, 0, 0.75])]);
    const entities = [makeEntity('object_1', [0.06, 0, 0.75]), makeEntity('object_2', [0.16, 0, 0.75])];
    const { objects, duplicates } = evaluate(makeResult(entities), truth);
    assert.deepEqual(
      objects.map(({ id, ref }) => [id, ref]),
      [
        ['a', 'object_1'],
        ['b', 'object_2'],
      ],
    );
    assert.deepEqual(duplicates, []);
  });

  it('refuses a match of unlike size only under the strict rule', () => {
    const truth = makeTruth([makeObject('cup', CUP)]);
    const huge = makeEntity('object_1', CUP, { box: { center: CUP, size: [0.26, 0.26, 0.1], yaw: 0 } });
    const evaluation = evaluate(makeResult([huge]), truth);
    assert.equal(evaluation.strict.recall.count, 0);
    assert.equal(evaluation.strict.precision.share, 0);
    assert.equal(evaluation.tolerance.recall.count, 1);
    assert.equal(evaluation.objects[0]?.verdict, 'found_off_size');
    assert.deepEqual(
      evaluation.objects[0]?.sizeRatios?.map((ratio) => ratio.toFixed(2)),
      ['2.60', '2.60'],
    );
  });

  it('compares the hull of a turned box, as the truth has hulls', () => {
    // 0.5 × 0.1 at 45°: hull 0.424 × 0.424; unturned the second extent would be 0.24 of the true one
    const truth = makeTruth([makeObject('board', CUP, { size: [0.42, 0.42, 0.1] })]);
    const box = { center: CUP, size: [0.5, 0.1, 0.1] as const, yaw: Math.PI / 4 };
    assert.equal(evaluate(makeResult([makeEntity('object_1', CUP, { box })]), truth).strict.recall.count, 1);
    const straight = makeEntity('object_1', CUP, { box: { ...box, yaw: 0 } });
    assert.equal(evaluate(makeResult([straight]), truth).strict.recall.count, 0);
  });

  it('finds at half a metre what the tolerance misses', () => {
    const truth = makeTruth([makeObject('cup', CUP)]);
    const { tolerance, halfMetre } = evaluate(makeResult([makeEntity('object_1', [0.4, 0, 0.75])]), truth);
    assert.equal(tolerance.f1, 0);
    assert.equal(halfMetre.f1, 1);
  });

  it('holds an unmatched entity in an ignore box for neither right nor wrong, but only while the box is valid', () => {
    const papers = { center: [0.5, 0.5, 0.75] as Vec3, size: [0.2, 0.2, 0.1] as Vec3 };
    const entities = [makeEntity('object_1', CUP), makeEntity('object_2', [0.45, 0.5, 0.75])];
    const score = (ignore: object) =>
      evaluate(
        makeResult(entities),
        makeTruth([makeObject('cup', CUP)], { ignore: [{ ...papers, ...ignore }] }),
      );
    assert.equal(score({}).strict.precision.share, 1);
    assert.deepEqual(score({}).ignored, ['object_2']);
    assert.equal(score({ from: END_S - 1, to: END_S + 1 }).strict.precision.share, 1);
    assert.equal(score({ from: END_S - 9, to: END_S - 5 }).strict.precision.share, 0.5);
  });

  it('matches before it ignores: an object inside an ignore box still counts as found', () => {
    const truth = makeTruth([makeObject('cup', CUP)], { ignore: [{ center: CUP, size: [1, 1, 1] }] });
    const { strict } = evaluate(makeResult([makeEntity('object_1', CUP)]), truth);
    assert.deepEqual([strict.recall.share, strict.precision.share], [1, 1]);
  });

  it('scores coarse objects nowhere, and what matches them is not wrong', () => {
    const chair = makeObject('chair', [0.5, 0.5, 0.9], {
      coarse: true,
      positionToleranceM: 0.4,
      size: [0.4, 0.4, 0.3],
    });
    const box = { center: [0.6, 0.6, 0.9] as Vec3, size: [0.3, 0.4, 0.3] as Vec3, yaw: 0 };
    const found = evaluate(
      makeResult([makeEntity('object_1', CUP), makeEntity('chair_1', box.center, { box })]),
      makeTruth([makeObject('cup', CUP), chair]),
    );
    assert.deepEqual(found.strict.recall, { count: 1, of: 1, share: 1 });
    assert.equal(found.strict.precision.share, 1);
    const missed = evaluate(
      makeResult([makeEntity('object_1', CUP)]),
      makeTruth([makeObject('cup', CUP), chair]),
    );
    assert.equal(missed.strict.f1, 1);
  });

  it('does not let a small piece hide behind a coarse object', () => {
    const table = makeObject('big', [0.2, 0, 0.8], {
      coarse: true,
      positionToleranceM: 0.6,
      size: [1.5, 2, 0.7],
    });
    const { strict } = evaluate(makeResult([makeEntity('object_1', [0.4, 0, 0.8])]), makeTruth([table]));
    assert.deepEqual(strict.precision, { count: 0, of: 1, share: 0 });
  });

  it('leaves thin objects out of the recall of tall ones only', () => {
    const sheet = makeObject('sheet', BOOK, { thin: true, heightM: 0.01 });
    const { strict } = evaluate(
      makeResult([makeEntity('object_1', CUP)]),
      makeTruth([makeObject('cup', CUP), sheet]),
    );
    assert.deepEqual(strict.recall, { count: 1, of: 2, share: 0.5 });
    assert.deepEqual(strict.recallTall, { count: 1, of: 1, share: 1 });
  });

  it('counts structures neither for nor against, and missing entities not as live', () => {
    const entities = [
      makeEntity('object_1', CUP),
      makeEntity('support_9', BOOK, { kind: 'support' }),
      makeEntity('object_2', BOOK, { freshness: 'missing' }),
    ];
    const { strict, entities: counts } = evaluate(makeResult(entities), makeTruth([makeObject('cup', CUP)]));
    assert.equal(strict.precision.share, 1);
    assert.deepEqual(counts, { live: 1, missing: 1, structures: 1 });
  });

  it('takes the interval that holds at the end, and asks for nothing that is carried about', () => {
    const rests = (endsBefore: number) =>
      makeObject('mug', CUP, {
        intervals: [
          { from: END_S - 10, to: END_S - 6, center: BOOK, size: [0.1, 0.1, 0.1] },
          { from: END_S - 4, to: END_S - endsBefore, center: CUP, size: [0.1, 0.1, 0.1] },
        ],
      });
    const atNewPlace = makeResult([makeEntity('cup_1', CUP)]);
    assert.equal(evaluate(atNewPlace, makeTruth([rests(0)])).strict.f1, 1);
    assert.equal(evaluate(makeResult([makeEntity('cup_1', BOOK)]), makeTruth([rests(0)])).strict.f1, 0);
    assert.equal(evaluate(makeResult([]), makeTruth([rests(1)])).strict.recall.of, 0);
  });

  it('does not ask for what first comes into view later', () => {
    const later = makeObject('book', BOOK, {
      firstSeen: END_S + 3,
      intervals: [{ from: END_S - 10, to: END_S + 20, center: BOOK, size: [0.1, 0.1, 0.1] }],
    });
    assert.equal(evaluate(makeResult([]), makeTruth([later])).strict.recall.of, 0);
  });

  it('scores an empty graph and an empty truth without dividing by zero', () => {
    const nothing = evaluate(makeResult([]), makeTruth([]));
    assert.equal(nothing.strict.f1, undefined);
    assert.equal(nothing.strict.recall.share, undefined);
    const unseen = evaluate(makeResult([]), makeTruth([makeObject('cup', CUP)]));
    assert.equal(unseen.strict.f1, 0);
    assert.equal(unseen.positionError.medianM, undefined);
    assert.match(formatEvaluation(nothing), /strict +– \(0\)/);
  });

  it('refuses a replay that never saw a frame', () => {
    assert.throws(() => evaluate({ ...makeResult([]), endS: undefined }, makeTruth([])), {
      name: 'EvaluationError',
      message: /no updated_at/,
    });
  });

  it('refuses the truth of another recording', () => {
    const truth = makeTruth([makeObject('cup', CUP)]);
    const endS = Math.max(...truth.objects.flatMap(({ intervals }) => intervals.map(({ to }) => to))) + 3600;
    assert.throws(() => evaluate({ ...makeResult([]), endS }, truth), {
      name: 'EvaluationError',
      message: /away from the end of this replay/,
    });
  });

  it('tells for a missed object which entity is nearest, and for a found one its pieces', () => {
    const bowl = makeObject('bowl', CUP, { size: [0.4, 0.4, 0.1] });
    const entities = [makeEntity('object_1', CUP), makeEntity('object_2', [0.18, 0, 0.75])];
    const truth = makeTruth([bowl, makeObject('book', BOOK)]);
    const { objects } = evaluate(makeResult(entities), truth);
    assert.deepEqual(objects[0]?.extraRefs, ['object_2']);
    assert.equal(objects[1]?.verdict, 'missed');
    assert.equal(objects[1]?.nearest?.ref, 'object_2');
    assert.ok(Math.abs(objects[1].nearest.distanceM - 0.32) < 1e-9);
  });

  it('keeps every share in [0, 1] and never matches more than there is, whatever the entities', () => {
    const position = fc.tuple(
      fc.double({ min: -1.5, max: 1.5, noNaN: true }),
      fc.double({ min: -1.5, max: 1.5, noNaN: true }),
      fc.double({ min: 0.6, max: 1, noNaN: true }),
    );
    fc.assert(
      fc.property(
        fc.array(position, { maxLength: 8 }),
        fc.array(position, { maxLength: 8 }),
        (places, found) => {
          const truth = makeTruth(places.map((center, i) => makeObject(`thing_${i}`, center)));
          const entities = found.map((center, i) => makeEntity(`object_${i + 1}`, center));
          const { strict, tolerance, halfMetre } = evaluate(makeResult(entities), truth);
          for (const { recall, precision, f1 } of [strict, tolerance, halfMetre]) {
            assert.ok(recall.count <= Math.min(places.length, found.length));
            for (const share of [recall.share, precision.share, f1])
              assert.ok(share === undefined || (share >= 0 && share <= 1));
          }
          assert.ok(
            strict.recall.count <= tolerance.recall.count && tolerance.recall.count <= halfMetre.recall.count,
          );
        },
      ),
    );
  });
});

describe('relations', () => {
  const truth = makeTruth([makeObject('cup', CUP), makeObject('book', BOOK)]);
  const entities = [makeEntity('object_1', CUP), makeEntity('object_2', BOOK), TABLE_TOP];

  it('are right on the support at the right height and place', () => {
    const on = (ref: string) => ({ ref, relation: 'on', otherRef: 'support_1' });
    const { relations } = evaluate(makeResult(entities, [on('object_1'), on('object_2')]), truth);
    assert.deepEqual(relations.on, { count: 2, of: 2, share: 1 });
  });

  it('are wrong on another thing and missing on nothing', () => {
    const { relations } = evaluate(
      makeResult(entities, [{ ref: 'object_1', relation: 'on', otherRef: 'object_2' }]),
      truth,
    );
    assert.deepEqual(relations.on, { count: 0, of: 2, share: 0 });
    assert.deepEqual(relations.wrong, [
      { subject: 'cup', ref: 'object_1', expected: 'table', found: ['object_2'] },
    ]);
    assert.deepEqual(relations.missing, [{ subject: 'book', ref: 'object_2', expected: 'table', found: [] }]);
  });

  it('count as wrong where the truth knows none', () => {
    const floating = makeTruth([makeObject('cup', CUP)], { relations: [] });
    const edges = [{ ref: 'object_1', relation: 'on', otherRef: 'support_1' }];
    assert.equal(evaluate(makeResult([entities[0], TABLE_TOP], edges), floating).relations.wrong.length, 1);
  });

  it('to an object are right on the entity that was matched to it', () => {
    const stacked = makeTruth([makeObject('cup', CUP), makeObject('book', [0, 0, 0.85])], {
      relations: [{ subject: 'book', relation: 'on', object: 'cup', from: END_S - 10, to: END_S }],
    });
    const pair = [makeEntity('object_1', CUP), makeEntity('object_2', [0, 0, 0.85])];
    const { relations } = evaluate(
      makeResult(pair, [{ ref: 'object_2', relation: 'on', otherRef: 'object_1' }]),
      stacked,
    );
    assert.deepEqual(relations.on, { count: 1, of: 1, share: 1 });
  });

  it('near hold in both directions', () => {
    const near = makeTruth([makeObject('cup', CUP), makeObject('book', BOOK)], {
      relations: [{ subject: 'cup', relation: 'near', object: 'book', from: END_S - 10, to: END_S }],
    });
    const { relations } = evaluate(
      makeResult(entities, [{ ref: 'object_2', relation: 'near', otherRef: 'object_1' }]),
      near,
    );
    assert.deepEqual(relations.near, { count: 1, of: 1, share: 1 });
  });
});

describe('supports', () => {
  const top = (z: number, x = 0) =>
    makeEntity('support_1', [x, 0, z - 0.01], {
      kind: 'support',
      box: { center: [x, 0, z - 0.01], size: [1, 1, 0.02], yaw: 0 },
    });

  it('are found within four centimetres of their height, by their top', () => {
    assert.deepEqual(evaluate(makeResult([top(0.735)]), makeTruth([])).supportsFound, {
      count: 1,
      of: 1,
      share: 1,
    });
    assert.equal(evaluate(makeResult([top(0.745)]), makeTruth([])).supportsFound.count, 0);
  });

  it('are not found by another plane of that height elsewhere', () => {
    assert.equal(evaluate(makeResult([top(0.7, 3)]), makeTruth([])).supportsFound.count, 0);
  });

  it('are one found and one not where the graph holds two planes for one', () => {
    const shelf = {
      id: 'shelf',
      kind: 'shelf',
      z: 0.73,
      center: [0.6, 0, 0.73] as Vec3,
      size: [0.4, 1, 0.02] as Vec3,
    };
    const truth = makeTruth([], { supports: [...makeTruth([]).supports, shelf] });
    const { supports, supportsFound } = evaluate(makeResult([top(0.725, 0.2)]), truth);
    assert.deepEqual(supportsFound, { count: 1, of: 2, share: 0.5 });
    assert.deepEqual(
      supports.map(({ id, found }) => [id, found]),
      [
        ['table', false],
        ['shelf', true],
      ],
    );
  });

  it('that are walls are found by their plane and not counted among the horizontal ones', () => {
    const supports = [{ id: 'wall', kind: 'wall', plane: [-1, 0, 0, 2] as const }];
    const wall = makeEntity('wall_1', [2.05, 0, 1], { kind: 'wall' });
    const { supports: scores, supportsFound } = evaluate(makeResult([wall]), makeTruth([], { supports }));
    assert.equal(scores[0]?.found, true);
    assert.equal(supportsFound.of, 0);
  });
});
