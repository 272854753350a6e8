import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { Simulation } from '../../src/simulate/Simulation.js';
import { pictureDetections } from '../../src/simulate/pictureDetections.js';
import { lookScript, TABLE_Z } from '../fixtures/tableLook.js';
import { temporaryFolder } from '../fixtures/temporaryFolder.js';
import { at, bowl, mug } from '../../src/simulate/things.js';
import { startPython } from './support/python.js';
import { loadRos } from './support/ros.js';
import type { RosModules } from './support/ros.js';

interface Seen {
  readonly labels: readonly string[];
  /** Level and message of the status `detector`. */
  readonly detector: readonly [number, string];
  /** Values of the status `detections`. */
  readonly detections: Readonly<Record<string, string>>;
}

const THINGS = [
  mug('mug', at(-0.3, 0, TABLE_Z), [60, 96, 168]),
  bowl('bowl', at(0.25, 0, TABLE_Z), [232, 228, 216]),
];

describe('a camera and a detector that are rclpy’s', function () {
  this.timeout(60_000);
  const folder = temporaryFolder();
  let ros: RosModules;

  before(async function () {
    ros = await loadRos(this);
    await writeLook();
  });

  /** One look at the table, for a client that knows only bytes. */
  async function writeLook(): Promise<void> {
    const [picture] = new Simulation(lookScript(THINGS)).pictures();
    const { colorCamera, map_T_color } = picture;
    const [said] = pictureDetections(picture, 'boxes');
    assert.ok(said.kind === 'detections');
    const detections = said.detections.detections
      .filter(({ hypotheses }) => ['cup', 'bowl'].includes(hypotheses[0].classId))
      .map(({ hypotheses: [{ classId, score }], center: [x, y], size: [w, h] }) => {
        return [classId, score, [x - w / 2, y - h / 2, x + w / 2, y + h / 2]];
      });
    assert.equal(detections.length, THINGS.length);
    const { width, height, fx, fy, cx, cy } = colorCamera;
    const look = { width, height, pinhole: [fx, fy, cx, cy], ...map_T_color, detections };
    await writeFile(folder.path('look.json'), JSON.stringify(look));
    await writeFile(folder.path('rgb'), picture.rgb);
    await writeFile(folder.path('depth'), Buffer.from(picture.depthMm.buffer));
  }

  async function play(stamps: 'copied' | 'between'): Promise<Seen> {
    const node = await ros.SceneGraphNode.start([
      '--ros-args',
      '-p',
      'detector.source:=topic',
      '-p',
      'detector.tolerance_s:=0.01',
    ]);
    const python = startPython('rclpy_detections.py', folder.path('.'), stamps);
    try {
      const seen = JSON.parse(await python.ended) as Seen;
      assert.deepEqual([...node.faults], []);
      return seen;
    } finally {
      python.child.kill('SIGKILL');
      await node.stop();
    }
  }

  it('give the Brief its names', async () => {
    const { labels, detector } = await play('copied');
    assert.ok(labels.includes('cup') && labels.includes('bowl'), labels.join());
    assert.deepEqual(detector, [0, 'what is said finds its pictures']);
  });

  it('are told why nothing is named when detections have other stamps than pictures', async () => {
    const { labels, detector, detections } = await play('between');
    assert.deepEqual(
      labels.filter((label) => label === 'cup' || label === 'bowl'),
      [],
    );
    assert.match(detector[1], /^\d+ detections, none within 0\.01 s of a colour picture$/);
    assert.equal(detector[0], 1);
    assert.ok(Number(detections['dropped_no_picture']) > 0, JSON.stringify(detections));
  });
});
