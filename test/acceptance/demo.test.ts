import assert from 'node:assert/strict';
import { scriptNamed } from '../../src/simulate/scriptNamed.js';
import { simulate } from '../../src/simulate/simulate.js';
import { replayed, toldOf, type Replayed } from '../fixtures/replayed.js';
import { temporaryFolder } from '../fixtures/temporaryFolder.js';

/** The demo as `npm start` makes it: simulated, written to a recording, replayed, scored. */
describe('a replay of the demo recording', function () {
  this.timeout(400_000);
  const folder = temporaryFolder();
  let demo: Replayed;
  before(async () => {
    const bag = folder.path('demo.mcap');
    await simulate(scriptNamed('demo'), { out: bag });
    demo = await replayed(bag, folder.path('demo'));
  });

  it('finds at least nine tenths of the things, each within its tolerance', () => {
    assert.ok((demo.evaluation.tolerance.recall.share ?? 0) >= 0.9, toldOf(demo));
  });

  it('makes up at most a tenth of what it finds', () => {
    assert.ok((demo.evaluation.tolerance.precision.share ?? 0) >= 0.9, toldOf(demo));
  });

  it('places things to within 2 cm, by the median', () => {
    assert.ok((demo.evaluation.positionError.medianM ?? Infinity) <= 0.02, toldOf(demo));
  });

  it('has one ref for each object', () => {
    assert.deepEqual(demo.evaluation.duplicates, [], toldOf(demo));
  });

  it('tells at least nine times out of ten what stands on what', () => {
    assert.ok((demo.evaluation.relations.on.share ?? 0) >= 0.9, toldOf(demo));
  });

  it('uses every frame', () => {
    assert.deepEqual(demo.summary.frames, { in: 427, used: 427, dropped: {} });
  });
});
