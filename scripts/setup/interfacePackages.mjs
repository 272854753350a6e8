// The packages of messages and services that are built from this checkout.

import * as fs from 'node:fs';
import { join, relative } from 'node:path';
import { command, findTool, hasTool } from './command.mjs';
import { ROOT, hash, hashTree, remove, stampFile } from './files.mjs';
import { requireCompiler } from './machine.mjs';
import * as ros from './rosEnvironment.mjs';

/** Ours, and those two that a ROS 2 may lack. */
export function interfacePackages(sourced) {
  const prefixes = sourced?.prefixes ?? [];
  const lacking = ['tf2_msgs', 'vision_msgs'].filter(
    (name) => !prefixes.some((prefix) => ros.prefixHasPackage(prefix, name)),
  );
  return [...lacking, 'rgbd_scene_graph'];
}

export function interfaceSources(name) {
  if (name !== 'rgbd_scene_graph') return [join(ROOT, 'interfaces', name)];
  return ['msg', 'srv', 'package.xml', 'CMakeLists.txt'].map((path) => join(ROOT, path));
}

export function interfacePackage(name, underlay) {
  const folders = ros.rosFolders(ROOT);
  const prefix = join(folders.install, name);
  const buildFolder = join(folders.build, name);
  const stamp = stampFile(
    join(prefix, '.setup-stamp'),
    hash([underlay, ROOT, hashTree(interfaceSources(name))]),
  );
  return {
    title: `messages and services of ${name}`,
    isDone: stamp.holds,
    async run() {
      requireCompiler();
      remove(prefix);
      remove(buildFolder);
      const source = copySources(name, join(folders.ros, 'src', name));
      const env = ros.underlayEnvironment(ROOT);
      const cmake = findTool('cmake', env, 'Install cmake (it comes with the ROS 2 development tools).');
      const settings = [`-DCMAKE_INSTALL_PREFIX=${prefix}`, '-DBUILD_TESTING=OFF', '-Wno-dev'];
      settings.push('-DFOR_CHECKOUT=ON');
      if (hasTool('ninja', env)) settings.push('-G', 'Ninja');
      await command(`${name}-configure`, cmake, ['-S', source, '-B', buildFolder, ...settings], { env });
      await command(`${name}-build`, cmake, ['--build', buildFolder, '--parallel', '--target', 'install'], {
        env,
      });
      stamp.write();
    },
  };
}

/** CMake refuses a source folder that the Python it uses lies in, as .ros/venv lies in this checkout: hence a copy. */
function copySources(name, folder) {
  remove(folder);
  fs.mkdirSync(folder, { recursive: true });
  if (name !== 'rgbd_scene_graph') fs.cpSync(join(ROOT, 'interfaces', name), folder, { recursive: true });
  else
    for (const path of interfaceSources(name))
      fs.cpSync(path, join(folder, relative(ROOT, path)), { recursive: true });
  return folder;
}
