import assert from 'node:assert/strict';
import { perceive } from '../../src/perceive/perceive.js';
import { defaultParameters } from '../../src/pipeline/parameterSet.js';
import { perceiveParameters } from '../../src/pipeline/sceneParameters.js';
import { WorkerPerceiver } from '../../src/pipeline/WorkerPerceiver.js';
import { scriptNamed } from '../../src/simulate/scriptNamed.js';
import { simulateFrames } from '../../src/simulate/simulateFrames.js';
import { metresOf } from '../../src/camera/metresOf.js';

describe('WorkerPerceiver', function () {
  this.timeout(30_000);
  const parameters = perceiveParameters(defaultParameters());
  const nothing = { levels: [], uprights: [] };

  function firstFrame() {
    for (const { frame } of simulateFrames(scriptNamed('demo'))) return frame;
    return assert.fail('the script has no frame');
  }

  it('gives the observation that perceiving here gives, and leaves the frame usable', async () => {
    const frame = firstFrame();
    const here = perceive(frame, nothing, parameters);
    const perceiver = new WorkerPerceiver(parameters);
    assert.deepEqual(await perceiver.perceive(frame, nothing), here);
    assert.equal(metresOf(frame.depth).length, frame.depth.width * frame.depth.height);
    await perceiver.close();
  });

  it('fails a frame that cannot be perceived, and works on', async () => {
    const frame = firstFrame();
    const perceiver = new WorkerPerceiver(parameters);
    await assert.rejects(perceiver.perceive({ ...frame, depth: undefined as never }, nothing), /undefined/);
    assert.ok((await perceiver.perceive(frame, nothing)).structures.length >= 0);
    await perceiver.close();
  });

  it('fails what is open when it is closed', async () => {
    const perceiver = new WorkerPerceiver(parameters);
    const open = perceiver.perceive(firstFrame(), nothing);
    const failed = assert.rejects(open, /closed/);
    await perceiver.close();
    await failed;
  });
});
