import assert from 'node:assert/strict';
import { defaultParameters } from '../../src/pipeline/parameterSet.js';
import type { Parameters } from '../../src/pipeline/parameters.js';
import { listInputs } from '../../src/ros/inputs.js';
import type { InputSpec } from '../../src/ros/inputs.js';
import type { QosProfile } from '../../src/ros/rosTypes.js';
import { encodeTestImage } from './support/encodeTestImage.js';
import { loadRos } from './support/ros.js';
import type { RosModules } from './support/ros.js';
import { RosProbe } from './support/RosProbe.js';
import { testPipeline } from './support/testPipeline.js';
import { waitFor } from './support/waitFor.js';

function resolver(remaps: Readonly<Record<string, string>>, namespace = '') {
  return {
    resolveTopicName(name: string, onlyExpand = false): string {
      const expanded = name.startsWith('/') ? name : `${namespace}/${name}`;
      return onlyExpand ? expanded : (remaps[expanded] ?? expanded);
    },
  };
}

function topicsOf(specs: readonly InputSpec[]): Record<string, string[]> {
  return Object.fromEntries(
    specs.map(({ kind, camera, transports }) => [
      camera === '' ? kind : `${camera} ${kind}`,
      transports.map(({ topic }) => topic),
    ]),
  );
}

function withInput(input: Partial<Parameters['input']>, cameras: readonly string[] = []): Parameters {
  const parameters = defaultParameters();
  return { ...parameters, cameras, input: { ...parameters.input, ...input } };
}

describe('listInputs', () => {
  it('names one unprefixed camera below the namespace, transforms globally', () => {
    assert.deepEqual(topicsOf(listInputs(resolver({}, '/robot1'), withInput({}))), {
      color: ['/robot1/color/image_raw', '/robot1/color/image_raw/compressed'],
      color_info: ['/robot1/color/camera_info'],
      depth: ['/robot1/depth/image_raw', '/robot1/depth/image_raw/compressedDepth'],
      depth_info: ['/robot1/depth/camera_info'],
      tf: ['/tf'],
      tf_static: ['/tf_static'],
      odom: ['/robot1/odom'],
    });
  });

  it('follows a remapped base with its compressed form and its sibling camera info', () => {
    const topics = topicsOf(
      listInputs(resolver({ '/depth/image_raw': '/cam/aligned/image' }), withInput({})),
    );
    assert.deepEqual(topics['depth'], ['/cam/aligned/image', '/cam/aligned/image/compressedDepth']);
    assert.deepEqual(topics['depth_info'], ['/cam/aligned/camera_info']);
    assert.deepEqual(topics['color_info'], ['/color/camera_info']);
  });

  it('lets the remapping of a follower win over following', () => {
    const remaps = {
      '/color/image_raw': '/cam/rgb',
      '/color/camera_info': '/info',
      '/color/image_raw/compressed': '/jpg',
    };
    const topics = topicsOf(listInputs(resolver(remaps), withInput({})));
    assert.deepEqual(topics['color'], ['/cam/rgb', '/jpg']);
    assert.deepEqual(topics['color_info'], ['/info']);
  });

  it('listens to what a detector says, camera by camera, where that is the source', () => {
    const { detector, ...rest } = withInput({}, ['front', 'rear']);
    const parameters = { ...rest, detector: { ...detector, source: 'topic' as const } };
    const topics = topicsOf(listInputs(resolver({ '/front/detections': '/yolo/detections' }), parameters));
    assert.deepEqual(topics['front detections'], ['/yolo/detections']);
    assert.deepEqual(topics['rear detections'], ['/rear/detections']);
    assert.deepEqual(topics['rear instances'], ['/rear/instances']);
  });

  it('keeps to the transport that is set, and prefixes named cameras', () => {
    const specs = listInputs(resolver({}), withInput({ transport: 'compressed' }, ['front', 'back']));
    const topics = topicsOf(specs);
    assert.deepEqual(topics['front color'], ['/front/color/image_raw/compressed']);
    assert.deepEqual(topics['back depth'], ['/back/depth/image_raw/compressedDepth']);
    const raw = topicsOf(listInputs(resolver({}), withInput({ transport: 'raw' })));
    assert.deepEqual(raw['color'], ['/color/image_raw']);
  });
});

