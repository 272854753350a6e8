import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  briefSchema,
  checkRecord,
  evidenceFromJson,
  evidenceToJson,
  executionUpdateSchema,
  findFilterSchema,
  jsonSchemas,
  recordFromJson,
  recordToJson,
  relationSchema,
} from '../../src/protocol/index.js';
import { arbitraryBrief } from './arbitraryRecords.js';

const BRIEF = {
  objects: [
    { ref: 'cup_1', coarse_position: [1, 2, 3], confidence: 0.5, freshness: 'current' },
    { ref: 'cup_2', freshness: 'missing', contents: ['a_1', 'b_1'] },
  ],
  robot: { pose: [0, 0, 0, 1], holding: ['cup_2'] },
  freshness: 'current',
  provenance: 'rgbd_scene_graph',
  coordinate_frame: 'map',
  updated_at: '2026-07-27T12:00:00Z',
  revision: 7,
  perception: { state: 'ok' },
};

/** The path a Brief is refused with after one change. */
function refusedPath(change: (brief: typeof BRIEF & Record<string, unknown>) => void): string {
  const brief = structuredClone(BRIEF);
  change(brief);
  const parsed = recordFromJson(briefSchema, brief);
  assert.equal(parsed.ok, false, 'was accepted');
  return parsed.ok ? '' : parsed.path;
}

