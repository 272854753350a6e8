import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { replayFile } from '../../src/cli/replayCommand.js';
import { canonicalHash } from '../../src/graph/canonicalHash.js';
import type { Counters } from '../../src/pipeline/Counters.js';
import { parametersFromFlat } from '../../src/pipeline/parameterSet.js';
import type { ReplaySummary } from '../../src/pipeline/replay.js';
import { createScenePipeline } from '../../src/pipeline/ScenePipeline.js';
import type { TopicOverrides } from '../../src/recordings/parseTopicOverrides.js';
import type { DetectionForm } from '../../src/simulate/pictureDetections.js';
import { scriptNamed } from '../../src/simulate/scriptNamed.js';
import { simulate } from '../../src/simulate/simulate.js';
import { simulateInput } from '../../src/simulate/simulateInput.js';
import { temporaryFolder } from '../fixtures/temporaryFolder.js';

/** Two cups on a table, and a detector that takes a fifth of a second. */
const SCRIPT = scriptNamed('two_cups', { size: [320, 240], fps: 10, durationS: 3 });
const DELAY_S = 0.2;
const FRAMES = 30;

interface Told {
  readonly summary: ReplaySummary;
  readonly labels: readonly string[];
  readonly stateHash: string;
}

describe('a recording with what a detector said', function () {
  this.timeout(60_000);
  const folder = temporaryFolder();

  async function recorded(form: DetectionForm, every = 1): Promise<string> {
    const out = folder.path(`${form}${every}.mcap`);
    if (!existsSync(out)) await simulate(SCRIPT, { out, detector: { form, delayS: DELAY_S, every } });
    return out;
  }

  async function replayed(
    bag: string,
    values: Readonly<Record<string, unknown>>,
    overrides: TopicOverrides = {},
  ): Promise<Told> {
    const out = folder.path('replay');
    const { parameters } = parametersFromFlat(values);
    const silent = { out: () => undefined, warn: () => undefined };
    const summary = await replayFile(bag, out, parameters, { overrides, span: {} }, silent);
    const graph = JSON.parse(await readFile(`${out}/graph.json`, 'utf8')) as {
      readonly entities: readonly { readonly label: string }[];
      readonly state_hash: string;
    };
    return { summary, labels: graph.entities.map(({ label }) => label).sort(), stateHash: graph.state_hash };
  }

  const cupsOf = ({ labels }: Told): number => labels.filter((label) => label === 'cup').length;

  it('has its things named, each picture by what was said of it', async () => {
    const bag = await recorded('boxes');
    const told = await replayed(bag, { 'detector.source': 'topic' });
    assert.equal(cupsOf(told), 2, told.labels.join());
    assert.deepEqual(told.summary.frames, { in: FRAMES, used: FRAMES, dropped: {} });
    assert.deepEqual(told.summary.detector, { detections: { received: FRAMES, used: FRAMES, refused: {} } });
    const untold = await replayed(bag, {});
    assert.deepEqual([cupsOf(untold), untold.summary.detector], [0, {}]);
    const again = await replayed(bag, { 'detector.source': 'topic' });
    assert.equal(again.stateHash, told.stateHash);
  });

  it('is read so when its topic is given, and with other names', async () => {
    const bag = await recorded('boxes');
    const told = await replayed(
      bag,
      { 'detector.class_names.cup': 'mug' },
      { detections: '/camera/detections' },
    );
    assert.equal(told.labels.filter((label) => label === 'mug').length, 2, told.labels.join());
  });

  it('names by boxes with silhouettes, and parts without names by instance images alone', async () => {
    const masks = await replayed(await recorded('masks'), { 'detector.source': 'topic' });
    assert.equal(cupsOf(masks), 2, masks.labels.join());
    const { detections, instances } = masks.summary.detector;
    assert.deepEqual([detections.used, instances.used], [FRAMES, FRAMES]);
    assert.deepEqual(instances.refused, {});
    const alone = await replayed(await recorded('instances'), { 'detector.source': 'topic' });
    assert.deepEqual([cupsOf(alone), alone.summary.detector['instances'].used], [0, FRAMES]);
    assert.ok(alone.labels.filter((label) => label === 'object').length >= 2, alone.labels.join());
  });

  it('uses every frame and still gives names where the detector looks at each fifth picture', async () => {
    const told = await replayed(await recorded('boxes', 5), { 'detector.source': 'topic' });
    assert.deepEqual(told.summary.frames, { in: FRAMES, used: FRAMES, dropped: {} });
    assert.equal(told.summary.detector['detections'].used, FRAMES / 5);
    assert.equal(cupsOf(told), 2, told.labels.join());
  });

  it('tells why nothing pairs where the wait is shorter than the detector takes', async () => {
    const told = await replayed(await recorded('boxes'), {
      'detector.source': 'topic',
      'detector.wait_s': 0.05,
    });
    assert.deepEqual(told.summary.detector['detections'].refused, { came_late: FRAMES });
    assert.equal(cupsOf(told), 0);
    assert.equal(told.summary.frames.used, FRAMES);
  });

  it('is refused where the parameters want both a model or a file and a topic', async () => {
    const bag = await recorded('boxes');
    const both = { 'detector.source': 'topic', 'detector.description': 'model.yaml' };
    await assert.rejects(
      replayed(bag, both),
      /detector\.description: expected none with detector\.source topic/,
    );
  });

  it('is asked for in vain where there is none, with what the recording has', async () => {
    const bag = folder.path('without.mcap');
    await simulate(scriptNamed('two_cups', { size: [160, 120], fps: 5, durationS: 0.4 }), { out: bag });
    await assert.rejects(
      replayed(bag, { 'detector.source': 'topic' }),
      /No topic with detections was found[^]*\/camera\/color\/image_raw\/compressed/,
    );
  });

  it('gives the live rules the same graph as the replay’s, frame for frame', async () => {
    const run = async (live: boolean): Promise<{ hash: string; counters: Counters }> => {
      const { parameters } = parametersFromFlat({ 'detector.source': 'topic' });
      const pipeline = createScenePipeline(parameters, { live });
      const detector = { form: 'boxes', delayS: 0.25, every: 3 } as const;
      for await (const message of simulateInput(SCRIPT, { detector })) await pipeline.push(message);
      await pipeline.finish();
      const hash = canonicalHash(pipeline.workingGraph.state);
      await pipeline.close();
      return { hash, counters: pipeline.counters };
    };
    const [live, offline] = [await run(true), await run(false)];
    assert.deepEqual(live.counters.frames, { in: FRAMES, used: FRAMES, dropped: {} });
    assert.equal(live.hash, offline.hash);
    assert.equal(live.counters.streams['detections'].used, Math.ceil(FRAMES / 3));
  });
});
