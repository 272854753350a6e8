import assert from 'node:assert/strict';
import { START } from '../conformance/scriptedWorld.js';
import { cupsPipeline } from './support/cupsPipeline.js';
import { startPython } from './support/python.js';
import { loadRos } from './support/ros.js';
import type { RosModules } from './support/ros.js';

interface Seen {
  readonly success: boolean;
  readonly kind: string;
  readonly message: string;
  readonly content?: unknown;
}

interface SeenBrief {
  readonly frame_id: string;
  readonly stamp: readonly number[];
  readonly provenance: string;
  readonly objects: readonly {
    readonly object_ref: string;
    readonly position: readonly number[];
    readonly confidence: number;
  }[];
  readonly robot: readonly [boolean, number, number];
}

type Marker = readonly [string, number, number, number, string, string, number];

describe('rclpy, a client that is not ours', function () {
  this.timeout(60_000);
  let seen: Readonly<Record<string, Seen>>;
  let brief: SeenBrief;
  let markers: readonly Marker[];
  let ref: string;
  let refs: readonly string[];
  let faults: ReadonlyMap<string, number>;

  before(async function () {
    const ros: RosModules = await loadRos(this);
    this.timeout(60_000);
    const pipeline = await cupsPipeline(3);
    refs = [...pipeline.graph.state.entities.keys()];
    ref = refs.find((name) => name.startsWith('object_')) ?? '';
    const node = await ros.SceneGraphNode.start([], { createPipeline: () => pipeline });
    const python = startPython('rclpy_client.py', ref);
    try {
      seen = JSON.parse(await python.ended) as typeof seen;
    } finally {
      python.child.kill('SIGKILL');
      await node.stop();
    }
    faults = node.faults;
    brief = seen['brief'] as never;
    markers = seen['markers'] as never;
  });

  const answer = (name: string): Seen => seen[name] ?? assert.fail(`nothing seen of ${name}`);
  const refused = (name: string, kind: string): void => {
    assert.deepEqual([answer(name).success, answer(name).kind], [false, kind], answer(name).message);
    assert.notEqual(answer(name).message, '');
  };

  it('reads the latched Brief, although it came late', () => {
    assert.equal(brief.frame_id, 'map');
    assert.equal(brief.provenance, 'rgbd_scene_graph');
    assert.deepEqual([...brief.objects.map((object) => object.object_ref)].sort(), [...refs].sort());
    const last = START + 1_100_000_000n;
    assert.deepEqual(brief.stamp, [Number(last / 1_000_000_000n), Number(last % 1_000_000_000n)]);
    assert.deepEqual(brief.robot, [true, -1, 1]);
    for (const { confidence, position } of brief.objects) {
      assert.ok(confidence >= 0 && confidence <= 1);
      assert.ok(position.every(Number.isFinite));
    }
  });

  it('reads the Brief as text', () => {
    for (const name of refs) assert.ok((seen['brief_text'] as never as string).includes(`- ${name}`));
  });

  it('C50 reads markers that begin with DELETEALL in a valid frame and name every ref once', () => {
    assert.deepEqual(markers[0]?.slice(3, 5), [3, 'map']);
    const texts = markers.filter(([ns]) => ns.startsWith('label')).map((marker) => marker[5]);
    assert.deepEqual([...texts].sort(), [...refs].sort());
    const boxes = markers.filter(([ns]) => ns === 'box');
    assert.equal(boxes.length, 1);
    assert.deepEqual([boxes[0]?.[2], boxes[0]?.[6]], [5, refs.length * 24]);
    assert.equal(new Set(markers.map(([ns, id]) => `${ns} ${id}`)).size, markers.length);
  });

  it('gets answers from every query', () => {
    assert.deepEqual((answer('get_brief').content as { objects: number }).objects, refs.length);
    const relations = answer('get_object_relations').content as [string, string, boolean][];
    assert.ok(
      relations.some(([relation]) => relation === 'on'),
      JSON.stringify(relations),
    );
    assert.equal((answer('get_object').content as { observations: number }).observations > 1, true);
    assert.deepEqual([...(answer('find_objects').content as string[])].sort(), [...refs].sort());
  });

  it('C55 gets the bytes of a picture that is a view into a larger buffer', () => {
    assert.deepEqual(answer('get_image').content, [[`${ref}-1`, 'image/jpeg', 'ffd8ffd9']]);
  });

  it('sees an execution refused, applied and repeated', () => {
    refused('apply_process', 'verdict_not_success');
    const first = { applied: true, already_applied: false, changed_refs: [ref] };
    assert.deepEqual(answer('apply_success').content, first);
    assert.deepEqual(answer('apply_again').content, { ...first, already_applied: true });
  });

  it('sees every refusal as an answer', () => {
    refused('unknown_relations', 'scene_graph_ref_not_found');
    refused('unknown_image', 'scene_graph_ref_not_found');
    refused('unknown_relation_word', 'invalid_tool_arguments');
    refused('blank_ref', 'invalid_tool_arguments');
    refused('explain_object', 'not_available');
    refused('merge_unknown', 'scene_graph_ref_not_found');
  });

  it('corrects, forgets and resets', () => {
    assert.deepEqual(answer('relabel').content, [ref]);
    assert.equal(answer('relabelled').content, 'кружка');
    assert.equal(answer('forget').success, true);
    refused('forgotten', 'scene_graph_ref_removed');
    assert.equal(answer('reset').success, true);
    assert.deepEqual(answer('after_reset').content, { objects: 0 });
  });

  it('has caused no fault in the node', () => {
    assert.deepEqual([...faults], []);
  });
});
