import assert from 'node:assert/strict';
import { formatCounts, isClean, killTest, type KillCounts } from '../../scripts/kill/killTest.js';
import { temporaryFolder } from '../fixtures/temporaryFolder.js';

/** The short form of `npm run kill-test`. */
describe('a replay with executions that is killed again and again', function () {
  this.timeout(180_000);
  this.slow(60_000);
  const folder = temporaryFolder();
  let counts: KillCounts;
  before(async () => {
    counts = await killTest({ kills: 6, seed: 7, folder: folder.path('kill') });
  });

  it('loses no answered execution, applies none twice, and names nothing anew', () => {
    assert.equal(counts.kills, 6);
    assert.ok(counts.answered > 5 && counts.repeated > 5 && counts.refs > 3, formatCounts(counts));
    assert.ok(isClean(counts), formatCounts(counts));
  });
});
