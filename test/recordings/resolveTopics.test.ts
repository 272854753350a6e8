import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseTopicOverrides } from '../../src/recordings/parseTopicOverrides.js';
import type { TopicInfo } from '../../src/recordings/Recording.js';
import { resolveTopics, type TopicAssignment } from '../../src/recordings/resolveTopics.js';
import { TopicResolutionError } from '../../src/recordings/TopicResolutionError.js';

const TYPES = {
  image: 'sensor_msgs/msg/Image',
  compressed: 'sensor_msgs/msg/CompressedImage',
  info: 'sensor_msgs/msg/CameraInfo',
  tf: 'tf2_msgs/msg/TFMessage',
  odom: 'nav_msgs/msg/Odometry',
  boxes: 'vision_msgs/msg/Detection2DArray',
};

/** `image /camera/depth/image_raw 94` per topic; without a count 10. */
function topicsOf(...lines: string[]): TopicInfo[] {
  return lines.map((line) => {
    const [kind = '', name = '', count = '10'] = line.split(' ');
    const type = TYPES[kind as keyof typeof TYPES] ?? kind;
    return { name, type, count: Number(count), encoding: 'cdr', qos: '', schema: undefined };
  });
}

const TRANSFORMS = ['tf /tf', 'tf /tf_static 1', 'odom /odom'];

function names({ topics }: TopicAssignment): Record<string, string> {
  return Object.fromEntries(Object.entries(topics).map(([kind, topic]) => [kind, topic.name]));
}

function camera(assignment: TopicAssignment): (string | undefined)[] {
  const { color, depth, color_info: colorInfo, depth_info: depthInfo } = names(assignment);
  return [color, depth, colorInfo, depthInfo];
}

function failure(topics: TopicInfo[], overrides = {}): TopicResolutionError {
  try {
    resolveTopics(topics, overrides);
  } catch (error) {
    assert.ok(error instanceof TopicResolutionError, String(error));
    return error;
  }
  throw new Error('topics were resolved');
}

