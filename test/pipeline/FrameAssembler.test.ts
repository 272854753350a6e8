import assert from 'node:assert/strict';
import sharp from 'sharp';
import type { InputMessage } from '../../src/input/messages.js';
import { angleBetween, quatFromYaw } from '../../src/math/quaternion.js';
import { transformPoint } from '../../src/math/rigidTransform.js';
import { durationFromSeconds } from '../../src/time/Stamp.js';
import { decodeOnly, makeBench } from '../fixtures/assemble.js';
import { assertClose } from '../fixtures/assertClose.js';
import { FakeClock } from '../fixtures/FakeClock.js';
import {
  GOOD_STAMP,
  at,
  colorMessage,
  depthMessage,
  edge,
  goodColor,
  goodDepth,
  goodInfo,
  goodStatic,
  goodTf,
  infoMessages,
} from '../fixtures/goodPair.js';
import { metresOf } from '../../src/camera/metresOf.js';

/** Everything around a good pair, with map→base known from 9.5 s to the given second. */
function surroundings(until = 10.1): InputMessage[] {
  const messages = [goodStatic(), ...infoMessages()];
  for (let seconds = 9.5; seconds <= until + 1e-9; seconds += 0.05) messages.push(goodTf(at(seconds)));
  return messages;
}

function pairAt(stamp = GOOD_STAMP): InputMessage[] {
  return [colorMessage(goodColor({ stamp })), depthMessage(goodDepth({ stamp }))];
}

describe('FrameAssembler with good input', () => {
  it('makes a frame with both pictures, both cameras and every pose at the depth stamp', async () => {
    const bench = makeBench();
    bench.push(...surroundings());
    const frame = await decodeOnly(bench, bench.push(...pairAt()));
    assert.equal(frame.stamp, GOOD_STAMP);
    assert.equal(metresOf(frame.depth)[0], 1);
    assert.equal(frame.color?.image.data[0], 120);
    assert.equal(frame.depthCamera.fx, 60);
    assertClose(transformPoint(frame.map_T_depth, [0, 0, 1]), [1, 0, 0.5], 1e-12);
    assert.deepEqual(frame.map_T_base?.translation, [0, 0, 0]);
    assert.equal(frame.angularSpeed, 0);
    assert.deepEqual(bench.assembler.counters.frames, { in: 1, used: 1, dropped: {} });
    assert.deepEqual(bench.reports, []);
  });

  it('does not mind the order in which the parts arrive', () => {
    const parts = [...surroundings(), ...pairAt()];
    assert.equal(makeBench().push(...parts.reverse()).length, 1);
  });

  it('places grippers that TF knows', () => {
    const bench = makeBench({ 'grippers.left': 'left_tool', 'grippers.right': 'right_tool' });
    const tool = edge('base_link', 'left_tool', 0n, { translation: [0.3, 0.2, 0.7] });
    bench.push(...surroundings(), { kind: 'tf_static', transforms: [tool] });
    const [frame] = bench.push(...pairAt());
    assert.deepEqual([...(frame?.map_T_grippers.keys() ?? [])], ['left']);
    assertClose(frame?.map_T_grippers.get('left')?.translation ?? [], [0.3, 0.2, 0.7], 1e-12);
  });

  it('measures the rate of turn from the transforms before the picture', () => {
    const bench = makeBench();
    bench.push(goodStatic(), ...infoMessages());
    for (let step = 0; step <= 10; step++) {
      const rotation = quatFromYaw(0.05 * step);
      bench.push({ kind: 'tf', transforms: [edge('map', 'base_link', at(9.5 + step / 20), { rotation })] });
    }
    const [frame] = bench.push(...pairAt());
    assertClose([frame?.angularSpeed ?? NaN], [1], 1e-6);
  });

  it('takes depth alone when the camera has no colour', () => {
    const bench = makeBench({ 'sync.queue_size': 100 });
    bench.push(...surroundings(12));
    const frames = bench.push(
      ...Array.from({ length: 45 }, (_, index) => depthMessage(goodDepth({ stamp: at(10 + index / 30) }))),
    );
    assert.equal(frames.length, 45);
    assert.ok(frames.every((frame) => frame.color === undefined));
  });

  it('places colour at its own stamp when that differs', () => {
    const bench = makeBench();
    bench.push(goodStatic(), ...infoMessages());
    for (let step = 0; step <= 12; step++) {
      const translation = [step / 10, 0, 0] as const;
      bench.push({
        kind: 'tf',
        transforms: [edge('map', 'base_link', at(9.5 + step / 20), { translation })],
      });
    }
    bench.push(colorMessage(goodColor({ stamp: at(9.99) })), depthMessage());
    const frames = bench.push(colorMessage(goodColor({ stamp: at(10.03) })));
    assertClose(frames[0]?.map_T_depth.translation ?? [], [1, 0, 0.5], 1e-9);
    assertClose(frames[0]?.color?.map_T_color.translation ?? [], [0.98, 0, 0.5], 1e-9);
  });

  it('uses the colour camera’s info for depth in the same frame when depth has none', async () => {
    const bench = makeBench();
    bench.push(...surroundings().filter(({ kind }) => kind !== 'depth_info'));
    assert.equal((await decodeOnly(bench, bench.push(...pairAt()))).depthCamera.fx, 60);
  });

  it('keeps two cameras apart', () => {
    const bench = makeBench();
    bench.push(...surroundings(), ...infoMessages(goodInfo(), 'front'), ...infoMessages(goodInfo(), 'back'));
    const frames = bench.push(
      colorMessage(goodColor(), 'front'),
      depthMessage(goodDepth(), 'back'),
      depthMessage(goodDepth(), 'front'),
      colorMessage(goodColor(), 'back'),
    );
    assert.deepEqual(
      frames.map(({ cameraName }) => cameraName),
      ['front', 'back'],
    );
  });

  it('gives a live owner the newest frame and counts the older ones', () => {
    const bench = makeBench();
    for (const message of surroundings()) bench.assembler.push(message);
    for (let index = 0; index < 3; index++) {
      for (const message of pairAt(at(10 + index / 30))) bench.assembler.push(message);
    }
    const newest = bench.assembler.takeNewest();
    assert.deepEqual(
      newest.map(({ stamp }) => stamp),
      [at(10 + 2 / 30)],
    );
    assert.deepEqual(bench.assembler.counters.frames.dropped, { newer_frame: 2 });
  });
});

