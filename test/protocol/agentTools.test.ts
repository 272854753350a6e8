import assert from 'node:assert/strict';
import {
  refuse,
  registerSceneGraphQueryTools,
  type AgentTool,
  type Brief,
  type SceneGraphProvider,
} from '../../src/protocol/index.js';

const BRIEF: Brief = {
  objects: [{ ref: 'cup_1', coarsePosition: [1, 2, 3], confidence: 1, freshness: 'current' }],
  robot: {},
  freshness: 'current',
  provenance: 'rgbd_scene_graph',
  coordinateFrame: 'map',
  revision: 3,
  perception: { state: 'ok' },
};

/** Knows cup_1 on table_1 and writes down what it was asked. */
function fakeProvider(asked: unknown[]): SceneGraphProvider {
  const known = <T extends object>(ref: string, content: T) =>
    Promise.resolve(
      ref === 'cup_1'
        ? ({ success: true, ...content } as const)
        : refuse('scene_graph_ref_not_found', 'It is not in the latest Brief.'),
    );
  return {
    refreshFromPerception: () => {
      asked.push('refresh');
      return Promise.resolve();
    },
    brief: () => Promise.resolve(BRIEF),
    applyConfirmedExecution: () => Promise.resolve(refuse('not_available', 'Not here.')),
    hasRef: (ref) => Promise.resolve(ref === 'cup_1'),
    getObjectRelations: (ref, relation) => {
      asked.push([ref, relation]);
      const edge = { relation: 'on', otherRef: 'table_1', distanceM: 0.5 } as const;
      return known(ref, { objectRef: ref, relations: [edge] });
    },
    getImage: (ref) => {
      const view = {
        name: 'v',
        data: Uint8Array.of(1),
        mediaType: 'image/jpeg',
        caption: '',
        freshness: 'current',
      } as const;
      return known(ref, { objectRef: ref, images: [view] });
    },
    getObject: () => Promise.resolve(refuse('not_available', 'Not here.')),
    findObjects: (filter) => {
      asked.push(filter);
      return Promise.resolve({ success: true, objects: BRIEF.objects } as const);
    },
  };
}

function tools(asked: unknown[] = []): Map<string, AgentTool> {
  const byName = new Map<string, AgentTool>();
  registerSceneGraphQueryTools({ register: (tool) => void byName.set(tool.name, tool) }, fakeProvider(asked));
  return byName;
}

describe('agent tools', () => {
  it('declare five tools with closed parameter schemas that every runtime can read', () => {
    const all = tools();
    assert.deepEqual(
      [...all.keys()],
      ['get_brief', 'get_object_relations', 'get_image', 'get_object', 'find_objects'],
    );
    for (const tool of all.values()) {
      assert.equal(tool.parameters['type'], 'object');
      assert.equal(tool.parameters['additionalProperties'], false);
      assert.doesNotMatch(JSON.stringify(tool.parameters), /"(pattern|format|\$ref|\$schema)"/);
    }
    const relations = all.get('get_object_relations')?.parameters as {
      required: string[];
      properties: { relation: { enum: string[] } };
    };
    assert.deepEqual(relations.required, ['obj']);
    assert.deepEqual(relations.properties.relation.enum, ['', 'on', 'inside', 'holding', 'near']);
  });

  it('answer in JSON names with ref, filter and provenance', async () => {
    const asked: unknown[] = [];
    const answer = await tools(asked).get('get_object_relations')?.call({ obj: ' cup_1 ', relation: 'on' });
    assert.deepEqual(asked, [['cup_1', 'on']]);
    assert.deepEqual(answer, {
      success: true,
      ref: 'cup_1',
      relation_filter: 'on',
      relations: [{ relation: 'on', other_ref: 'table_1', distance_m: 0.5 }],
      provenance: 'scene_graph',
    });
  });

  it('refresh before the Brief, and give it as record and as text', async () => {
    const asked: unknown[] = [];
    const answer = await tools(asked).get('get_brief')?.call({});
    assert.deepEqual(asked, ['refresh']);
    assert.equal((answer?.['brief'] as { coordinate_frame: string }).coordinate_frame, 'map');
    assert.match(String(answer?.['text']), /^Scene graph brief:\n {2}objects=1;/);
  });

  it('pass a search on in camelCase and pictures as base64', async () => {
    const asked: unknown[] = [];
    await tools(asked).get('find_objects')?.call({ near_ref: 'cup_1', within_m: 0.5 });
    assert.deepEqual(asked, [{ nearRef: 'cup_1', withinM: 0.5 }]);
    const answer = await tools().get('get_image')?.call({ obj: 'cup_1' });
    assert.equal((answer?.['images'] as { data: string }[])[0]?.data, 'AQ==');
  });

  it('refuse extra, missing, blank and unknown arguments without calling the provider', async () => {
    const asked: unknown[] = [];
    const relations = tools(asked).get('get_object_relations');
    for (const args of [
      {},
      { obj: ' ' },
      { obj: 'cup_1', relation: 'under' },
      { obj: 'cup_1', x: 1 },
      'cup_1',
      null,
    ]) {
      const answer = await relations?.call(args);
      assert.equal(answer?.success, false);
      assert.equal(answer['kind'], 'invalid_tool_arguments', JSON.stringify(args));
      assert.equal(answer['provenance'], 'scene_graph');
    }
    assert.deepEqual(asked, []);
  });

  it('hand a refusal on without echoing a path that was sent as a ref', async () => {
    const answer = await tools().get('get_object_relations')?.call({ obj: '/home/robot/cup_1' });
    assert.equal(answer?.['kind'], 'scene_graph_ref_not_found');
    assert.doesNotMatch(JSON.stringify(answer), /home/);
  });
});
