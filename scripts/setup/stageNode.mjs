// The node for an ament installation: built in a folder of the build tree, installed from there by CMake.

import * as fs from 'node:fs';
import { join, relative } from 'node:path';
import { ROOT, hash, readJson, remove } from './files.mjs';
import { npmPackages, sqliteBinary, typescript } from './npmPackages.mjs';
import { generateMessages, rclnodejsBinary } from './rclnodejs.mjs';
import { runSteps } from './runSteps.mjs';
import { SetupProblem } from './SetupProblem.mjs';
import * as ros from './rosEnvironment.mjs';

/** Builds the node in a folder of the build tree; what is to be installed ends up in DIR/product. */
export async function stageNode(stage) {
  if (!process.env.AMENT_PREFIX_PATH)
    throw new SetupProblem('--stage needs a ROS 2 environment; source one first.');
  const copied = ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json', 'src'];
  fs.mkdirSync(stage, { recursive: true });
  remove(join(stage, 'src'));
  for (const path of copied) fs.cpSync(join(ROOT, path), join(stage, path), { recursive: true });
  const underlay = hash([process.env.ROS_DISTRO ?? '', ...process.env.AMENT_PREFIX_PATH.split(':')]);
  const env = () => process.env;
  // The types of our own messages are made only after the installation, hence no type check here: the checkout has it.
  const steps = [
    npmPackages(stage, { withRos: true }),
    sqliteBinary(stage),
    rclnodejsBinary(stage, underlay, env),
    typescript(stage, false),
  ];
  await runSteps(steps);
  const product = join(stage, 'product');
  remove(product);
  copyProduct(stage, product);
  fs.writeFileSync(join(stage, 'staged'), '');
}

/** Everything that runs: not what only builds and tests. */
function copyProduct(stage, product) {
  const { packages } = readJson(join(stage, 'package-lock.json'));
  const developmentOnly = new Set(Object.keys(packages).filter((path) => packages[path].dev));
  const wanted = (source) =>
    !developmentOnly.has(relative(stage, source)) && !source.endsWith('/node_modules/.bin');
  fs.mkdirSync(product, { recursive: true });
  for (const path of ['package.json', 'dist', 'node_modules']) {
    fs.cpSync(join(stage, path), join(product, path), { recursive: true, filter: wanted });
  }
}

/** Makes the Node classes of all messages for the node that is installed under a prefix. */
export async function generateInstalledMessages(prefix, stage) {
  const env = ros.overlayEnvironment(process.env, [prefix]);
  await generateMessages(join(prefix, 'share/rgbd_scene_graph'), env, stage);
}