describe('FrameAssembler waiting for transforms', () => {
  /** map→cam turning at 1 rad/s. */
  const turning = (seconds: number): InputMessage => ({
    kind: 'tf',
    transforms: [edge('map', 'cam_optical', at(seconds), { rotation: quatFromYaw(seconds - 9) })],
  });

  it('C25 waits for the later transform and interpolates to the picture’s moment', () => {
    const bench = makeBench();
    bench.push(...infoMessages(), turning(9.9), turning(9.95));
    assert.deepEqual(bench.push(...pairAt()), []);
    const [frame] = bench.push(turning(10.05));
    assert.ok(frame);
    assert.ok(angleBetween(frame.map_T_depth.rotation, quatFromYaw(1)) < 1e-6);
  });

  it('C25 drops the frame when the transform never comes, never using the latest one', () => {
    const bench = makeBench();
    bench.push(...infoMessages(), turning(9.9), turning(9.95));
    bench.push(...pairAt());
    assert.deepEqual(bench.push(...pairAt(at(10.15)), ...pairAt(at(10.25))), []);
    assert.deepEqual(bench.assembler.counters.frames.dropped, { future_extrapolation: 1 });
    assert.match(bench.reports[0]?.detail ?? '', /extrapolation into the future/);
  });

  it('C25 lets a live frame expire by the steady clock when no data comes any more', () => {
    const bench = makeBench();
    const clock = new FakeClock();
    for (const message of [...infoMessages(), turning(9.95), ...pairAt()])
      bench.assembler.push(message, clock.now());
    clock.advance(0.19);
    bench.assembler.expire(clock.now());
    assert.deepEqual(bench.assembler.counters.frames.dropped, {});
    clock.advance(0.02);
    bench.assembler.expire(clock.now());
    assert.deepEqual(bench.assembler.counters.frames.dropped, { future_extrapolation: 1 });
    assert.deepEqual(bench.assembler.takeReady(), []);
  });

  it('does not count transforms that are dated ahead as time that has passed', () => {
    const bench = makeBench();
    // map→odom is dated one second ahead, as localisers do; odom→base comes 60 ms late.
    const localiser = (seconds: number): InputMessage => ({
      kind: 'tf',
      transforms: [edge('map', 'odom', at(seconds + 1))],
    });
    const wheels = (seconds: number): InputMessage => ({
      kind: 'tf',
      transforms: [edge('odom', 'base_link', at(seconds))],
    });
    bench.push(goodStatic(), ...infoMessages());
    for (let step = 0; step < 40; step++) {
      bench.push(localiser(8 + step / 20));
      if (step > 1) bench.push(wheels(8 + step / 20 - 0.06));
    }
    assert.deepEqual(bench.push(...pairAt(at(9.95)), localiser(10)), []);
    assert.equal(bench.push(wheels(9.96)).length, 1);
  });

  it('C26 loses only the pictures from before the first transform', () => {
    const bench = makeBench();
    bench.push(goodStatic(), ...infoMessages());
    const frames: bigint[] = [];
    for (let step = 0; step < 30; step++) {
      const seconds = 10 + step / 20;
      const stamps = bench.push(...(seconds >= 10.5 ? [goodTf(at(seconds))] : []), ...pairAt(at(seconds)));
      frames.push(...stamps.map(({ stamp }) => stamp));
    }
    assert.equal(frames[0], at(10.5));
    assert.equal(frames.length, 20);
    const { dropped } = bench.assembler.counters.frames;
    assert.equal(
      Object.values(dropped).reduce((sum, count) => sum + count, 0),
      10,
    );
  });

  it('C17 makes no frame without the transform from depth to colour, and says so', () => {
    const depth = depthMessage(goodDepth({ frameId: 'depth_optical' }));
    const link = edge('base_link', 'depth_optical', 0n, { translation: [0, 0.05, 0.5] });
    const withoutIt = makeBench();
    const depthInfo: InputMessage = {
      kind: 'depth_info',
      camera: '',
      info: goodInfo({ frameId: 'depth_optical' }),
    };
    const noColorPlace = surroundings().filter(({ kind }) => kind !== 'tf_static');
    const onlyDepth: InputMessage = { kind: 'tf_static', transforms: [link] };
    withoutIt.push(...noColorPlace, depthInfo, onlyDepth, colorMessage(), depth);
    withoutIt.assembler.flush();
    assert.deepEqual(withoutIt.assembler.takeReady(), []);
    assert.deepEqual(withoutIt.assembler.counters.frames.dropped, { no_transform_depth_to_color: 1 });
    assert.match(withoutIt.reports.at(-1)?.detail ?? '', /no transform depth → colour/);

    const withIt = makeBench();
    const [frame] = withIt.push(...surroundings(), depthInfo, onlyDepth, colorMessage(), depth);
    assertClose(frame?.map_T_depth.translation ?? [], [0, 0.05, 0.5], 1e-12);
    assertClose(frame?.color?.map_T_color.translation ?? [], [0, 0, 0.5], 1e-12);
  });
});

