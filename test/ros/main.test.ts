import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { loadRos } from './support/ros.js';
import { waitFor } from './support/waitFor.js';

interface Running {
  readonly child: ChildProcess;
  readonly output: () => string;
  readonly ended: Promise<{ readonly code: number | null; readonly signal: string | null }>;
}

describe('C53 the process', () => {
  before(async function () {
    await loadRos(this);
  });

  function run(...options: readonly string[]): Running {
    const argv = ['--import', 'tsx', 'src/main.ts', '--ros-args', ...options];
    const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'pipe'] });
    let text = '';
    child.stdout?.on('data', (chunk: Buffer) => (text += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => (text += chunk.toString()));
    const ended = new Promise<{ code: number | null; signal: string | null }>((resolve) => {
      child.on('exit', (code, signal) => resolve({ code, signal }));
    });
    return { child, output: () => text, ended };
  }

  const endings: Readonly<Record<string, (child: ChildProcess) => void>> = {
    SIGINT: (child) => child.kill('SIGINT'),
    SIGTERM: (child) => child.kill('SIGTERM'),
    'SIGINT twice at once': (child) => {
      child.kill('SIGINT');
      setTimeout(() => child.kill('SIGINT'), 50);
    },
  };
  for (const [what, end] of Object.entries(endings)) {
    it(`ends with code 0 within 2 s on ${what}, before any frame`, async () => {
      const { child, output, ended } = run();
      try {
        await waitFor('the node to be ready', 18_000, () => output().includes('is ready'));
        const asked = performance.now();
        end(child);
        const { code, signal } = await ended;
        assert.deepEqual({ code, signal }, { code: 0, signal: null }, output());
        assert.ok(performance.now() - asked < 2000, `${performance.now() - asked} ms`);
        assert.doesNotMatch(output(), /\/(home|work|tmp|usr)\//, 'no local path in the log');
      } finally {
        child.kill('SIGKILL');
      }
    });
  }

  it('ends with code 1 and one sentence on a parameter that cannot be', async () => {
    const { output, ended } = run('-p', 'sync.queue_size:=0');
    assert.equal((await ended).code, 1);
    assert.match(output(), /sync\.queue_size: expected an integer in \[2, 1000\], found 0/);
    assert.doesNotMatch(output(), /\n\s+at /);
  });
});
