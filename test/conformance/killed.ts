/** Item 6 of the check-list where it hurts most, as a suite for any door whose process can be killed. */
import assert from 'node:assert/strict';
import type { ConfirmedExecution, ExecutionAnswer } from '../../src/protocol/index.js';
import { temporaryFolder } from '../fixtures/temporaryFolder.js';

/** A door in a process of its own that keeps its graph in a file. */
export interface KillableDoor {
  apply(call: ConfirmedExecution): Promise<ExecutionAnswer>;
  executionHash(): Promise<string>;
  /** kill -9; resolves when the process is gone. */
  kill(): Promise<void>;
}

export function describeKilled(
  name: string,
  /** A call that succeeds in a graph that was just opened for the first time. */
  call: Omit<ConfirmedExecution, 'executionId'>,
  open: (this: Mocha.Context, file: string) => Promise<KillableDoor>,
): void {
  describe(`the contract through ${name} that is killed`, function () {
    this.timeout(120_000);
    this.slow(30_000);
    const folder = temporaryFolder();

    it('6. applies a success exactly once: across kill -9 and restart', async function () {
      const file = folder.path('scene.db');
      const execution = { ...call, executionId: 'conformance-killed' };
      const first = await open.call(this, file);
      const answer = await first.apply(execution);
      assert.ok(answer.success && !answer.alreadyApplied, JSON.stringify(answer));
      const hash = await first.executionHash();
      await first.kill();
      for (const round of [1, 2]) {
        const again = await open.call(this, file);
        try {
          assert.equal(await again.executionHash(), hash, `after restart ${round}`);
          const calls = Array.from({ length: 10 }, () => again.apply({ ...execution, arguments: {} }));
          for (const repeated of await Promise.all(calls))
            assert.deepEqual(repeated, { ...answer, alreadyApplied: true });
          assert.equal(await again.executionHash(), hash, `after repeats ${round}`);
          const other = await again.apply({
            ...execution,
            executionId: `another-${round}`,
            evaluatorVerdict: 'failure',
          });
          assert.ok(!other.success && other.kind === 'verdict_not_success');
        } finally {
          await again.kill();
        }
      }
    });
  });
}