describe('FrameAssembler with bad frames of reference', () => {
  it('C20 takes the header’s frame at its word, warns once, and lets a parameter name the right one', () => {
    const body = edge('base_link', 'camera_link', 0n, { translation: [0, 0, 0.5] });
    const pictures = [
      colorMessage(goodColor({ frameId: 'camera_link' })),
      depthMessage(goodDepth({ frameId: 'camera_link' })),
    ];
    const around: InputMessage[] = [
      ...surroundings(),
      ...infoMessages(goodInfo({ frameId: 'camera_link' })),
      { kind: 'tf_static', transforms: [body] },
    ];
    const plain = makeBench();
    const [wrong] = plain.push(...around, ...pictures);
    assert.ok(wrong);
    assertClose(transformPoint(wrong.map_T_depth, [0, 0, 1]), [0, 0, 1.5], 1e-12);
    const warnings = plain.reports.filter(({ cause }) => cause === 'frame_not_optical');
    assert.deepEqual(
      warnings.map(({ stream, kind }) => `${stream} ${kind}`),
      ['color warning', 'depth warning'],
    );

    const named = makeBench({ 'optical_frames.color': 'cam_optical', 'optical_frames.depth': 'cam_optical' });
    const [right] = named.push(...around, ...pictures);
    assert.ok(right);
    assertClose(transformPoint(right.map_T_depth, [0, 0, 1]), [1, 0, 0.5], 1e-12);
    assert.deepEqual(named.reports, []);
  });

  it('C22 refuses a second camera’s pictures on the same topic, and names it', () => {
    const bench = makeBench();
    bench.push(...surroundings(), ...pairAt());
    bench.push(depthMessage(goodDepth({ frameId: 'other_optical', stamp: at(10.01) })));
    assert.deepEqual(bench.assembler.counters.frames.dropped, { second_frame_id: 1 });
    assert.match(bench.reports[0]?.detail ?? '', /"other_optical".*"cam_optical"/);
    assert.equal(bench.push(...pairAt(at(10.05))).length, 1);
  });

  it('C23 drops one leading slash with one warning and refuses an empty frame', () => {
    const bench = makeBench();
    const slashed: InputMessage = { kind: 'tf', transforms: [edge('/map', 'base_link', GOOD_STAMP)] };
    const frames = bench.push(
      goodStatic(),
      ...infoMessages(goodInfo({ frameId: '/cam_optical' })),
      slashed,
      colorMessage(goodColor({ frameId: '/cam_optical' })),
      depthMessage(goodDepth({ frameId: '/cam_optical' })),
    );
    assert.equal(frames.length, 1);
    for (let index = 1; index <= 100; index++) {
      const stamp = at(10 + index / 100);
      bench.push(depthMessage(goodDepth({ frameId: index % 2 ? '' : ' ', stamp })), slashed);
    }
    assert.equal(bench.assembler.counters.frames.dropped['empty_frame_id'], 100);
    assert.deepEqual(bench.reports.map(({ stream, cause }) => `${stream} ${cause}`).sort(), [
      'color leading_slash',
      'depth empty_frame_id',
      'depth leading_slash',
      'tf leading_slash',
    ]);
  });

  it('C28 refuses poisoned transforms and odometry by name and recovers with the next good one', () => {
    const bench = makeBench();
    const poison = (change: Parameters<typeof edge>[3]): InputMessage => ({
      kind: 'tf',
      transforms: [edge('map', 'odom', at(10)), edge('odom', 'base_link', at(10), change)],
    });
    bench.push(goodStatic(), ...infoMessages());
    bench.push(poison({ translation: [NaN, 0, 0] }));
    bench.push(poison({ rotation: [0, 0, 0, 0] }), poison({ rotation: [0, 0, 0, 1.2] }));
    const { parentFrameId: _parent, ...lost } = edge('', 'base_link', at(9), {
      translation: [NaN, NaN, NaN],
    });
    bench.push({ kind: 'odom', odometry: { ...lost, frameId: 'odom' } });
    const { streams } = bench.assembler.counters;
    assert.deepEqual(streams['tf']?.refused, { nan_input: 1, denormalized_quaternion: 2 });
    assert.deepEqual(streams['odom']?.refused, { nan_input: 1 });
    assert.match(bench.reports[0]?.detail ?? '', /"base_link"/);
    assert.deepEqual(bench.push(...pairAt()), []);
    assert.equal(bench.push(poison({ rotation: [0, 0, 0, 1.003] })).length, 1);
  });
});

