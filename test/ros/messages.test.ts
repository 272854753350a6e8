import assert from 'node:assert/strict';
import { parse } from '@foxglove/rosmsg';
import { MessageReader } from '@foxglove/rosmsg2-serialization';
import { readFileSync } from 'node:fs';
import type { Brief, ObjectDetail, Relation, VisualEvidence } from '../../src/protocol/index.js';
import {
  fromBriefMessage,
  fromEvidenceMessage,
  fromObjectDetailMessage,
  fromRelationMessage,
  ownedBytes,
  toBriefMessage,
  toEvidenceMessage,
  toObjectDetailMessage,
  toRelationMessage,
} from '../../src/ros/messages.js';
import { writeBrief } from '../../src/ros/writeBrief.js';

const BRIEF: Brief = {
  objects: [
    {
      ref: 'box_1',
      coarsePosition: [4.1, 0.25, 0.9],
      confidence: 0.5,
      freshness: 'last_seen',
      lastSeen: '2026-07-27T11:59:18Z',
      containerState: 'open',
      contents: ['battery_4'],
    },
    { ref: 'object_7', freshness: 'missing', label: 'чашка', lastSeen: '2026-07-27T11:58:59.250Z' },
  ],
  robot: { pose: [1, 2, 0, 1.5], holding: ['cup_2'] },
  freshness: 'current',
  provenance: 'rgbd_scene_graph',
  coordinateFrame: 'map',
  updatedAt: '2026-07-27T12:00:00Z',
  revision: 7,
  perception: { state: 'blind', reason: 'no depth', blindSince: '2026-07-27T11:59:48Z' },
};

/** Our .msg texts with the common messages they use, as one definition. */
function briefReader(): MessageReader {
  const ours = ['SceneGraphBrief', 'SceneGraphObjectBrief', 'SceneGraphRobotBrief'].map(
    (name) => [`rgbd_scene_graph/${name}`, readFileSync(`msg/${name}.msg`, 'utf8')] as const,
  );
  const common = [
    ['std_msgs/Header', 'builtin_interfaces/Time stamp\nstring frame_id'],
    ['builtin_interfaces/Time', 'int32 sec\nuint32 nanosec'],
    ['geometry_msgs/Pose', 'geometry_msgs/Point position\ngeometry_msgs/Quaternion orientation'],
    ['geometry_msgs/Point', 'float64 x\nfloat64 y\nfloat64 z'],
    ['geometry_msgs/Quaternion', 'float64 x\nfloat64 y\nfloat64 z\nfloat64 w'],
  ] as const;
  const [root, ...rest] = [...ours, ...common];
  const separator = '='.repeat(80);
  const text = [root?.[1], ...rest.map(([name, body]) => `${separator}\nMSG: ${name}\n${body}`)].join('\n');
  return new MessageReader(parse(text, { ros2: true }));
}

/** Floats of 32 bits are not compared to the last digit. */
function rounded(brief: Brief): unknown {
  return JSON.parse(
    JSON.stringify(brief, (_, value: unknown) =>
      typeof value === 'number' ? Number(value.toFixed(6)) : value,
    ),
  );
}

describe('messages', () => {
  it('carry a Brief there and back', () => {
    assert.deepEqual(rounded(fromBriefMessage(toBriefMessage(BRIEF))), rounded(BRIEF));
  });

  it('carry a Brief with nothing known there and back', () => {
    const nothing: Brief = {
      objects: [],
      robot: {},
      freshness: 'stale',
      provenance: 'rgbd_scene_graph',
      coordinateFrame: 'map',
      revision: 0,
      perception: { state: 'ok' },
    };
    assert.deepEqual(fromBriefMessage(toBriefMessage(nothing)), nothing);
  });

  it('carry the Brief as CDR in the order of the .msg files', () => {
    const graphTime = 1_785_153_600_123_456_789n;
    const message = toBriefMessage(BRIEF, { graphTime, grippers: ['left'] });
    const read = briefReader().readMessage<typeof message>(writeBrief(message));
    assert.deepEqual(read.header.stamp, { sec: 1_785_153_600, nanosec: 123_456_789 });
    const isNumber = (value: unknown): value is number => typeof value === 'number';
    const plain = (value: unknown): unknown =>
      JSON.parse(JSON.stringify(value, (_, part: unknown) => (isNumber(part) ? Math.fround(part) : part)));
    assert.deepEqual(plain(read), plain(message));
    assert.deepEqual(read.robot.grippers, ['left']);
  });

  it('carry relations and everything of an object there and back', () => {
    const relations: Relation[] = [
      { relation: 'on', otherRef: 'table_1', distanceM: 0.5 },
      { relation: 'near', otherRef: 'cup_2' },
      { relation: 'inside', otherRef: 'cup_2', inverse: true },
    ];
    for (const relation of relations)
      assert.deepEqual(fromRelationMessage(toRelationMessage(relation)), relation);
    const object: ObjectDetail = {
      ref: 'cup_2',
      label: 'mug',
      labelShare: 0.75,
      box: { center: [1, 2, 3], size: [0.5, 0.25, 0.125], yaw: 0 },
      positionSigmaM: 0.5,
      confidence: 1,
      freshness: 'recent',
      fieldFreshness: { position: 'recent', label: 'current' },
      firstSeen: '2026-07-27T12:00:00Z',
      observations: 4,
      support: 'table_1',
      aliases: ['cup_1'],
    };
    assert.deepEqual(fromObjectDetailMessage(toObjectDetailMessage(object)), object);
  });

  it('C55 send bytes in memory of their own, whatever view they came as', () => {
    const big = new Uint8Array(100).map((_, k) => k);
    for (const view of [
      big.subarray(10, 20),
      Buffer.from('text of a pooled buffer'),
      Buffer.from(big.buffer, 33, 7),
    ]) {
      const evidence: VisualEvidence = {
        name: 'cup_2-1',
        data: view,
        mediaType: 'image/jpeg',
        caption: 'a cup',
        freshness: 'current',
        stamp: '2026-07-27T12:00:00Z',
      };
      const { data } = toEvidenceMessage(evidence);
      assert.deepEqual([data.byteOffset, data.buffer.byteLength], [0, view.byteLength]);
      assert.deepEqual([...data], [...view]);
      assert.deepEqual(fromEvidenceMessage(toEvidenceMessage(evidence)), {
        ...evidence,
        data: ownedBytes(view),
      });
    }
  });
});