describe('C38 pictures arrive', () => {
  let ros: RosModules;
  let probe: RosProbe;

  before(async function () {
    ros = await loadRos(this);
    probe = await RosProbe.start(ros);
  });
  after(() => probe?.stop());

  const image = 'sensor_msgs/msg/Image';

  for (const reliability of ['reliable', 'best_effort'] as const) {
    for (const order of ['before', 'after'] as const) {
      it(`from a ${reliability} publisher that starts ${order} the node`, async () => {
        const name = `${reliability}_${order}`;
        const qos: QosProfile = { reliability, durability: 'volatile', depth: 5 };
        const publish = () => probe.publisher(image, `/${name}/color/image_raw`, qos);
        const early = order === 'before' ? publish() : undefined;
        const pipeline = testPipeline();
        const argv = ['--ros-args', '-r', `__ns:=/${name}`];
        const node = await ros.SceneGraphNode.start(argv, { createPipeline: () => pipeline });
        const publisher = early ?? publish();
        let stamp = 1n;
        await waitFor('a picture', 8000, () => {
          publisher.publish(encodeTestImage(stamp++ * 1_000_000_000n));
          return pipeline.pushed.some(({ kind }) => kind === 'color');
        });
        await waitFor('the suiting subscription', 8000, () => {
          publisher.publish(encodeTestImage(stamp++ * 1_000_000_000n));
          const [info] = probe.node.getSubscriptionsInfoByTopic(`/${name}/color/image_raw`);
          return info?.qos_profile.reliability === (reliability === 'reliable' ? 1 : 2);
        });
        const before = pipeline.pushed.length;
        await waitFor('more pictures after it', 8000, () => {
          publisher.publish(encodeTestImage(stamp++ * 1_000_000_000n));
          return pipeline.pushed.length > before;
        });
        await node.stop();
      });
    }
  }

  it('without a gap or a repetition while the subscription changes over', async () => {
    const pipeline = testPipeline();
    const argv = ['--ros-args', '-r', '__ns:=/changeover'];
    const node = await ros.SceneGraphNode.start(argv, { createPipeline: () => pipeline });
    const topic = '/changeover/color/image_raw';
    const publisher = probe.publisher(image, topic, {
      reliability: 'reliable',
      durability: 'volatile',
      depth: 50,
    });
    await waitFor('the first subscription', 8000, () => publisher.subscriptionCount > 0);
    let sent = 0n;
    const isReliable = (): boolean =>
      probe.node.getSubscriptionsInfoByTopic(topic).every((info) => info.qos_profile.reliability === 1);
    await waitFor('the change', 8000, () => {
      publisher.publish(encodeTestImage(++sent));
      return isReliable();
    });
    for (let k = 0; k < 10; k++) publisher.publish(encodeTestImage(++sent));
    const stamps = (): bigint[] =>
      pipeline.pushed.flatMap((message) => (message.kind === 'color' ? [message.image.stamp] : []));
    await waitFor('the last', 5000, () => stamps().at(-1) === sent);
    const arrived = stamps();
    assert.equal(new Set(arrived).size, arrived.length, 'no repetition');
    const lost = arrived.filter(
      (stamp, k) => k > 0 && stamp !== (arrived[k - 1] ?? 0n) + 1n && stamp < sent - 10n,
    );
    assert.deepEqual(lost, [], `after a gap: ${lost.join(', ')} of ${sent}`);
    await node.stop();
  });

  it('in whichever transport is published, and raw ones win when they come', async () => {
    const pipeline = testPipeline();
    const argv = ['--ros-args', '-r', '__ns:=/transports'];
    const node = await ros.SceneGraphNode.start(argv, { createPipeline: () => pipeline });
    const base = '/transports/color/image_raw';
    const qos: QosProfile = { reliability: 'reliable', durability: 'volatile', depth: 5 };
    const compressed = probe.publisher('sensor_msgs/msg/CompressedImage', `${base}/compressed`, qos);
    const forms = (): readonly string[] =>
      pipeline.pushed.map((message) =>
        message.kind === 'color' && 'format' in message.image ? 'jpeg' : 'raw',
      );
    await waitFor('a compressed picture', 8000, () => {
      compressed.publish({ format: 'jpeg', data: [1, 2, 3] });
      return forms().includes('jpeg');
    });
    const raw = probe.publisher(image, base, qos);
    await waitFor('a raw picture', 8000, () => {
      raw.publish(encodeTestImage(1n));
      return forms().includes('raw');
    });
    await node.stop();
  });

  it('broken ones are counted by cause and named in diagnostics, good ones go on', async () => {
    const pipeline = testPipeline();
    const argv = ['--ros-args', '-r', '__ns:=/broken'];
    const node = await ros.SceneGraphNode.start(argv, { createPipeline: () => pipeline });
    const qos: QosProfile = { reliability: 'reliable', durability: 'volatile', depth: 5 };
    const heard = probe.listen<{ status: { name: string; values: { key: string; value: string }[] }[] }>(
      'diagnostic_msgs/msg/DiagnosticArray',
      '/diagnostics',
      qos,
    );
    const publisher = probe.publisher(image, '/broken/color/image_raw', qos);
    const cut = encodeTestImage(1n).subarray(0, 30);
    await waitFor('the cause in diagnostics', 10_000, () => {
      publisher.publish(Buffer.from(cut));
      const values = heard.at(-1)?.status.find(({ name }) => name === 'rgbd_scene_graph: color')?.values;
      return values?.some(({ key, value }) => key === 'last_drop_cause' && value === 'malformed_message');
    });
    await waitFor('a good picture', 5000, () => {
      publisher.publish(encodeTestImage(2n));
      return pipeline.pushed.length > 0;
    });
    assert.equal(node.faults.size, 0);
    await node.stop();
  });
});