describe('FrameAssembler with bad stamps', () => {
  it('C32 refuses zero and negative stamps except on static transforms', () => {
    const bench = makeBench();
    bench.push(...surroundings());
    const { parentFrameId: _parent, ...pose } = edge('', 'base_link', 0n);
    const frames = bench.push(
      depthMessage(goodDepth({ stamp: 0n })),
      depthMessage(goodDepth({ stamp: -5n })),
      colorMessage(goodColor({ stamp: 0n })),
      { kind: 'odom', odometry: { ...pose, frameId: 'odom' } },
      { kind: 'tf', transforms: [edge('odom', 'base_link', 0n, { translation: [9, 9, 9] })] },
    );
    assert.deepEqual(frames, []);
    const { streams } = bench.assembler.counters;
    assert.equal(streams['depth']?.refused['zero_stamp'], 2);
    for (const stream of ['color', 'odom', 'tf']) assert.equal(streams[stream]?.refused['zero_stamp'], 1);
    assert.equal(streams['tf_static']?.refused['zero_stamp'], undefined);
    assert.deepEqual(bench.push(...pairAt())[0]?.map_T_base?.translation, [0, 0, 0]);
  });

  it('C35 uses the first of several pictures with one stamp, and counts the others', async () => {
    const bench = makeBench();
    bench.push(...surroundings());
    const other = goodDepth();
    new Uint16Array(other.data.buffer).fill(2000);
    const frames = bench.push(...pairAt(), depthMessage(other), depthMessage(other), ...pairAt());
    assert.equal(metresOf((await decodeOnly(bench, frames)).depth)[0], 1);
    assert.equal(bench.assembler.counters.streams['depth']?.refused['duplicate_stamp'], 3);
  });

  it('C35 gives no NaN speed when odometry or transforms repeat a stamp', () => {
    const bench = makeBench();
    bench.push(...surroundings());
    for (let index = 0; index < 1000; index++) {
      const rotation = quatFromYaw(index / 1000);
      bench.push({ kind: 'tf', transforms: [edge('odom', 'base_link', at(10.1), { rotation })] });
    }
    const [frame] = bench.push(...pairAt());
    assert.equal(frame?.angularSpeed, 0);
  });

  it('refuses pictures out of order without touching what follows', () => {
    const bench = makeBench();
    bench.push(...surroundings(), ...pairAt());
    bench.push(depthMessage(goodDepth({ stamp: at(9.97) })));
    assert.deepEqual(bench.assembler.counters.frames.dropped, { out_of_order_stamp: 1 });
    assert.equal(bench.push(...pairAt(at(10.05))).length, 1);
  });
});

