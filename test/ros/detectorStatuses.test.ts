import assert from 'node:assert/strict';
import type { InputFigures } from '../../src/ros/diagnostics.js';
import { detectorStatuses } from '../../src/ros/detectorStatuses.js';

type Drops = Readonly<Record<string, number>>;

const PARAMETERS = { waitS: 0.3, toleranceS: 0.05 };

function heard(
  kind: 'detections' | 'instances',
  received: number,
  drops: Drops = {},
  camera = '',
): InputFigures {
  const topic = camera === '' ? `/${kind}` : `/${camera}/${kind}`;
  return {
    spec: {
      kind,
      camera,
      required: false,
      qos: { reliability: 'auto', durability: 'volatile', depth: 10 },
      transports: [],
    },
    status: {
      ...{ topic, type: '', publishers: 0, offered: [], asked: '', mismatches: [] },
      ...{ received, rateHz: 0, ageS: undefined },
    },
    drops: new Map(Object.entries(drops)),
    lastDropCause: undefined,
  };
}

function statusOf(inputs: readonly InputFigures[], used: Drops = {}, uptimeS = 10, without: Drops = {}) {
  const figures = { used: (stream: string) => used[stream] ?? 0, refused: () => without };
  return detectorStatuses(inputs, figures, PARAMETERS, uptimeS);
}

describe('the detector’s status', () => {
  it('is not there where no detector is listened to', () => {
    assert.deepEqual(statusOf([]), []);
  });

  it('says that nothing came, on which topics, and warns once there was time', () => {
    const inputs = [heard('detections', 0), heard('instances', 0)];
    const [early] = statusOf(inputs, {}, 1);
    assert.deepEqual([early.level, early.message], [0, 'waiting for /detections and /instances']);
    const [late] = statusOf(inputs);
    assert.equal(late.level, 1);
    assert.equal(late.message, 'nothing received on /detections and /instances: things get no names');
  });

  const reasons: Record<string, [Drops, string]> = {
    'stamps are not the pictures’': [
      { no_picture: 42 },
      '42 detections, none within 0.05 s of a colour picture',
    ],
    'the detector is too slow': [
      { came_late: 40, no_picture: 2 },
      '42 detections, all later than 0.3 s after their picture',
    ],
    'frames are dropped': [
      { picture_dropped: 42 },
      '42 detections, none used: the frames of their pictures are dropped',
    ],
    'they have no stamps': [{ zero_stamp: 42 }, '42 detections, none used: zero stamp'],
  };
  for (const [why, [drops, message]] of Object.entries(reasons)) {
    it(`warns that none is used since ${why}`, () => {
      const [status] = statusOf([heard('detections', 42, drops), heard('instances', 0)]);
      assert.deepEqual([status.level, status.message], [1, message]);
    });
  }

  it('is content with some that find their pictures, and counts frames that were named nothing', () => {
    const without = { picture_skipped: 12 };
    const inputs = [heard('detections', 42, { no_picture: 3 }), heard('instances', 0)];
    const [status] = statusOf(inputs, { detections: 39 }, 10, without);
    assert.deepEqual(status, {
      name: 'detector',
      level: 0,
      message: 'what is said finds its pictures',
      values: { detections_used: '39', instances_used: '0', frames_picture_skipped: '12' },
    });
  });

  it('is told camera by camera', () => {
    const inputs = ['front', 'rear'].map((camera) => heard('detections', 7, { came_late: 7 }, camera));
    const statuses = statusOf(inputs, { 'front/detections': 3 });
    assert.deepEqual(
      statuses.map(({ name, level }) => [name, level]),
      [
        ['front detector', 0],
        ['rear detector', 1],
      ],
    );
  });
});