describe('resolveTopics', () => {
  it('gives every role of a plain recording', () => {
    const topics = topicsOf(
      'compressed /camera/color/image_raw/compressed',
      'image /camera/depth/image_raw',
      'info /camera/color/camera_info',
      'info /camera/depth/camera_info',
      ...TRANSFORMS,
    );
    assert.deepEqual(names(resolveTopics(topics)), {
      color: '/camera/color/image_raw/compressed',
      depth: '/camera/depth/image_raw',
      color_info: '/camera/color/camera_info',
      depth_info: '/camera/depth/camera_info',
      tf: '/tf',
      tf_static: '/tf_static',
      odom: '/odom',
    });
  });

  const cameras: Record<string, { lines: string[]; expected: (string | undefined)[] }> = {
    'RealSense: aligned depth before depth in its own frame': {
      lines: [
        'image /d435/color/image_raw',
        'info /d435/color/camera_info',
        'image /d435/depth/image_rect_raw',
        'info /d435/depth/camera_info',
        'image /d435/aligned_depth_to_color/image_raw',
        'info /d435/aligned_depth_to_color/camera_info',
        'image /d435/aligned_depth_to_infra1/image_raw',
        'image /d435/infra1/image_rect_raw',
        'info /d435/infra1/camera_info',
      ],
      expected: [
        '/d435/color/image_raw',
        '/d435/aligned_depth_to_color/image_raw',
        '/d435/color/camera_info',
        '/d435/aligned_depth_to_color/camera_info',
      ],
    },
    'OpenNI: registered depth, raw before rectified': {
      lines: [
        'image /camera/rgb/image_raw',
        'image /camera/rgb/image_rect_color',
        'info /camera/rgb/camera_info',
        'image /camera/depth/image_raw',
        'info /camera/depth/camera_info',
        'image /camera/depth_registered/image_raw',
        'info /camera/depth_registered/camera_info',
        'image /camera/ir/image',
        'info /camera/ir/camera_info',
      ],
      expected: [
        '/camera/rgb/image_raw',
        '/camera/depth_registered/image_raw',
        '/camera/rgb/camera_info',
        '/camera/depth_registered/camera_info',
      ],
    },
    'Azure Kinect without a namespace': {
      lines: [
        'image /rgb/image_raw',
        'info /rgb/camera_info',
        'image /depth/image_raw',
        'info /depth/camera_info',
        'image /depth_to_rgb/image_raw',
        'info /depth_to_rgb/camera_info',
        'image /ir/image_raw',
      ],
      expected: [
        '/rgb/image_raw',
        '/depth_to_rgb/image_raw',
        '/rgb/camera_info',
        '/depth_to_rgb/camera_info',
      ],
    },
    'ZED: one colour of three, confidence is no depth': {
      lines: [
        'image /zed/zed_node/rgb/image_rect_color',
        'info /zed/zed_node/rgb/camera_info',
        'image /zed/zed_node/left/image_rect_color',
        'info /zed/zed_node/left/camera_info',
        'image /zed/zed_node/right/image_rect_color',
        'image /zed/zed_node/depth/depth_registered',
        'info /zed/zed_node/depth/camera_info',
        'image /zed/zed_node/confidence/confidence_map',
      ],
      expected: [
        '/zed/zed_node/rgb/image_rect_color',
        '/zed/zed_node/depth/depth_registered',
        '/zed/zed_node/rgb/camera_info',
        '/zed/zed_node/depth/camera_info',
      ],
    },
    'OAK: the depth is called stereo': {
      lines: [
        'image /oak/rgb/image_raw',
        'info /oak/rgb/camera_info',
        'image /oak/stereo/image_raw',
        'info /oak/stereo/camera_info',
      ],
      expected: [
        '/oak/rgb/image_raw',
        '/oak/stereo/image_raw',
        '/oak/rgb/camera_info',
        '/oak/stereo/camera_info',
      ],
    },
    'compressed transports of both, the plain ones were not recorded': {
      lines: [
        'compressed /camera/color/image_raw/compressed',
        'info /camera/color/camera_info',
        'compressed /camera/depth/image_raw/compressedDepth',
        'info /camera/depth/camera_info',
      ],
      expected: [
        '/camera/color/image_raw/compressed',
        '/camera/depth/image_raw/compressedDepth',
        '/camera/color/camera_info',
        '/camera/depth/camera_info',
      ],
    },
    'plain before compressed when both are whole, the whole one when not': {
      lines: [
        'image /camera/color/image_raw 20',
        'compressed /camera/color/image_raw/compressed 100',
        'info /camera/color/camera_info 100',
        'image /camera/depth/image_raw 99',
        'compressed /camera/depth/image_raw/compressedDepth 100',
        'info /camera/depth/camera_info 100',
      ],
      expected: [
        '/camera/color/image_raw/compressed',
        '/camera/depth/image_raw',
        '/camera/color/camera_info',
        '/camera/depth/camera_info',
      ],
    },
    'a topic without messages does not count': {
      lines: [
        'image /camera/color/image_raw',
        'info /camera/color/camera_info',
        'image /camera/aligned_depth_to_color/image_raw 0',
        'image /camera/depth/image_rect_raw',
        'info /camera/depth/camera_info',
      ],
      expected: [
        '/camera/color/image_raw',
        '/camera/depth/image_rect_raw',
        '/camera/color/camera_info',
        '/camera/depth/camera_info',
      ],
    },
    'depth alone': {
      lines: ['image /camera/depth/image_raw', 'info /camera/depth/camera_info'],
      expected: [undefined, '/camera/depth/image_raw', undefined, '/camera/depth/camera_info'],
    },
  };
  for (const [what, { lines, expected }] of Object.entries(cameras)) {
    it(`knows the habits of drivers: ${what}`, () => {
      const assignment = resolveTopics(topicsOf(...lines, ...TRANSFORMS));
      assert.deepEqual(camera(assignment), expected);
      assert.equal(assignment.isInfoShared, false);
    });
  }

  it('does not depend on the order of the topics', () => {
    const lines = [...cameras['OpenNI: registered depth, raw before rectified'].lines, ...TRANSFORMS];
    const expected = names(resolveTopics(topicsOf(...lines)));
    fc.assert(
      fc.property(fc.shuffledSubarray(lines, { minLength: lines.length }), (shuffled) => {
        assert.deepEqual(names(resolveTopics(topicsOf(...shuffled))), expected);
      }),
      { numRuns: 50 },
    );
  });

  it('shares the only camera info and says so', () => {
    for (const info of ['/camera/rgb/camera_info', '/camera/depth/camera_info', '/camera/camera_info']) {
      const topics = topicsOf('image /camera/rgb/image_raw', 'image /camera/depth/image_raw', `info ${info}`);
      const assignment = resolveTopics([...topics, ...topicsOf(...TRANSFORMS)]);
      assert.deepEqual(camera(assignment).slice(2), [info, info]);
      assert.equal(assignment.isInfoShared, true);
    }
  });

  it('finds transforms under a namespace, and needs only one of the two', () => {
    const depth = ['image /r1/depth/image_raw', 'info /r1/depth/camera_info'];
    const names1 = names(resolveTopics(topicsOf(...depth, 'tf /r1/tf', 'tf /r1/tf_static 1')));
    assert.deepEqual(
      [names1['tf'], names1['tf_static'], names1['odom']],
      ['/r1/tf', '/r1/tf_static', undefined],
    );
    const names2 = names(resolveTopics(topicsOf(...depth, 'tf /tf_static 1')));
    assert.deepEqual([names2['tf'], names2['tf_static']], [undefined, '/tf_static']);
  });

  it('takes the usual odometry of several', () => {
    const depth = ['image /depth/image_raw', 'info /depth/camera_info', 'tf /tf'];
    const found = (...odoms: string[]): string | undefined =>
      names(resolveTopics(topicsOf(...depth, ...odoms.map((name) => `odom ${name}`))))['odom'];
    assert.equal(found('/wheel/odom', '/odom', '/odometry/filtered'), '/odom');
    assert.equal(found('/visual_slam', '/odometry/filtered'), '/odometry/filtered');
    assert.equal(found('/visual_slam'), '/visual_slam');
    assert.equal(found(), undefined);
  });

  describe('with two cameras', () => {
    const two = topicsOf(
      ...['head', 'wrist'].flatMap((name) => [
        `image /${name}/color/image_raw`,
        `info /${name}/color/camera_info`,
        `image /${name}/depth/image_raw`,
        `info /${name}/depth/camera_info`,
      ]),
      ...TRANSFORMS,
    );

    it('refuses to choose, names both and says what to set', () => {
      const error = failure(two);
      assert.equal(error.key, 'depth');
      assert.match(error.message, /\/head\/depth\/image_raw, \/wrist\/depth\/image_raw/);
      assert.match(error.message, /--topics depth=<topic>/);
      for (const { name } of two) assert.ok(error.message.includes(`  ${name} `), name);
      assert.match(error.message, /sensor_msgs\/msg\/CameraInfo\s+10 messages/);
    });

    it('takes the rest of the camera of which one topic is given', () => {
      const wrist = [
        '/wrist/color/image_raw',
        '/wrist/depth/image_raw',
        '/wrist/color/camera_info',
        '/wrist/depth/camera_info',
      ];
      assert.deepEqual(camera(resolveTopics(two, { depth: '/wrist/depth/image_raw' })), wrist);
      assert.deepEqual(camera(resolveTopics(two, { color: '/wrist/color/image_raw' })), wrist);
    });
  });

  describe('with topics that the user gives', () => {
    const topics = topicsOf(
      'image /a/picture',
      'compressed /camera/depth/image_raw/compressedDepth',
      'info /camera/depth/camera_info',
      'info /camera/other_info',
      ...TRANSFORMS,
      'tf /robot/transforms',
    );

    it('takes them before any guess, also by the name of the picture without its transport', () => {
      const assigned = names(
        resolveTopics(topics, {
          color: '/a/picture',
          depth: '/camera/depth/image_raw',
          color_info: '/camera/other_info',
          tf: '/robot/transforms',
          odom: 'none',
        }),
      );
      assert.deepEqual(assigned, {
        color: '/a/picture',
        depth: '/camera/depth/image_raw/compressedDepth',
        color_info: '/camera/other_info',
        depth_info: '/camera/depth/camera_info',
        tf: '/robot/transforms',
        tf_static: '/tf_static',
      });
    });

    it('refuses a topic that is not there or has another type', () => {
      assert.match(
        failure(topics, { depth: '/nowhere' }).message,
        /depth: the recording has no topic \/nowhere/,
      );
      const wrong = failure(topics, { depth_info: '/tf' });
      assert.match(
        wrong.message,
        /\/tf has type tf2_msgs\/msg\/TFMessage, but sensor_msgs\/CameraInfo is needed/,
      );
      assert.equal(wrong.key, 'depth_info');
    });
  });

  it('names the key of what is missing', () => {
    const depth = topicsOf('image /camera/depth/image_raw');
    const info = topicsOf('info /camera/depth/camera_info');
    const tf = topicsOf('tf /tf');
    assert.equal(failure([]).key, 'depth');
    assert.match(failure([]).message, /has no topics/);
    assert.equal(failure([...info, ...tf]).key, 'depth');
    assert.equal(failure([...depth, ...tf]).key, 'depth_info');
    assert.equal(failure([...depth, ...info]).key, 'tf');
    const odd = topicsOf('std_msgs/msg/String /camera/depth/image_raw');
    assert.equal(failure([...odd, ...info, ...tf]).key, 'depth');
  });
});