describe('FrameAssembler when time jumps back', () => {
  it('says so once, drops moving transforms and waiting pictures, keeps static ones and calibrations', () => {
    const bench = makeBench();
    bench.push(...surroundings(), ...pairAt());
    bench.push(depthMessage(goodDepth({ stamp: at(10.1) })));
    const again = bench.push(...pairAt(at(5)));
    assert.deepEqual(again, [], 'transforms of the old time do not serve the new one');
    assert.deepEqual(bench.jumps, [{ from: GOOD_STAMP, to: at(5) }]);
    assert.deepEqual(bench.assembler.counters.frames.dropped, { clock_jump: 1 });
    assert.equal(bench.push(goodTf(at(5))).length, 1);
    assert.equal(bench.jumps.length, 1);
  });

  it('repeats a looping recording frame by frame', () => {
    const bench = makeBench();
    const loop: InputMessage[] = [];
    for (let step = 0; step < 60; step++)
      loop.push(goodTf(at(10 + step / 20)), ...pairAt(at(10 + step / 20)));
    bench.push(goodStatic(), ...infoMessages());
    const passes = [1, 2, 3].map(() => bench.push(...loop).map(({ stamp }) => stamp));
    assert.equal(passes[0]?.length, 60);
    assert.deepEqual(passes[1], passes[0]);
    assert.deepEqual(passes[2], passes[0]);
    assert.equal(bench.jumps.length, 2);
  });

  it('C31 keeps everything when stamps step back a little, as with two senders of one frame', () => {
    const bench = makeBench();
    bench.push(...surroundings());
    for (let step = 0; step < 50; step++) {
      const seconds = 10 + step / 50;
      bench.push(goodTf(at(seconds)), goodTf(at(seconds - 0.3)));
      assert.equal(bench.push(...pairAt(at(seconds))).length, 1);
    }
    assert.deepEqual(bench.jumps, []);
  });

  it('obeys a clock that says itself that it jumped', () => {
    const bench = makeBench();
    bench.push(...surroundings());
    bench.assembler.clockJumped({ from: at(10), to: at(1) });
    assert.equal(bench.jumps.length, 1);
    assert.deepEqual(bench.push(...pairAt()), []);
  });
});

