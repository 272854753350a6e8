#!/usr/bin/env node
// Sets up what is missing, then runs something in the environment that it needs:
//   start [args]          the demo (npm start -- --bag FILE)
//   test [mocha's args]   unit and ROS tests, closed by a line "N passed, N failed"
//   exec COMMAND [args]   any command

import { randomInt } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rosEnvironment } from './setup/rosEnvironment.mjs';
import { runMain, setUp } from './setup.mjs';
import { passOn } from './setup/passOn.mjs';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

/** ROS 2 on this machine alone, with room for images in shared memory. What the user has set stays. */
function localEnvironment() {
  return {
    FASTDDS_DEFAULT_PROFILES_FILE: join(ROOT, 'config/fastdds.xml'),
    ROS_AUTOMATIC_DISCOVERY_RANGE: 'LOCALHOST',
    ...rosEnvironment(ROOT),
  };
}

async function start(args) {
  const main = join(ROOT, 'dist/cli/main.js');
  // Paths that the user types are meant from where the user stands, which npm leaves.
  const cwd = process.env.INIT_CWD ?? process.cwd();
  return passOn(process.execPath, [main, 'demo', ...args], { cwd, env: localEnvironment() });
}

/** Each run has a domain of its own: neither another run nor a robot on this network may be heard. */
async function test(args) {
  const folder = mkdtempSync(join(tmpdir(), 'rgbd-scene-graph-test-'));
  const summary = join(folder, 'summary');
  const env = {
    ...localEnvironment(),
    ROS_AUTOMATIC_DISCOVERY_RANGE: 'LOCALHOST',
    ROS_DOMAIN_ID: String(randomInt(1, 102)),
    TEST_SUMMARY_FILE: summary,
  };
  const specs = args.some((arg) => arg.endsWith('.test.ts')) ? [] : ['test/**/*.test.ts'];
  const forbidOnly = process.env.CI ? ['--forbid-only'] : [];
  const mocha = join(ROOT, 'node_modules/mocha/bin/mocha.js');
  try {
    const code = await passOn(process.execPath, [mocha, ...forbidOnly, ...args, ...specs], {
      cwd: ROOT,
      env,
    });
    console.log(readSummary(summary));
    return code;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Without a summary the run ended before its tests did, which counts as a failure. */
function readSummary(file) {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return '0 passed, 1 failed';
  }
}

await runMain(async () => {
  const [what, ...rest] = process.argv.slice(2);
  const args = rest[0] === '--' ? rest.slice(1) : rest;
  await setUp();
  if (what === 'start') process.exitCode = await start(args);
  else if (what === 'test') process.exitCode = await test(args);
  else if (what === 'exec' && args.length > 0) {
    process.exitCode = await passOn(args[0], args.slice(1), { env: localEnvironment() });
  } else {
    console.error('usage: with-setup.mjs start [args] | test [args] | exec COMMAND [args]');
    process.exitCode = 2;
  }
});
