import assert from 'node:assert/strict';
import type { FaultLog } from '../../src/ros/guard.js';
import type { GraphDoor } from '../../src/ros/services.js';
import { loadRos } from './support/ros.js';
import type { RosModules } from './support/ros.js';
import { RosProbe } from './support/RosProbe.js';
import { testPipeline } from './support/testPipeline.js';

interface Answer {
  readonly success: boolean;
  readonly kind: string;
  readonly message: string;
}

const PACKAGE = 'rgbd_scene_graph/srv';

/** Every service with a request, and the door's method behind it. */
const SERVICES = [
  ['get_brief', `${PACKAGE}/GetBrief`, {}, undefined],
  ['get_object_relations', `${PACKAGE}/GetObjectRelations`, { object_ref: 'cup_1' }, 'getObjectRelations'],
  ['get_image', `${PACKAGE}/GetImage`, { object_ref: 'cup_1' }, 'getImage'],
  ['get_object', `${PACKAGE}/GetObject`, { object_ref: 'cup_1' }, 'getObject'],
  ['find_objects', `${PACKAGE}/FindObjects`, {}, 'findObjects'],
  ['apply_execution', `${PACKAGE}/ApplyExecution`, { execution_id: 'a' }, 'applyConfirmedExecution'],
  ['relabel', `${PACKAGE}/Relabel`, { object_ref: 'cup_1', label: 'mug' }, 'relabel'],
  ['merge', `${PACKAGE}/Merge`, { keep_ref: 'cup_1', other_ref: 'cup_2' }, 'merge'],
  ['forget', `${PACKAGE}/Forget`, { object_ref: 'cup_1' }, 'forget'],
  ['explain_object', `${PACKAGE}/ExplainObject`, { object_ref: 'cup_1' }, undefined],
  ['reset', 'std_srvs/srv/Trigger', {}, 'reset'],
] as const;

const WRONG = {
  success: true,
  objectRef: 5,
  relations: [],
  images: [],
  objects: 'none',
  object: {},
  changedRefs: [1],
};

/** One fault a method may have, by the words of the case. */
const FAULTS: Readonly<Record<string, () => unknown>> = {
  'throws at once': () => {
    throw new Error('at /srv/secret/place.ts:1');
  },
  'rejects later': () => new Promise((_, reject) => setImmediate(() => reject(new Error('later')))),
  'returns nothing': () => undefined,
  'returns a wrongly typed field': () => WRONG,
};

describe('services', () => {
  let ros: RosModules;
  let probe: RosProbe;

  before(async function () {
    ros = await loadRos(this);
    probe = await RosProbe.start(ros);
  });
  after(() => probe?.stop());

  describe('C44 at the start, with no publisher at all', () => {
    let node: Awaited<ReturnType<RosModules['SceneGraphNode']['start']>>;

    before(async () => {
      node = await ros.SceneGraphNode.start([], { createPipeline: () => testPipeline() });
    });
    after(() => node?.stop());

    for (const [service, type, request] of SERVICES) {
      it(`${service} answers within 100 ms`, async () => {
        const client = probe.node.createClient(type, `/rgbd_scene_graph/${service}`);
        assert.ok(await client.waitForService(10_000));
        const started = performance.now();
        const answer = (await client.sendRequestAsync(request, { timeout: 2000 })) as Answer;
        const tookMs = performance.now() - started;
        probe.node.destroyClient(client);
        assert.ok(tookMs < 100, `${tookMs} ms`);
        const expected = EMPTY_GRAPH_KINDS[service];
        assert.equal(answer.success, expected === undefined, answer.message);
        if (service !== 'reset') assert.equal(answer.kind, expected ?? '');
      });
    }

    it('get_brief has no objects and is stale', async () => {
      const answer = await probe.call<{ brief: { freshness: string; objects: unknown[] }; text: string }>(
        `${PACKAGE}/GetBrief`,
        '/rgbd_scene_graph/get_brief',
        {},
      );
      assert.equal(answer.brief.freshness, 'stale');
      assert.deepEqual(answer.brief.objects, []);
      assert.match(answer.text, /objects=0;/);
    });
  });

  describe('C46 a handler that', () => {
    let faults: FaultLog;
    let fault: () => unknown = () => undefined;
    let host: RosProbe;

    before(async () => {
      const { createServices } = await import('../../src/ros/services.js');
      host = await RosProbe.start(ros, 'faulty');
      const methods = SERVICES.flatMap(([, , , method]) => method ?? []);
      const door = Object.fromEntries(methods.map((name) => [name, () => fault()])) as unknown as GraphDoor;
      faults = new ros.FaultLog({ error: () => {} });
      createServices({ node: host.node, faults, door, takeBrief: () => fault() as never });
    });
    after(() => host?.stop());

    for (const [what, make] of Object.entries(FAULTS)) {
      for (const [service, type, request] of SERVICES) {
        // Nothing behind it that could fail.
        if (service === 'explain_object') continue;
        // Its answer is a fixed sentence, whatever the graph gives back.
        if (service === 'reset' && (what === 'returns nothing' || what.includes('wrongly'))) continue;
        it(`${what} still answers ${service}, without stack or path`, async () => {
          fault = make;
          const before = faults.counts.get(`service ${service}`) ?? 0;
          const answer = await probe.call<Answer>(type, `/faulty/${service}`, request, 2000);
          assert.equal(answer.success, false);
          if (service !== 'reset') assert.equal(answer.kind, 'internal_error');
          assert.doesNotMatch(answer.message, /secret|\.ts|\n/);
          assert.equal(faults.counts.get(`service ${service}`), before + 1);
        });
      }
    }

    it('failed before answers again once the fault is gone', async () => {
      fault = () => ({ success: true, objectRef: 'cup_1', relations: [] });
      const request = { object_ref: 'cup_1' };
      const answer = await probe.call<Answer>(
        `${PACKAGE}/GetObjectRelations`,
        '/faulty/get_object_relations',
        request,
      );
      assert.equal(answer.success, true);
    });
  });

  it('C53 a call that is open while the node stops is cut cleanly', async () => {
    let release = (): void => {};
    const open = new Promise<never>((_, reject) => {
      release = () => reject(new Error('too late'));
    });
    const slow = testPipeline({ door: (real) => ({ ...real, getObject: () => open }) });
    const node = await ros.SceneGraphNode.start(['--ros-args', '-r', '__node:=slow'], {
      createPipeline: () => slow,
    });
    const call = probe.call(`${PACKAGE}/GetObject`, '/slow/get_object', { object_ref: 'cup_1' }, 1500);
    await new Promise((resolve) => setTimeout(resolve, 300));
    await node.stop();
    release();
    await assert.rejects(call, /[Tt]imeout|timed out/);
    assert.equal(node.faults.get('service get_object'), 1);
  });
});

const EMPTY_GRAPH_KINDS: Readonly<Record<string, string | undefined>> = {
  get_object_relations: 'scene_graph_ref_not_found',
  get_image: 'scene_graph_ref_not_found',
  get_object: 'scene_graph_ref_not_found',
  apply_execution: 'invalid_execution',
  relabel: 'scene_graph_ref_not_found',
  merge: 'scene_graph_ref_not_found',
  forget: 'scene_graph_ref_not_found',
  explain_object: 'not_available',
};
