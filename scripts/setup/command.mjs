// Running programs for the set-up: each with its output in a file, each ended with everything it started.

import { execFileSync, spawn } from 'node:child_process';
import * as fs from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { ROOT, readIfThere } from './files.mjs';
import { SetupProblem } from './SetupProblem.mjs';
import * as ros from './rosEnvironment.mjs';

let runningChild;

/** Runs a command with its output in .ros/logs/<log>.log; failing, it says why in one sentence and shows the end. */
export async function command(
  log,
  program,
  args,
  { tree = ROOT, cwd = tree, env = process.env, timeoutS = 1800 } = {},
) {
  const file = join(ros.rosFolders(tree).logs, `${log}.log`);
  fs.mkdirSync(dirname(file), { recursive: true });
  const output = fs.openSync(file, 'w');
  // A process group of its own, so that everything it started can be ended with it.
  const child = spawn(program, args, {
    cwd,
    env,
    detached: true,
    stdio: ['ignore', output, output],
  });
  runningChild = child;
  const timer = setTimeout(() => endGroup(child.pid), timeoutS * 1000);
  const outcome = await new Promise((done) => {
    child.on('error', (error) => done(error.message));
    child.on('close', (code, signal) => done(code === 0 ? undefined : `exit ${code ?? signal}`));
  });
  clearTimeout(timer);
  runningChild = undefined;
  fs.closeSync(output);
  if (outcome === undefined) return;
  const text = readIfThere(file);
  const tail = text.trimEnd().split('\n').slice(-15).join('\n');
  throw new SetupProblem(
    `${explainFailure(text) ?? `${program} failed (${outcome}).`}\n${tail}\n(all of it: ${relative(process.cwd(), file)})`,
  );
}

export async function succeeds(...args) {
  return command(...args).then(
    () => true,
    () => false,
  );
}

function explainFailure(text) {
  if (/ENOSPC|No space left on device/.test(text)) return 'The disk is full.';
  const network =
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|NewConnectionError|Failed to establish a new connection|Temporary failure in name resolution|Read timed out|ProxyError/;
  if (network.test(text))
    return 'The package registry cannot be reached: no network, or a proxy is in the way.';
  return undefined;
}

function endGroup(pid) {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

export function capture(program, args) {
  return execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim();
}

export function tryCapture(program, args) {
  try {
    return execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return undefined;
  }
}

export function hasTool(name, env) {
  return (env.PATH ?? '').split(':').some((folder) => folder !== '' && fs.existsSync(join(folder, name)));
}

export function findTool(name, env, advice) {
  const folder = (env.PATH ?? '')
    .split(':')
    .find((entry) => entry !== '' && fs.existsSync(join(entry, name)));
  if (!folder) throw new SetupProblem(`${name} was not found. ${advice}`);
  return join(folder, name);
}

/** Ends the command that runs now, with everything it has started. */
export function endRunningCommand() {
  if (runningChild) endGroup(runningChild.pid);
}

/** Progress and problems; standard output belongs to what is run afterwards. */
export function say(line) {
  process.stderr.write(`set-up: ${line}\n`);
}