describe('FrameAssembler with bad pictures and calibrations', () => {
  it('C14 makes no frame without intrinsics and recovers with the first good info', () => {
    const bench = makeBench();
    const bad = goodInfo({ K: [0, 0, 0, 0, 0, 0, 0, 0, 0] });
    bench.push(...surroundings().filter(({ kind }) => !kind.endsWith('_info')), ...infoMessages(bad));
    assert.deepEqual(bench.push(...pairAt()), []);
    assert.deepEqual(bench.assembler.counters.frames.dropped, { no_intrinsics: 1 });
    const next = at(10.05);
    assert.equal(bench.push(...infoMessages(goodInfo({ stamp: next })), ...pairAt(next)).length, 1);
  });

  it('names the frame whose camera info is missing, after waiting for it', () => {
    const bench = makeBench();
    bench.push(...surroundings(10.3).filter(({ kind }) => !kind.endsWith('_info')));
    bench.push(...infoMessages(goodInfo({ frameId: 'other_optical' })), ...pairAt());
    assert.deepEqual(bench.push(goodTf(at(10.4)), ...pairAt(at(10.6))), []);
    assert.deepEqual(bench.assembler.counters.frames.dropped, { no_camera_info: 1 });
    assert.match(bench.reports.at(-1)?.detail ?? '', /"cam_optical".*seen: "other_optical"/);
  });

  it('C10 goes on with depth alone when the colour picture is broken, and counts it', async () => {
    const bench = makeBench();
    const whole = await sharp({ create: { width: 64, height: 48, channels: 3, background: '#00f' } })
      .jpeg()
      .toBuffer();
    bench.push(...surroundings());
    const broken: InputMessage = {
      kind: 'color',
      camera: '',
      image: {
        stamp: GOOD_STAMP,
        frameId: 'cam_optical',
        format: 'jpeg',
        data: whole.subarray(0, whole.length * 0.6),
      },
    };
    const frame = await decodeOnly(bench, bench.push(broken, depthMessage()));
    assert.equal(frame.color, undefined);
    assert.equal(bench.assembler.counters.streams['color']?.refused['malformed_image'], 1);
    assert.ok((await decodeOnly(bench, bench.push(...pairAt(at(10.05))))).color);
  });

  it('C10 leaves out colour whose size has nothing to do with its camera info', async () => {
    const bench = makeBench();
    bench.push(...surroundings());
    const odd = goodColor({ width: 50, height: 50, step: 150, data: new Uint8Array(7500) });
    const frame = await decodeOnly(bench, bench.push(colorMessage(odd), depthMessage()));
    assert.equal(frame.color, undefined);
    assert.equal(bench.assembler.counters.streams['color']?.refused['size_unlike_camera_info'], 1);
  });

  it('C07 C13 drops a frame whose depth cannot be decoded, by cause, and takes the next', async () => {
    const bench = makeBench();
    bench.push(...surroundings(), colorMessage());
    const lossy: InputMessage = {
      kind: 'depth',
      camera: '',
      image: {
        stamp: GOOD_STAMP,
        frameId: 'cam_optical',
        format: '16UC1; jpeg compressed ',
        data: Uint8Array.of(255, 216),
      },
    };
    const [pending] = bench.push(lossy);
    assert.ok(pending);
    const result = await bench.assembler.decode(pending);
    assert.ok(!result.ok && result.cause === 'lossy_codec_on_depth');
    const empty = depthMessage(goodDepth({ stamp: at(10.03), width: 0, height: 0, data: new Uint8Array(0) }));
    const [second] = bench.push(colorMessage(goodColor({ stamp: at(10.03) })), empty);
    assert.ok(second && !(await bench.assembler.decode(second)).ok);
    assert.deepEqual(bench.assembler.counters.frames, {
      in: 2,
      used: 0,
      dropped: { lossy_codec_on_depth: 1, zero_size_image: 1 },
    });
    await decodeOnly(bench, bench.push(...pairAt(at(10.06))));
    assert.deepEqual(
      bench.reports.map(({ stream, cause }) => `${stream} ${cause}`),
      ['depth lossy_codec_on_depth', 'depth zero_size_image'],
    );
  });

  it('C37 accounts for every depth picture in a stream with losses and jitter', () => {
    const bench = makeBench();
    bench.push(...surroundings(9.9));
    let frames = 0;
    for (let step = 0; step < 300; step++) {
      const jitter = (((step * 7919) % 21) - 10) / 1000;
      const seconds = 10 + step / 30;
      frames += bench.push(
        goodTf(at(seconds)),
        colorMessage(goodColor({ stamp: at(seconds + jitter) })),
      ).length;
      if (step % 2 === 0 && step % 14 !== 12) {
        frames += bench.push(depthMessage(goodDepth({ stamp: at(seconds + 0.004) }))).length;
      }
    }
    bench.push(goodTf(at(20.1)));
    bench.assembler.flush();
    frames += bench.assembler.takeReady().length;
    const { in: came, dropped } = bench.assembler.counters.frames;
    assert.deepEqual(dropped, {});
    assert.equal(frames, came);
  });
});

