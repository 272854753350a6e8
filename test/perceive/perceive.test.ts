import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { RgbdFrame } from '../../src/camera/RgbdFrame.js';
import { boxTop } from '../../src/math/box.js';
import { composeTransforms } from '../../src/math/rigidTransform.js';
import type { RigidTransform } from '../../src/math/types.js';
import type { FrameObservation, ObjectObservation } from '../../src/perceive/observations.js';
import { perceive } from '../../src/perceive/perceive.js';
import type { Thing } from '../../src/simulate/Scene.js';
import type { FrameTruth } from '../../src/simulate/Simulation.js';
import { at, bowl, can, carton, mug } from '../../src/simulate/things.js';
import { assertClose } from '../fixtures/assertClose.js';
import {
  defaultPerception,
  NOTHING_KNOWN,
  TABLE_THINGS,
  tableLook,
  TABLE_Z,
  type Look,
} from '../fixtures/tableLook.js';
import { metresOf } from '../../src/camera/metresOf.js';
import { withReadings } from '../fixtures/withReadings.js';

const YELLOW = [
  [226, 176, 52],
  [190, 48, 40],
] as const;

function see(frame: RgbdFrame): FrameObservation {
  return perceive(frame, NOTHING_KNOWN, defaultPerception());
}

/** Observations of something that stands on the table. */
function onTable({ objects }: FrameObservation): ObjectObservation[] {
  return objects.filter(({ box }) => boxTop(box) > TABLE_Z + 0.005);
}

/** Those whose middle lies within a thing's box grown by 2 cm. */
function observedAs(observation: FrameObservation, truth: FrameTruth, id: string): ObjectObservation[] {
  const box = truth.boxes.get(id);
  assert.ok(box);
  const reach = Math.hypot(box.size[0], box.size[1]) / 2 + 0.02;
  return onTable(observation).filter(
    ({ box: { center } }) => Math.hypot(center[0] - box.center[0], center[1] - box.center[1]) < reach,
  );
}

function look(things: readonly Thing[], options: Look = {}): { seen: FrameObservation; truth: FrameTruth } {
  const { frame, truth } = tableLook(things, options);
  return { seen: see(frame), truth };
}

/** A fingerprint of everything a frame holds, pixels included. */
function fingerprint({ depth, color, ...rest }: RgbdFrame): string {
  const hash = createHash('sha256').update(new Uint8Array(metresOf(depth).buffer));
  if (color) hash.update(color.image.data).update(JSON.stringify([color.camera, color.map_T_color]));
  return hash
    .update(JSON.stringify(rest, (_, value: unknown) => (typeof value === 'bigint' ? `${value}` : value)))
    .digest('hex');
}

