// Node modules in C++: compiling them with this machine's headers, and seeing that they load.

import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { command } from './command.mjs';
import { nodeHeaders, requireCompiler } from './machine.mjs';
import { rosFolders } from './rosEnvironment.mjs';
import { SetupProblem } from './SetupProblem.mjs';

/** What a compiled module depends on besides its sources. */
export function nodeAbi() {
  return `${process.arch}-${process.versions.modules}`;
}

/** Compiles the module in a folder of a tree. */
export async function nodeGyp(log, tree, folder, env) {
  requireCompiler();
  const npmFolder = process.env.npm_execpath ? dirname(dirname(process.env.npm_execpath)) : undefined;
  const candidates = [tree, npmFolder, '/usr/lib/node_modules/npm'].filter(Boolean);
  const program = candidates
    .map((path) => join(path, 'node_modules/node-gyp/bin/node-gyp.js'))
    .find((path) => fs.existsSync(path));
  if (!program)
    throw new SetupProblem('node-gyp was not found; it comes with npm. Reinstall Node with its npm.');
  const settings = { npm_config_nodedir: nodeHeaders() };
  // node-gyp needs some Python 3; the machine may have none but the one of the wheels.
  const python = join(rosFolders(tree).venv, 'bin/python');
  if (fs.existsSync(python)) settings.npm_config_python = python;
  await command(log, process.execPath, [program, 'rebuild', '--release', '-j', 'max'], {
    tree,
    cwd: folder,
    env: { ...env, ...settings },
  });
}

/** Loads a compiled module in a process of its own: loading rclnodejs itself would start its own rebuild on failure. */
export function loads(binary, env = process.env) {
  if (!binary || !fs.existsSync(binary)) return false;
  return loadError(binary, env) === undefined;
}

export function requireLoads(binary, env) {
  const error = loadError(binary, env);
  if (error)
    throw new SetupProblem(`${relative(process.cwd(), binary)} was compiled but cannot be loaded: ${error}`);
}

function loadError(binary, env) {
  const script = 'process.dlopen({ exports: {} }, process.argv[1])';
  try {
    execFileSync(process.execPath, ['-e', script, binary], { env, stdio: ['ignore', 'ignore', 'pipe'] });
    return undefined;
  } catch (error) {
    return /Error: (.*)/.exec(String(error.stderr))?.[1] ?? error.message;
  }
}
