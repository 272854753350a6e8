import assert from 'node:assert/strict';
import fc from 'fast-check';
import { associate, type Association, type KnownThing } from '../../src/graph/associate.js';
import { newThing } from '../../src/graph/thing.js';
import type { Box, Vec3 } from '../../src/math/types.js';
import type { ObjectObservation } from '../../src/perceive/observations.js';
import { defaultParameters } from '../../src/pipeline/parameterSet.js';
import { graphParameters } from '../../src/pipeline/sceneParameters.js';
import { box, T0 } from '../fixtures/graphStates.js';
import { seenBox } from '../fixtures/observations.js';

const PARAMETERS = graphParameters(defaultParameters());

function known(key: string, seen: ObjectObservation, established = true): KnownThing<string> {
  return { key, thing: newThing(seen, { epoch: 0, stamp: T0 }), established };
}

function run(
  observations: readonly ObjectObservation[],
  things: readonly KnownThing<string>[],
): Association<string> {
  return associate(observations, things, PARAMETERS);
}

/** Boxes that may overlap, nest, or lie apart, within half a metre. */
const anyBox: fc.Arbitrary<Box> = fc
  .tuple(
    fc.double({ min: -0.5, max: 0.5, noNaN: true }),
    fc.double({ min: -0.5, max: 0.5, noNaN: true }),
    fc.double({ min: 0.04, max: 0.4, noNaN: true }),
    fc.double({ min: 0.04, max: 0.4, noNaN: true }),
    fc.double({ min: -3, max: 3, noNaN: true }),
  )
  .map(([x, y, w, d, yaw]) => ({ center: [x, y, 0.8], size: [w, d, 0.1], yaw }));

const histogram = fc.constantFrom(Float32Array.of(1, 0, 0), Float32Array.of(0, 1, 0), undefined);

const anyObservation: fc.Arbitrary<ObjectObservation> = fc
  .tuple(anyBox, histogram, fc.boolean())
  .map(([at, appearance, truncated]) => seenBox(at, { truncated, ...(appearance && { appearance }) }));

/** Places on a lattice of 30 cm, so that no two things touch. */
const apart: fc.Arbitrary<Box[]> = fc
  .uniqueArray(fc.tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 5 })), {
    minLength: 1,
    maxLength: 8,
    selector: ([a, b]) => 6 * a + b,
  })
  .chain((places) =>
    fc.tuple(
      ...places.map(([a, b]) =>
        fc
          .tuple(
            fc.double({ min: 0.06, max: 0.2, noNaN: true }),
            fc.double({ min: 0.06, max: 0.2, noNaN: true }),
          )
          .map(([w, h]): Box => box([0.3 * a, 0.3 * b, 0.7 + h / 2], [w, w, h])),
      ),
    ),
  );

const jitter: fc.Arbitrary<Vec3> = fc.tuple(
  fc.double({ min: -0.015, max: 0.015, noNaN: true }),
  fc.double({ min: -0.015, max: 0.015, noNaN: true }),
  fc.double({ min: -0.01, max: 0.01, noNaN: true }),
);

function moved(at: Box, by: Vec3): Box {
  return { ...at, center: [at.center[0] + by[0], at.center[1] + by[1], at.center[2] + by[2]] };
}

