// What the machine must have, and a sentence for each thing that it lacks.

import * as fs from 'node:fs';
import { dirname, join } from 'node:path';
import { hasTool, tryCapture } from './command.mjs';
import { readIfThere } from './files.mjs';
import { SetupProblem } from './SetupProblem.mjs';

const MIN_NODE = [20, 20, 2];

export function requireNode() {
  const have = process.versions.node.split('.').map(Number);
  const difference = MIN_NODE.map((wanted, i) => have[i] - wanted).find((d) => d !== 0) ?? 0;
  if (difference < 0) {
    throw new SetupProblem(
      `Node ${process.versions.node} is too old: install Node ${MIN_NODE.join('.')} or newer.`,
    );
  }
}

/** The folder that holds include/node/node_version.h of this very version of Node. */
export function nodeHeaders() {
  const given = process.env.npm_config_nodedir;
  const candidates = [
    given,
    dirname(dirname(fs.realpathSync(process.execPath))),
    '/usr',
    '/usr/local',
  ].filter(Boolean);
  for (const folder of candidates) {
    const text = readIfThere(join(folder, 'include/node/node_version.h'));
    const version = ['MAJOR', 'MINOR', 'PATCH'].map(
      (part) => new RegExp(`NODE_${part}_VERSION (\\d+)`).exec(text)?.[1],
    );
    if (version.join('.') === process.versions.node) return folder;
  }
  throw new SetupProblem(
    `The C++ headers of Node ${process.versions.node} were not found (looked in ${candidates.join(', ')}, each with ` +
      'include/node). Install them or set npm_config_nodedir to the folder that has them.',
  );
}

export function requireCompiler() {
  const missing = ['c++', 'make'].filter((tool) => !hasTool(tool, process.env));
  if (missing.length > 0) {
    throw new SetupProblem(
      `No C++ compiler (${missing.join(' and ')} not found). On Debian or Ubuntu: apt install build-essential.`,
    );
  }
}

/** A Python 3.12 that can make environments and has its headers. A shim of that name may exist and yet fail. */
export function findPython312() {
  const pyenv = join(process.env.PYENV_ROOT ?? join(process.env.HOME ?? '/', '.pyenv'), 'versions');
  const ofPyenv = fs.existsSync(pyenv) ? fs.readdirSync(pyenv).filter((name) => name.startsWith('3.12')) : [];
  const candidates = ['python3.12', 'python3'];
  candidates.push(
    ...ofPyenv.map((name) => join(pyenv, name, 'bin/python3.12')),
    tryCapture('uv', ['python', 'find', '3.12']),
  );
  const query =
    'import sys, os, sysconfig, ensurepip, venv\nassert sys.version_info[:2] == (3, 12)\nprint(sys.executable)';
  for (const candidate of candidates.filter(Boolean)) {
    const python = tryCapture(candidate, ['-c', query]);
    if (!python) continue;
    const include = tryCapture(python, ['-c', 'import sysconfig; print(sysconfig.get_path("include"))']);
    if (include && fs.existsSync(join(include, 'Python.h'))) return python;
  }
  throw new SetupProblem(
    'No Python 3.12 with venv and headers was found: not on PATH, not in pyenv, not through uv. ROS 2 as wheels needs ' +
      'exactly 3.12 (apt install python3.12-venv python3.12-dev, pyenv install 3.12, or uv python install 3.12). ' +
      'Or source a ROS 2 installation, or set up with --offline-only.',
  );
}
