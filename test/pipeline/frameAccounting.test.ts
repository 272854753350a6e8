import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { InputMessage } from '../../src/input/messages.js';
import { defaultParameters, parametersFromFlat } from '../../src/pipeline/parameterSet.js';
import { createScenePipeline, type Perceiver, type ScenePipeline } from '../../src/pipeline/ScenePipeline.js';
import { durationFromSeconds } from '../../src/time/Stamp.js';
import {
  at,
  colorMessage,
  depthMessage,
  goodColor,
  goodDepth,
  goodInfo,
  goodStatic,
  goodTf,
  infoMessages,
} from '../fixtures/goodPair.js';

/** Sees nothing; what it does before that is the test's. */
function blindPerceiver(before: () => Promise<void> = () => Promise.resolve()): Perceiver {
  return {
    perceive: async ({ stamp, cameraName, map_T_depth, map_T_grippers }) => {
      await before();
      return {
        stamp,
        cameraName,
        map_T_camera: map_T_depth,
        map_T_grippers,
        objects: [],
        structures: [],
      };
    },
    close: () => Promise.resolve(),
  };
}

function accountOf(pipeline: ScenePipeline): { came: number; settled: number; pending: number } {
  const { in: came, used, dropped } = pipeline.counters.frames;
  const settled = used + Object.values(dropped).reduce((sum, count) => sum + count, 0);
  return { came, settled, pending: pipeline.pendingFrames };
}

function assertAllAccounted(pipeline: ScenePipeline): void {
  const { came, settled, pending } = accountOf(pipeline);
  const told = JSON.stringify({ ...pipeline.counters.frames, pending });
  assert.ok(pending >= 0 && came === settled + pending, told);
}

/** Around 10 s, each unlike the other: twins, steps back, jumps and pictures nobody can place among them. */
const messageArbitrary: fc.Arbitrary<InputMessage> = fc
  .record({
    what: fc.constantFrom('color', 'depth', 'depth', 'tf', 'info', 'static', 'broken', 'nameless'),
    step: fc.integer({ min: 0, max: 120 }),
  })
  .map(({ what, step }): InputMessage => {
    const stamp = at(10 + step / 40);
    switch (what) {
      case 'color':
        return colorMessage(goodColor({ stamp }));
      case 'tf':
        return goodTf(stamp);
      case 'info':
        return { kind: 'depth_info', camera: '', info: goodInfo() };
      case 'static':
        return goodStatic();
      case 'broken':
        return depthMessage(goodDepth({ stamp, width: 0, height: 0, data: new Uint8Array(0) }));
      case 'nameless':
        return depthMessage(goodDepth({ stamp, frameId: ' ' }));
      default:
        return depthMessage(goodDepth({ stamp }));
    }
  });

describe('every depth picture that comes in', () => {
  it('is used, dropped by a cause or pending, after each message of any stream of messages', async () => {
    const story = fc.array(messageArbitrary, { minLength: 5, maxLength: 80 });
    await fc.assert(
      fc.asyncProperty(story, fc.boolean(), fc.boolean(), async (messages, isKnown, isRising) => {
        const { parameters } = parametersFromFlat({ 'sync.queue_size': 4 });
        const pipeline = createScenePipeline(parameters, { live: true, perceiver: blindPerceiver() });
        const inOrder = isRising
          ? [...messages].sort((a, b) => (stampOf(a) < stampOf(b) ? -1 : 1))
          : messages;
        const known = isKnown ? [goodStatic(), ...infoMessages(), goodTf(at(9.9))] : [];
        for (const [index, message] of [...known, ...inOrder].entries()) {
          await pipeline.push(message, durationFromSeconds(index / 20));
          assertAllAccounted(pipeline);
        }
        await pipeline.expire(durationFromSeconds(100));
        assertAllAccounted(pipeline);
        await pipeline.finish();
        assertAllAccounted(pipeline);
        assert.equal(pipeline.pendingFrames, 0);
      }),
      { numRuns: 150 },
    );
  });

  function stampOf(message: InputMessage): bigint {
    if (message.kind === 'color' || message.kind === 'depth') return message.image.stamp;
    return message.kind === 'tf' ? message.transforms[0].stamp : 0n;
  }

  it('is pending, not used, while perception works on it', async () => {
    let letGo = (): void => undefined;
    const busy = new Promise<void>((resolve) => (letGo = resolve));
    const pipeline = createScenePipeline(defaultParameters(), { perceiver: blindPerceiver(() => busy) });
    for (const message of [
      goodStatic(),
      ...infoMessages(),
      goodTf(at(9.9)),
      goodTf(at(10.1)),
      colorMessage(),
    ])
      await pipeline.push(message);
    const working = pipeline.push(depthMessage());
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
    assert.deepEqual(accountOf(pipeline), { came: 1, settled: 0, pending: 1 });
    letGo();
    await working;
    assert.deepEqual(pipeline.counters.frames, { in: 1, used: 1, dropped: {} });
    assert.equal(pipeline.pendingFrames, 0);
  });

  it('is dropped when it holds no measurement, and perception does not pass for well by it', async () => {
    const pipeline = createScenePipeline(defaultParameters(), { perceiver: blindPerceiver() });
    const before = pipeline.workingGraph.handOutBrief();
    const dark = goodDepth({ data: new Uint8Array(64 * 48 * 2) });
    for (const message of [
      goodStatic(),
      ...infoMessages(),
      goodTf(at(9.9)),
      goodTf(at(10.1)),
      colorMessage(),
      depthMessage(dark),
    ])
      await pipeline.push(message);
    assert.deepEqual(pipeline.counters.frames, { in: 1, used: 0, dropped: { no_valid_depth: 1 } });
    assert.equal(pipeline.workingGraph.state, before.state, 'no observation');
    assert.deepEqual(pipeline.workingGraph.handOutBrief().brief, before.brief);
  });

  it('is counted as failed, not as used, when perception fails, and the other camera’s is used', async () => {
    let calls = 0;
    const failsFirst = blindPerceiver(() =>
      ++calls === 1 ? Promise.reject(new Error('out of memory')) : Promise.resolve(),
    );
    const pipeline = createScenePipeline(defaultParameters(), { perceiver: failsFirst });
    const cameras = ['front', 'back'];
    await pipeline.push(goodStatic());
    for (const camera of cameras) {
      for (const message of infoMessages(goodInfo(), camera)) await pipeline.push(message);
      await pipeline.push(colorMessage(goodColor(), camera));
      await pipeline.push(depthMessage(goodDepth(), camera));
    }
    assert.equal(pipeline.pendingFrames, 2);
    // Places both at once.
    await pipeline.push(goodTf(at(9.9)));
    await assert.rejects(pipeline.push(goodTf(at(10.1))), /out of memory/);
    assert.deepEqual(pipeline.counters.frames, { in: 2, used: 1, dropped: { perception_failed: 1 } });
    assert.equal(pipeline.pendingFrames, 0);
    assert.match(pipeline.counters.lastReport('frame')?.detail ?? '', /out of memory/);
  });
});
