// One set-up at a time in a checkout, and none that a killed one left behind.

import * as fs from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { say } from './command.mjs';
import { ROOT, hash, remove } from './files.mjs';
import * as ros from './rosEnvironment.mjs';

/** Set in the environment of every program that the set-up starts. */
const RUN_MARK = 'RGBD_SCENE_GRAPH_SETUP_OF';

/** Only one set-up at a time works in a checkout. The lock is a socket's name, which no death can leave behind. */
export async function withLock(work) {
  const name = `\0rgbd-scene-graph-setup-${hash([fs.realpathSync(ROOT)]).slice(0, 16)}`;
  const server = createServer();
  for (let told = false; ; told = true) {
    const taken = await new Promise((done, fail) => {
      server.once('error', (error) => (error.code === 'EADDRINUSE' ? done(true) : fail(error)));
      server.listen(name, () => done(false));
    });
    if (!taken) break;
    server.removeAllListeners();
    if (!told) say('another set-up works in this checkout; waiting for it …');
    await new Promise((done) => setTimeout(done, 300));
  }
  try {
    return await work();
  } finally {
    server.close();
  }
}

/** A set-up that was killed leaves its commands running; with the lock held, any that is still there is such a one. */
export function endLeftovers() {
  const running = join(ros.rosFolders(ROOT).ros, 'running');
  if (fs.existsSync(running)) {
    for (const pid of fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      if (marksOurRun(pid)) killQuietly(Number(pid));
    }
  }
  fs.mkdirSync(dirname(running), { recursive: true });
  fs.writeFileSync(running, '');
  process.env[RUN_MARK] = ROOT;
  return () => {
    delete process.env[RUN_MARK];
    remove(running);
  };
}

function marksOurRun(pid) {
  try {
    return (
      Number(pid) !== process.pid &&
      fs.readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(`${RUN_MARK}=${ROOT}`)
    );
  } catch {
    return false; // it has ended, or is not ours to read
  }
}

function killQuietly(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}