describe('perceive', () => {
  const { frame, truth } = tableLook(TABLE_THINGS);
  const seen = see(frame);

  it('observes every thing on a table once, where it is and no larger than it is', () => {
    for (const { id } of TABLE_THINGS) {
      const box = truth.boxes.get(id)!;
      const found = observedAs(seen, truth, id).sort((a, b) => b.pixelCount - a.pixelCount);
      assert.ok(found.length >= 1, `${id} is not observed`);
      const [{ box: observed, truncated }] = found;
      // What faces away is not seen: the middle of the seen part lies up to a third of the depth nearer.
      const allowed = 0.01 + Math.min(box.size[0], box.size[1]) / 3;
      const off = Math.hypot(...[0, 1, 2].map((axis) => observed.center[axis] - box.center[axis]));
      assert.ok(off < allowed, `${id} is off by ${off} m`);
      assert.ok(Math.abs(boxTop(observed) - boxTop(box)) < 0.012, `top of ${id}: ${boxTop(observed)}`);
      const longest = Math.hypot(box.size[0], box.size[1]);
      assert.ok(
        Math.max(observed.size[0], observed.size[1]) < longest + 0.015,
        `${id}: ${observed.size.join(' × ')}`,
      );
      assert.equal(truncated, false, `${id} is cut off`);
    }
  });

  it('observes nothing on the table but things, save a handle the picture parts from its cup', () => {
    const known = new Set(TABLE_THINGS.flatMap(({ id }) => observedAs(seen, truth, id)));
    const others = onTable(seen).filter((observation) => !known.has(observation));
    assert.deepEqual(
      others.map(({ box }) => box.center),
      [],
    );
    assert.ok(
      known.size <= TABLE_THINGS.length + 1,
      `${known.size} observations of ${TABLE_THINGS.length} things`,
    );
  });

  it('tells colours apart: what looks alike in the world looks alike here', () => {
    const appearance = (id: string): Float32Array | undefined => observedAs(seen, truth, id)[0].appearance;
    for (const { id } of TABLE_THINGS) assert.ok(appearance(id), `${id} has no appearance`);
    const main = (id: string): number => appearance(id)!.indexOf(Math.max(...appearance(id)!));
    assert.equal(main('apple') === main('mug'), false);
    assert.equal(main('apple') === main('bottle'), false);
  });

  it('is pure: the same twice, and the frame is left as it was', () => {
    const before = fingerprint(frame);
    const known = { levels: [{ z: TABLE_Z, minX: -1, maxX: 1, minY: -1, maxY: 1 }], uprights: [] };
    const knownBefore = structuredClone(known);
    const once = perceive(frame, known, defaultPerception());
    assert.deepEqual(perceive(frame, known, defaultPerception()), once);
    assert.equal(fingerprint(frame), before);
    assert.deepEqual(known, knownBefore);
  });

  it('carries stamp, camera and poses over from the frame', () => {
    assert.equal(seen.stamp, frame.stamp);
    assert.equal(seen.cameraName, frame.cameraName);
    assert.deepEqual(seen.map_T_camera, frame.map_T_depth);
    assert.deepEqual(seen.map_T_base, frame.map_T_base);
  });

  it('works on depth alone, without looks', () => {
    const { color: _, ...depthOnly } = frame;
    const blind = see(depthOnly);
    assert.ok(blind.objects.every(({ appearance }) => appearance === undefined));
    for (const { id } of TABLE_THINGS)
      assert.ok(observedAs(blind, truth, id).length >= 1, `${id} is not observed`);
  });

  it('gives nothing, and no error, for a picture without a single reading', () => {
    const nothing = see(withReadings(frame, (depthM) => depthM.fill(NaN)));
    assert.deepEqual(nothing.objects, []);
    assert.deepEqual(nothing.structures, []);
  });

  // C19: a camera mounted upside down sees the same world.
  it('C19 sees the same boxes through a camera that hangs upside down', () => {
    const halfTurn: RigidTransform = { translation: [0, 0, 0], rotation: [0, 0, 1, 0] };
    const map_T_depth = composeTransforms(frame.map_T_depth, halfTurn);
    const { image, camera } = frame.color!;
    const data = new Uint8Array(image.data.length);
    const pixels = data.length / 3;
    for (let i = 0; i < pixels; i++) data.set(image.data.subarray(3 * i, 3 * i + 3), 3 * (pixels - 1 - i));
    const turned = see({
      ...withReadings(frame, (depthM) => depthM.reverse()),
      map_T_depth,
      color: { image: { ...image, data }, camera, map_T_color: map_T_depth },
    });
    for (const { id } of TABLE_THINGS) {
      const [upright] = observedAs(seen, truth, id).sort((a, b) => b.pixelCount - a.pixelCount);
      const [hanging] = observedAs(turned, truth, id).sort((a, b) => b.pixelCount - a.pixelCount);
      assert.ok(hanging, `${id} is not observed`);
      assertClose(hanging.box.center, upright.box.center, 0.005);
      assert.ok(Math.abs(hanging.box.size[2] - upright.box.size[2]) < 0.005);
    }
    const tops = (kind: FrameObservation): number[] =>
      kind.structures.map(({ d }) => Math.round(-d * 100)).sort((a, b) => a - b);
    assert.deepEqual(tops(turned), tops(seen));
  });

  it('observes things at every size of picture and with a noisy sensor', () => {
    for (const [size, isNoisy] of [
      [[640, 480], false],
      [[640, 480], true],
      [[320, 240], true],
    ] as const) {
      const other = look(TABLE_THINGS, { size, isNoisy });
      for (const { id } of TABLE_THINGS)
        assert.ok(
          observedAs(other.seen, other.truth, id).length >= 1,
          `${id} at ${size.join('×')}, noisy: ${isNoisy}`,
        );
    }
  });

  it('observes things with a depth camera in a place and with an opening of its own', () => {
    const depth = { offset: [0, -0.05, 0.02], width: 424, height: 240, horizontalFov: 1.2 } as const;
    const other = look(TABLE_THINGS, { depth, size: [640, 480], isNoisy: true });
    for (const { id } of TABLE_THINGS) {
      const [first] = observedAs(other.seen, other.truth, id);
      assert.ok(first, `${id} is not observed`);
      assert.ok(first.appearance, `${id} has no appearance`);
    }
  });
});