describe('records', () => {
  it('go from camelCase to JSON text and back unchanged', () => {
    fc.assert(
      fc.property(arbitraryBrief, (brief) => {
        const text = JSON.stringify(recordToJson(brief));
        assert.ok(!/"[a-z_]*[A-Z][A-Za-z]*":/.test(text), 'a key is not snake_case');
        const parsed = recordFromJson(briefSchema, JSON.parse(text));
        assert.deepEqual(parsed, { ok: true, value: brief });
        assert.deepEqual(checkRecord(briefSchema, brief), { ok: true, value: brief });
      }),
    );
  });

  it('are refused with the path of the bad field', () => {
    const cases: readonly [string, (brief: Record<string, never> & typeof BRIEF) => void][] = [
      ['objects[0].coarse_position[1]', (brief) => (brief.objects[0].coarse_position![1] = Number.NaN)],
      ['objects[0].confidence', (brief) => (brief.objects[0].confidence = 1.01)],
      ['objects[0].confidence', (brief) => (brief.objects[0].confidence = true as never)],
      ['objects[0].coarse_position[0]', (brief) => (brief.objects[0].coarse_position![0] = Infinity)],
      ['objects[0].coarse_position', (brief) => (brief.objects[0].coarse_position = [1])],
      ['objects[1].ref', (brief) => (brief.objects[1].ref = 'cup_1')],
      ['objects[1].ref', (brief) => (brief.objects[1].ref = '  ')],
      ['objects[1].ref', (brief) => (brief.objects[1].ref = ' cup_2')],
      ['objects[1].contents[1]', (brief) => (brief.objects[1].contents = ['a_1', 'a_1'])],
      ['objects[1].freshness', (brief) => (brief.objects[1].freshness = 'stale')],
      ['robot.holding[1]', (brief) => (brief.robot.holding = ['cup_2', 'cup_2'])],
      ['robot.pose[3]', (brief) => (brief.robot.pose[3] = false as never)],
      ['updated_at', (brief) => (brief.updated_at = '2026-07-27T12:00:00+02:00')],
      ['updated_at', (brief) => (brief.updated_at = '2026-13-27T12:00:00Z')],
      ['provenance', (brief) => (brief.provenance = 'other')],
      ['revision', (brief) => (brief.revision = 2 ** 32)],
      ['surprise', (brief) => Object.assign(brief, { surprise: 1 })],
      ['objects[0].relations', (brief) => Object.assign(brief.objects[0], { relations: [] })],
    ];
    for (const [path, change] of cases) {
      assert.equal(refusedPath(change as never), path);
    }
  });

  it('hold no local path in a label, a tool name or a gripper', () => {
    const update = (change: object, part: object = {}): boolean =>
      recordFromJson(executionUpdateSchema, {
        tool_name: 'pick',
        effects: [{ effect: 'hold', ref: 'cup_1', ...part }],
        ...change,
      }).ok;
    assert.ok(update({}, { gripper: 'left', label: 'salt/pepper' }));
    for (const path of ['/opt/x', '../x', './x', '~/x', 'C:\\x', 'file:///x']) {
      assert.ok(!update({ tool_name: path }), path);
      assert.ok(!update({}, { gripper: path }), path);
      assert.ok(!update({}, { label: path }), path);
      assert.equal(
        refusedPath((brief) => Object.assign(brief.objects[0], { label: path })),
        'objects[0].label',
      );
    }
  });

  it('do not take camelCase in JSON nor snake_case in TypeScript', () => {
    const { coordinate_frame: frame, ...rest } = BRIEF;
    assert.equal(recordFromJson(briefSchema, { ...rest, coordinateFrame: frame }).ok, false);
    assert.equal(checkRecord(briefSchema, BRIEF).ok, false);
  });

  it('refuse a relation with a negative or unknown-kind edge', () => {
    assert.equal(
      recordFromJson(relationSchema, { relation: 'on', other_ref: 'a_1', distance_m: -0.1 }).ok,
      false,
    );
    assert.equal(recordFromJson(relationSchema, { relation: 'under', other_ref: 'a_1' }).ok, false);
    assert.equal(recordFromJson(relationSchema, { relation: 'on', other_ref: 'a_1' }).ok, true);
  });

  it('carry pictures as base64 and refuse local paths in names and captions', () => {
    const view = {
      name: 'cup_1-1',
      data: Uint8Array.of(0xff, 0xd8, 0, 1),
      mediaType: 'image/jpeg',
      caption: 'cup_1, best view',
      freshness: 'current',
    } as const;
    const json = evidenceToJson(view);
    assert.equal(json['data'], '/9gAAQ==');
    assert.deepEqual(evidenceFromJson(json), { ok: true, value: view });
    for (const leak of ['/home/robot/a.jpg', 'see /tmp/x', 'file:///x', 'C:\\x', 'image at ~/x']) {
      assert.equal(evidenceFromJson({ ...json, caption: leak }).ok, false, leak);
      assert.equal(evidenceFromJson({ ...json, name: leak }).ok, false, leak);
    }
    assert.equal(evidenceFromJson({ ...json, caption: 'x'.repeat(241) }).ok, false);
    assert.equal(evidenceFromJson({ ...json, media_type: 'text/html' }).ok, false);
  });

  it('narrow a search only by parts that make sense together', () => {
    const path = (filter: object): string => {
      const parsed = recordFromJson(findFilterSchema, filter);
      return parsed.ok ? 'accepted' : parsed.path;
    };
    assert.equal(path({}), 'accepted');
    assert.equal(path({ label: 'cup', near_ref: 'table_1', within_m: 1, limit: 5 }), 'accepted');
    assert.equal(path({ within_m: 1 }), 'within_m');
    assert.equal(path({ relation: 'on' }), 'related_ref');
    assert.equal(path({ near_ref: 'a_1', near_point: [0, 0, 0] }), 'near_point');
    assert.equal(path({ limit: 0 }), 'limit');
  });

  it('export JSON Schemas with unique items, closed objects and no references', () => {
    const schemas = jsonSchemas();
    const text = JSON.stringify(schemas);
    assert.ok(!text.includes('$ref'));
    const brief = schemas.brief as never as {
      additionalProperties: boolean;
      properties: { robot: { properties: { holding: object } }; objects: { uniqueItems: boolean } };
    };
    assert.equal(brief.additionalProperties, false);
    assert.deepEqual(brief.properties.robot.properties.holding, {
      type: 'array',
      items: { type: 'string', minLength: 1 },
      uniqueItems: true,
    });
    assert.equal(brief.properties.objects.uniqueItems, true);
  });
});