describe('associate', () => {
  it('is one-to-one, and puts every observation in at most one place', () => {
    fc.assert(
      fc.property(
        fc.array(anyObservation, { maxLength: 8 }),
        fc.array(fc.tuple(anyObservation, fc.boolean()), { maxLength: 8 }),
        (observations, things) => {
          const candidates = things.map(([seen, established], k) => known(`t${k}`, seen, established));
          const result = run(observations, candidates);
          const keys = result.matches.map(({ key }) => key);
          assert.equal(new Set(keys).size, keys.length, 'a thing matched twice');
          const placed = [
            ...result.matches.map(({ observation }) => observation),
            ...result.pieces.map(({ observation }) => observation),
            ...result.fresh,
          ];
          assert.equal(new Set(placed).size, placed.length, 'an observation in two places');
          assert.ok(placed.every((o) => o >= 0 && o < observations.length));
          // What is nowhere ran several known things together: those are told as touched.
          if (placed.length < observations.length) assert.ok(result.touched.length >= 2);
          for (const key of result.touched) assert.ok(!keys.includes(key), 'matched and merely touched');
        },
      ),
      { numRuns: 300 },
    );
  });

  it('depends on nothing but its input', () => {
    fc.assert(
      fc.property(
        fc.array(anyObservation, { maxLength: 6 }),
        fc.array(anyObservation, { maxLength: 6 }),
        (seen, before) => {
          const things = before.map((observation, k) => known(`t${k}`, observation));
          assert.deepEqual(run(seen, things), run(seen, things));
        },
      ),
      { numRuns: 50 },
    );
  });

  it('gives each thing that stands apart its own key again, in any order and with jitter', () => {
    fc.assert(
      fc.property(
        apart.chain((places) =>
          fc.tuple(
            fc.constant(places),
            fc.shuffledSubarray([...places.keys()], { minLength: 1 }),
            fc.array(jitter, { minLength: places.length, maxLength: places.length }),
            fc.boolean(),
          ),
        ),
        ([places, order, offsets, established]) => {
          const things = places.map((at, k) => known(`t${k}`, seenBox(at), established));
          const result = run(
            order.map((k) => seenBox(moved(places[k], offsets[k]))),
            things,
          );
          assert.deepEqual(
            result.matches
              .map(({ observation, key }) => [observation, key])
              .sort(([a], [b]) => (a < b ? -1 : 1)),
            order.map((k, observation) => [observation, `t${k}`]),
          );
          assert.deepEqual([result.fresh, result.pieces, result.touched], [[], [], []]);
        },
      ),
      { numRuns: 100 },
    );
  });

  it('does not swap two equal things 15 cm apart, however they jitter', () => {
    const cups = [box([-0.075, 0, 0.77], [0.09, 0.09, 0.1]), box([0.075, 0, 0.77], [0.09, 0.09, 0.1])];
    const things = cups.map((at, k) => known(`cup_${k}`, seenBox(at)));
    fc.assert(
      fc.property(jitter, jitter, fc.boolean(), (a, b, turned) => {
        const seen = [seenBox(moved(cups[0], a)), seenBox(moved(cups[1], b))];
        const { matches } = run(turned ? [seen[1], seen[0]] : seen, things);
        const keyOf = new Map(matches.map(({ observation, key }) => [observation, key]));
        assert.deepEqual([keyOf.get(turned ? 1 : 0), keyOf.get(turned ? 0 : 1)], ['cup_0', 'cup_1']);
      }),
      { numRuns: 200 },
    );
  });

  it('calls fresh what lies where nothing was', () => {
    const result = run([seenBox(box([1, 1, 0.8]))], [known('cup', seenBox(box([0, 0, 0.8])))]);
    assert.deepEqual(result, { matches: [], touched: [], pieces: [], fresh: [0] });
  });

  it('prefers the confirmed thing to the tentative one in the same place', () => {
    const cup = seenBox(box([0, 0, 0.8]));
    for (const order of [
      [false, true],
      [true, false],
    ]) {
      const things = order.map((established) => known(established ? 'entity' : 'track', cup, established));
      assert.deepEqual(run([cup], things).matches, [{ observation: 0, key: 'entity' }]);
    }
  });

  // Three things in a row, seen as one blob: none takes its shape.
  it('takes what runs known things together for all of them, touched and unshaped', () => {
    const row = [-0.3, 0, 0.3].map((x) => seenBox(box([x, 0, 0.9], [0.28, 0.28, 0.28])));
    const things = row.map((seen, k) => known(`t${k}`, seen));
    const blob = seenBox(box([0, 0, 0.9], [0.88, 0.28, 0.28]), {
      points: Float32Array.from(row.flatMap(({ points }) => [...points])),
    });
    const result = run([blob], things);
    assert.deepEqual([...result.touched].sort(), ['t0', 't1', 't2']);
    assert.deepEqual([result.matches, result.fresh], [[], []]);
  });

  it('knows a whole thing again though a piece of it is known apart', () => {
    const whole = box([0, 0, 0.8], [0.16, 0.16, 0.1]);
    const rim = box([-0.06, 0, 0.8], [0.03, 0.1, 0.08]);
    const result = run([seenBox(whole)], [known('rim', seenBox(rim)), known('bowl', seenBox(whole))]);
    assert.deepEqual(result.matches, [{ observation: 0, key: 'bowl' }]);
    assert.deepEqual(result.touched, []);
  });

  it('takes a part of a known thing for a piece of it, unless it looks like something else lying in it', () => {
    const bowl = box([0, 0, 0.8], [0.3, 0.3, 0.12]);
    const red = Float32Array.of(1, 0);
    const white = Float32Array.of(0, 1);
    const things = [known('bowl', seenBox(bowl, { appearance: white }))];
    const inside = box([0.08, 0.08, 0.8], [0.06, 0.06, 0.06]);
    const main = seenBox(bowl, { appearance: white });
    assert.deepEqual(run([main, seenBox(inside, { appearance: white })], things).pieces, [
      { observation: 1, key: 'bowl' },
    ]);
    assert.deepEqual(run([main, seenBox(inside, { appearance: red })], things).fresh, [1]);
  });

  it('answers a frame of hundreds of pieces that might all be each other at once', () => {
    // A checkerboard of depth, or noise: 15 × 15 pieces within each other's gates. An exact answer took half a minute.
    const pieces = Array.from({ length: 225 }, (_, k) =>
      box([0.04 * (k % 15), 0.04 * Math.floor(k / 15), 0.8], [0.03, 0.03, 0.03]),
    );
    const things = pieces.map((at, k) => known(`object_${k}`, seenBox(at)));
    const started = performance.now();
    const { matches } = run(
      pieces.map((at) => seenBox(at)),
      things,
    );
    // About 60 ms where it was written.
    assert.ok(performance.now() - started < 3000);
    assert.equal(new Set(matches.map(({ key }) => key)).size, matches.length);
    for (const { observation, key } of matches) assert.equal(key, `object_${observation}`);
  });
});
