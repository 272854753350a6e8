// rclnodejs: its binary, and the Node classes of all messages.

import * as fs from 'node:fs';
import { join } from 'node:path';
import { command, hasTool } from './command.mjs';
import { loads, nodeAbi, nodeGyp, requireLoads } from './compiledModules.mjs';
import { hash, lockedVersion, readIfThere, readJson, remove, stampFile } from './files.mjs';
import { SetupProblem } from './SetupProblem.mjs';
import * as ros from './rosEnvironment.mjs';

export function rclnodejsBinary(tree, underlay, rosEnv) {
  const folder = join(tree, 'node_modules/rclnodejs');
  const binary = join(folder, 'build/Release/rclnodejs.node');
  const key = hash([lockedVersion(tree, 'rclnodejs'), underlay, nodeAbi()]);
  const stamp = stampFile(join(folder, 'build/.setup-stamp'), key);
  return {
    title: 'rclnodejs, ready-made or compiled (about half a minute)',
    isDone: stamp.holds,
    async run() {
      requireRclnodejs(folder);
      const env = rosEnv();
      remove(join(folder, 'build'));
      if (!loads(readyMadeRclnodejs(folder, env), env)) {
        await nodeGyp('rclnodejs', tree, folder, withRos2OnPath(tree, env));
        requireLoads(binary, env);
      }
      disarmRebuild(folder);
      stamp.write();
    },
  };
}

/**
 * Loaded where ROS 2 is not in the environment, rclnodejs deletes its binary and its messages and tries to compile
 * itself anew. A clear refusal takes the place of that.
 */
function disarmRebuild(folder) {
  const manifest = join(folder, 'package.json');
  const content = readJson(manifest);
  const text = 'rclnodejs cannot be loaded: this process does not run in the environment of ROS 2';
  content.scripts.rebuild = `node -e "console.error('${text}'); process.exit(1)"`;
  fs.writeFileSync(`${manifest}.new`, JSON.stringify(content, null, 2));
  fs.renameSync(`${manifest}.new`, manifest);
}

/** rclnodejs ships binaries for some pairs of Ubuntu and ROS 2, and its loader prefers them by this name. */
function readyMadeRclnodejs(folder, env) {
  const codename = /^VERSION_CODENAME=(\w+)/m.exec(readIfThere('/etc/os-release'))?.[1];
  const prebuilds = join(folder, 'prebuilds', `linux-${process.arch}`);
  if (!codename || !fs.existsSync(prebuilds)) return undefined;
  const name = fs
    .readdirSync(prebuilds)
    .find((file) => file.startsWith(`${env.ROS_DISTRO}-${codename}-${process.arch}-node`));
  return name && join(prebuilds, name);
}

/**
 * rclnodejs looks for ROS 2 beside the command ros2, which the wheels and a minimal installation lack: for its build
 * that command is put into a folder of ours, with lib and include beside it.
 */
function withRos2OnPath(tree, env) {
  if (hasTool('ros2', env)) return env;
  const prefix = env.AMENT_PREFIX_PATH.split(':').find((entry) =>
    fs.existsSync(join(entry, 'lib/librcl.so')),
  );
  const { shim } = ros.rosFolders(tree);
  remove(shim);
  fs.mkdirSync(join(shim, 'bin'), { recursive: true });
  fs.writeFileSync(join(shim, 'bin/ros2'), '#!/bin/sh\necho "ros2 is not installed here" >&2\nexit 1\n', {
    mode: 0o755,
  });
  for (const name of ['lib', 'include']) fs.symlinkSync(join(prefix, name), join(shim, name));
  return { ...env, PATH: `${join(shim, 'bin')}:${env.PATH}` };
}

export function rclnodejsMessages(tree, interfaces, rosEnv) {
  const folder = join(tree, 'node_modules/rclnodejs');
  const key = hash([lockedVersion(tree, 'rclnodejs'), interfaces]);
  const stamp = stampFile(join(folder, 'generated/.setup-stamp'), key);
  return {
    title: 'Node classes of all messages',
    isDone: stamp.holds,
    async run() {
      requireRclnodejs(folder);
      await generateMessages(tree, rosEnv());
      stamp.write();
    },
  };
}

/** Makes the Node classes of all messages of the environment, in the rclnodejs of a tree. */
export async function generateMessages(tree, env, logsIn = tree) {
  const folder = join(tree, 'node_modules/rclnodejs');
  await command('rclnodejs-messages', process.execPath, ['scripts/generate_messages.cjs'], {
    tree: logsIn,
    cwd: folder,
    env,
  });
  // The generator reports success whatever happened to it.
  const made = [
    'rgbd_scene_graph/rgbd_scene_graph__srv__GetBrief.js',
    'tf2_msgs/tf2_msgs__msg__TFMessage.js',
  ];
  const absent = made.find((file) => !fs.existsSync(join(folder, 'generated', file)));
  if (absent) throw new SetupProblem(`The Node classes of the messages were not made (${absent} is absent).`);
}

function requireRclnodejs(folder) {
  if (!fs.existsSync(join(folder, 'package.json'))) {
    throw new SetupProblem(
      'The optional npm package rclnodejs is not installed. Run npm ci, or set up with --offline-only.',
    );
  }
}