describe('FrameAssembler with odometry', () => {
  const odometry = (seconds: number, x: number, childFrameId = 'base_link'): InputMessage => ({
    kind: 'odom',
    odometry: {
      stamp: at(seconds),
      frameId: 'odom',
      childFrameId,
      translation: [x, 0, 0],
      rotation: [0, 0, 0, 1],
    },
  });
  const localised = (seconds: number): InputMessage => ({
    kind: 'tf',
    transforms: [edge('map', 'odom', at(seconds))],
  });

  it('closes the edge odom→base when TF lacks it', () => {
    const bench = makeBench();
    bench.push(
      goodStatic(),
      ...infoMessages(),
      localised(9),
      localised(11),
      odometry(9.95, 1),
      odometry(10.05, 2, ''),
    );
    const [frame] = bench.push(...pairAt());
    assertClose(frame?.map_T_base?.translation ?? [], [1.5, 0, 0], 1e-9);
  });

  it('steps back when TF brings the edge, even as a static one', () => {
    const bench = makeBench();
    bench.push(goodStatic(), ...infoMessages(), odometry(9.9, 50), ...surroundings(), odometry(10, 99));
    assert.deepEqual(bench.push(...pairAt())[0]?.map_T_base?.translation, [0, 0, 0]);

    const fixed = makeBench();
    fixed.push(...infoMessages(), odometry(9.9, 50, 'cam_optical'), odometry(10, 60, 'cam_optical'));
    fixed.push(goodStatic(), ...surroundings());
    assert.deepEqual(fixed.push(...pairAt())[0]?.map_T_depth.translation, [0, 0, 0.5]);
  });
});

describe('FrameAssembler memory', () => {
  it('stays bounded when transforms never come', () => {
    const bench = makeBench({ 'sync.queue_size': 5 });
    bench.push(...infoMessages());
    for (let step = 0; step < 100; step++) bench.push(...pairAt(at(10 + step / 1000)));
    const { in: came, dropped } = bench.assembler.counters.frames;
    assert.equal(came, 100);
    assert.equal(dropped['queue_full'], 95);
    bench.assembler.expire(durationFromSeconds(100));
    bench.assembler.flush();
    assert.deepEqual(bench.assembler.counters.frames.dropped, { queue_full: 95, no_frame: 5 });
  });
});