describe('parseTopicOverrides', () => {
  it('reads keys and topics, with spaces and empty parts around', () => {
    assert.deepEqual(parseTopicOverrides('depth=/a/b, tf_static = /tf_static,,odom=none'), {
      depth: '/a/b',
      tf_static: '/tf_static',
      odom: 'none',
    });
    assert.deepEqual(parseTopicOverrides(''), {});
  });

  it('refuses unknown keys, missing topics and repetitions, and lists the keys', () => {
    for (const text of ['colour=/a', 'depth', 'depth=', 'depth=/a=b', 'toString=/a']) {
      assert.throws(
        () => parseTopicOverrides(text),
        /color, depth, color_info, depth_info, tf, tf_static, odom/,
      );
    }
    assert.throws(() => parseTopicOverrides('tf=/a,tf=/b'), /tf is given twice/);
  });
});

describe('topics of a detector', () => {
  const CAMERA = [
    'image /camera/color/image_raw',
    'image /camera/depth/image_raw',
    'info /camera/color/camera_info',
    'info /camera/depth/camera_info',
    ...TRANSFORMS,
  ];
  const told = (lines: string[], overrides = {}, wishes = { detections: true }): (string | undefined)[] => {
    const { detections, instances, color } = names(
      resolveTopics(topicsOf(...CAMERA, ...lines), overrides, wishes),
    );
    assert.equal(color, '/camera/color/image_raw');
    return [detections, instances];
  };
  const refusal = (lines: string[], overrides = {}): string => {
    try {
      told(lines, overrides);
    } catch (error) {
      return String(error);
    }
    throw new Error('topics were resolved');
  };

  it('are left alone unless they are wanted', () => {
    const lines = ['boxes /yolo/detections', 'image /camera/instances'];
    assert.deepEqual(told(lines, {}, { detections: false }), [undefined, undefined]);
    assert.deepEqual(told(lines), ['/yolo/detections', '/camera/instances']);
  });

  it('are wanted when one is given', () => {
    const lines = ['boxes /yolo/detections', 'image /yolo/mask_ids'];
    const instances = '/yolo/mask_ids';
    assert.deepEqual(told(lines, { instances }, { detections: false }), ['/yolo/detections', instances]);
    assert.deepEqual(told(lines, { instances, detections: 'none' }), [undefined, instances]);
  });

  it('are those nearest to the camera by name, of several cameras', () => {
    assert.deepEqual(told(['boxes /rear/detections', 'boxes /camera/detections']), [
      '/camera/detections',
      undefined,
    ]);
  });

  it('are asked for when there are several or none, with what the recording has', () => {
    const two = refusal(['boxes /yolo/detections', 'boxes /dino/detections']);
    assert.match(
      two,
      /Several topics with detections: \/yolo\/detections, \/dino\/detections\..*--topics detections=/,
    );
    for (const lines of [[], ['image /yolo/annotated'], ['boxes /yolo/detections 0']]) {
      const none = refusal(lines);
      assert.match(
        none,
        /No topic with detections was found.*--topics detections=[^]*\/camera\/color\/image_raw/,
      );
    }
    assert.match(refusal(['boxes /yolo/detections'], { detections: 'none' }), /No topic with detections/);
    assert.match(
      refusal([], { detections: '/odom' }),
      /\/odom has type nav_msgs\/msg\/Odometry, but vision_msgs/,
    );
  });
});
