import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import type { Detector } from '../../src/detect/Detector.js';
import { defaultParameters } from '../../src/pipeline/parameterSet.js';
import { readRecordedDetections } from '../../src/pipeline/RecordedDetections.js';
import { createScenePipeline } from '../../src/pipeline/ScenePipeline.js';
import { replayFile } from '../../src/cli/replayCommand.js';
import { readReplayFolder, readTruthFile } from '../../src/cli/readReplayFolder.js';
import { evaluate } from '../../src/evaluate/evaluate.js';
import type { RgbdFrame } from '../../src/camera/RgbdFrame.js';
import type { Report } from '../../src/pipeline/Counters.js';
import { scriptNamed } from '../../src/simulate/scriptNamed.js';
import { simulateInput } from '../../src/simulate/simulateInput.js';
import { requireData } from '../fixtures/requireData.js';
import { temporaryFolder } from '../fixtures/temporaryFolder.js';
import { TABLE_THINGS, tableLook } from '../fixtures/tableLook.js';

const CUP = { label: 'cup', score: 0.9, box: [10, 20, 30, 40] };

describe('recorded detections', () => {
  const { frame } = tableLook(TABLE_THINGS);
  const at = (seconds: number): RgbdFrame => ({
    ...frame,
    stamp: BigInt(Math.round(seconds * 1e3)) * 1_000_000n,
  });
  const folder = temporaryFolder();

  async function written(content: unknown): Promise<string> {
    const file = folder.path('detections.json');
    await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
    return file;
  }

  it('are those of the picture with the nearest stamp, and of none that is too far', async () => {
    const detections = [
      { stamp: 100.2, items: [{ ...CUP, label: 'bowl' }] },
      { stamp: 100.0, items: [CUP] },
      { stamp: 100.1, items: [] },
    ];
    const recorded = await readRecordedDetections(await written({ schema: 1, detections }), 0.02);
    assert.deepEqual(await recorded.detect(at(100)), [CUP]);
    assert.deepEqual(await recorded.detect(at(100.015)), [CUP]);
    assert.deepEqual(await recorded.detect(at(100.1)), []);
    assert.equal((await recorded.detect(at(100.19)))[0].label, 'bowl');
    for (const seconds of [99, 100.05, 101])
      await assert.rejects(recorded.detect(at(seconds)), /no detections/);
  });

  it('are refused with the file and the field', async () => {
    await assert.rejects(readRecordedDetections('absent.json', 0.05), /cannot read .*absent\.json: ENOENT/);
    await assert.rejects(readRecordedDetections(await written('{'), 0.05), /detections\.json: no JSON/);
    const wrong = { detections: [{ stamp: 1, items: [{ ...CUP, box: [1, 2, 3] }] }] };
    await assert.rejects(readRecordedDetections(await written(wrong), 0.05), /detections\.0\.items\.0\.box/);
  });
});

describe('a mug that a person puts down five times, with its recorded detections', () => {
  const folder = temporaryFolder();

  it('is found at every rest under one ref and never twice', async function () {
    this.timeout(120_000);
    const bag = requireData(this, 'mug_moved_static_camera.mcap');
    const truthFile = requireData(this, 'mug_moved_static_camera.truth.json');
    const out = folder.path('mug');
    const io = { out: () => undefined, warn: () => undefined };
    const options = { overrides: {}, span: {}, detections: truthFile, historyStepS: 0 };
    await replayFile(bag, out, defaultParameters(), options, io);
    const result = await readReplayFolder(out);
    const named = result.graph.entities.filter(({ label }) => label === 'cup');
    assert.deepEqual(
      named.map(({ ref }) => ref),
      ['cup_1'],
    );
    const { overTime, duplicates } = evaluate(result, await readTruthFile(truthFile));
    assert.deepEqual(
      overTime.rests.map(({ found, of }) => [found, of]),
      [[5, 5]],
    );
    assert.deepEqual(duplicates, []);
  });
});

describe('a detector that fails', () => {
  it('is counted and told, and the frames are used without names', async () => {
    const failing: Detector = {
      notes: [],
      detect: () => Promise.reject(new Error('out of memory')),
      close: () => Promise.resolve(),
    };
    const reports: Report[] = [];
    const pipeline = createScenePipeline(defaultParameters(), {
      detector: failing,
      onReport: (report) => reports.push(report),
    });
    for await (const message of simulateInput(
      scriptNamed('two_cups', { size: [160, 120], fps: 5, durationS: 1 }),
    ))
      await pipeline.push(message);
    await pipeline.finish();
    await pipeline.close();
    const { used } = pipeline.counters.frames;
    assert.ok(used > 0);
    assert.equal(pipeline.counters.streams['detector'].refused['detector_failed'], used);
    assert.match(reports.find(({ stream }) => stream === 'detector')?.detail ?? '', /out of memory/);
  });
});