describe('perceive on things that are hard to part or to join', () => {
  it('observes a bowl as one piece, although the rim hides where its sides meet', () => {
    for (const isNoisy of [false, true])
      for (const radius of [0.07, 0.09, 0.11]) {
        const { seen, truth } = look([bowl('bowl', at(0, 0, TABLE_Z), [88, 128, 186], radius)], { isNoisy });
        const pieces = observedAs(seen, truth, 'bowl');
        assert.equal(pieces.length, 1, `radius ${radius}, noisy: ${isNoisy}`);
        const width = Math.max(pieces[0].box.size[0], pieces[0].box.size[1]);
        assert.ok(Math.abs(width - 2 * radius) < 0.03, `${width} m wide`);
      }
  });

  // seen from above:  camera →   (cup) (cup)     one hides a part of the other
  it('keeps two cups in a row two', () => {
    for (const isNoisy of [false, true])
      for (const gap of [0.1, 0.13]) {
        const cups = [
          can('near', at(0, -0.1, TABLE_Z), [200, 60, 50], 0.04, 0.09),
          can('far', at(0, -0.1 + gap, TABLE_Z), [200, 60, 50], 0.04, 0.09),
        ];
        const { seen } = look(cups, { isNoisy, from: [0, -1.2, 1.3] });
        const pieces = onTable(seen).filter(({ pixelCount }) => pixelCount > 60);
        assert.equal(pieces.length, 2, `${gap} m apart, noisy: ${isNoisy}`);
      }
  });

  it('keeps two things side by side two', () => {
    const things = [
      mug('left', at(-0.075, 0, TABLE_Z, Math.PI / 2), [200, 60, 50]),
      mug('right', at(0.075, 0, TABLE_Z, Math.PI / 2), [200, 60, 50]),
    ];
    const { seen, truth } = look(things, { isNoisy: true });
    for (const { id } of things) assert.ok(observedAs(seen, truth, id).length >= 1);
    assert.ok(onTable(seen).every(({ box }) => Math.max(...box.size) < 0.14));
  });

  it('says of a thing that the picture cuts off that it is cut off, and of others that they are not', () => {
    const things = [
      carton('cut', at(0.58, 0, TABLE_Z), [0.25, 0.2, 0.15], YELLOW),
      carton('whole', at(0, 0, TABLE_Z), [0.25, 0.2, 0.15], YELLOW),
    ];
    const { seen, truth } = look(things, { from: [0, -0.6, 1.2] });
    assert.equal(observedAs(seen, truth, 'whole')[0].truncated, false);
    const cut = onTable(seen).find(({ box }) => box.center[0] > 0.35);
    assert.equal(cut?.truncated, true);
  });

  it('takes a margin without depth for the end of the picture', () => {
    const thing = carton('cut', at(-0.3, 0, TABLE_Z), [0.25, 0.2, 0.15], YELLOW);
    const { frame } = tableLook([thing], { from: [0, -0.6, 1.2] });
    const [found] = onTable(
      see(withReadings(frame, (depthM) => depthM.map((d, i) => (i % 320 < 25 ? NaN : d)))),
    );
    assert.equal(found.truncated, true);
  });

  it('says how much of an outline may be hidden', () => {
    const front = carton('front', at(0.08, -0.2, TABLE_Z), [0.14, 0.05, 0.16], YELLOW);
    const back = carton('back', at(0, 0.1, TABLE_Z), [0.3, 0.1, 0.2], YELLOW);
    const alone = look([back], {});
    const hidden = look([front, back], {});
    const share = ({ seen, truth }: typeof alone, id: string): number =>
      observedAs(seen, truth, id).sort((a, b) => b.pixelCount - a.pixelCount)[0].occludedShare;
    assert.equal(share(alone, 'back'), 0);
    assert.ok(share(hidden, 'back') > 0.15, `${share(hidden, 'back')}`);
    assert.ok(share(hidden, 'front') < 0.05, `${share(hidden, 'front')}`);
  });

  it('leaves out what is farther than things are to be told, and what is a part of the wall', () => {
    const poster = carton('poster', at(0, 1.985, 1), [0.4, 0.03, 0.3], YELLOW);
    const { seen } = look([poster], { from: [0, 0, 1.3], target: [0, 2, 1.1], isNoisy: true });
    assert.deepEqual(
      seen.objects.filter(({ box }) => box.center[1] > 1.9 && box.center[2] > 0.8),
      [],
    );
    const { frame } = tableLook([can('can', at(0, 0, TABLE_Z), [178, 40, 44])]);
    const near = perceive(frame, NOTHING_KNOWN, { ...defaultPerception(), maxObjectRangeM: 0.8 });
    assert.deepEqual(onTable(near), []);
  });
});

describe('structures of a frame', () => {
  it('are the table, a floor and the wall, each with its plane', () => {
    const { seen } = look([], { isNoisy: true });
    const table = seen.structures.find(({ kind, d }) => kind === 'support' && Math.abs(d + TABLE_Z) < 0.01);
    assert.ok(table, JSON.stringify(seen.structures.map(({ kind, d }) => [kind, d])));
    assertClose(table.normal, [0, 0, 1], 1e-9);
    assert.ok(Math.abs(boxTop(table.box) - TABLE_Z) < 0.01);
    const wall = seen.structures.find(({ kind }) => kind === 'wall');
    assert.ok(wall);
    assertClose([...wall.normal, wall.d], [0, -1, 0, 2], 0.03);
    assert.ok(seen.structures.some(({ kind, d }) => kind === 'floor' && Math.abs(d) < 0.02));
  });

  it('call every part of the floor floor, also where the table parts it in the picture', () => {
    for (const isNoisy of [false, true]) {
      const { seen } = look([], { isNoisy });
      const low = seen.structures.filter(({ normal, d }) => normal[2] === 1 && Math.abs(d) < 0.03);
      assert.ok(low.length >= 2, 'the table parts the floor in this look');
      assert.deepEqual([...new Set(low.map(({ kind }) => kind))], ['floor']);
    }
  });
});
