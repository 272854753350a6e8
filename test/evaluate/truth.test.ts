import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseReplayResult } from '../../src/evaluate/replayResult.js';
import { parseTruth } from '../../src/evaluate/truth.js';

const DATA = path.join(process.env['RGBD_SCENE_GRAPH_DATA'] ?? path.resolve('..', 'shared'), 'data');

const SMALLEST = {
  schema: 1,
  recording: 'a.mcap',
  frame: 'map',
  scored_region: [],
  ignore: [],
  supports: [],
  objects: [],
  relations: [],
  changes: [],
};

describe('parseTruth', () => {
  it('reads every truth file that comes with the recordings', function () {
    if (!existsSync(DATA)) {
      assert.equal(process.env['CI'], undefined, `${DATA} is missing`);
      this.skip();
    }
    const files = readdirSync(DATA).filter((file) => file.endsWith('.truth.json'));
    assert.ok(files.length >= 5);
    for (const file of files) {
      const truth = parseTruth(JSON.parse(readFileSync(path.join(DATA, file), 'utf8')));
      assert.equal(`${truth.recording.replace(/\.mcap$/, '')}.truth.json`, file);
      assert.ok(
        truth.objects.length > 0 && truth.objects.every(({ positionToleranceM }) => positionToleranceM > 0),
      );
    }
  });

  it('reads the smallest truth and ignores fields it does not know', () => {
    assert.equal(parseTruth({ ...SMALLEST, note: 'by hand' }).recording, 'a.mcap');
  });

  it('names the bad field', () => {
    const object = {
      id: 'cup',
      label: 'cup',
      center: [0, 0],
      size: [1, 1, 1],
      height_m: 1,
      position_tolerance_m: 0.1,
      coarse: false,
      thin: false,
      intervals: [],
    };
    assert.throws(() => parseTruth({ ...SMALLEST, objects: [object] }), {
      name: 'EvaluationError',
      message: /truth: objects\[0\]\.center/,
    });
    assert.throws(() => parseTruth({ ...SMALLEST, schema: 2 }), /truth: schema: /);
    assert.throws(() => parseTruth([]), /truth: file: /);
  });
});

describe('parseReplayResult', () => {
  const graph = { entities: [], relations: [] };

  it('takes the end from the final Brief, and none from an empty one', () => {
    const brief = { objects: [], updated_at: '2026-07-27T12:00:00.250Z' };
    assert.equal(parseReplayResult({ graph, brief }).endS, Date.UTC(2026, 6, 27, 12) / 1000 + 0.25);
    assert.equal(parseReplayResult({ graph, brief: { objects: [] } }).endS, undefined);
  });

  it('names file and field of what is wrong', () => {
    const entity = {
      ref: 'cup_1',
      label: 'cup',
      box: { center: [0, 0, null], size: [1, 1, 1], yaw: 0 },
      confidence: 1,
      freshness: 'current',
    };
    assert.throws(
      () => parseReplayResult({ graph: { ...graph, entities: [entity] }, brief: { objects: [] } }),
      /graph\.json: entities\[0\]\.box\.center\[2\]/,
    );
    assert.throws(
      () => parseReplayResult({ graph, brief: { objects: [] }, history: [{ objects: [] }, {}] }),
      /history\.jsonl line 2: objects/,
    );
  });
});
