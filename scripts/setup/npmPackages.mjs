// The npm packages of a tree (the checkout, or a copy of it that is built for an installation), and its TypeScript.

import * as fs from 'node:fs';
import { join } from 'node:path';
import { command, succeeds } from './command.mjs';
import { loads, nodeAbi, nodeGyp, requireLoads } from './compiledModules.mjs';
import { hash, hashTree, lockedVersion, readJson, remove, stampFile } from './files.mjs';

export function npmPackages(tree, { withRos }) {
  return {
    title: 'npm packages from the lock file',
    isDone: () => npmMatchesLock(tree, withRos),
    async run() {
      const cli = process.env.npm_execpath;
      const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];
      const env = {
        // What the user has set for npm stays.
        npm_config_fetch_retries: '2',
        npm_config_fetch_retry_mintimeout: '2000',
        npm_config_fetch_timeout: '60000',
        ...process.env,
        ONNXRUNTIME_NODE_INSTALL: 'skip',
      };
      const options = { tree, env };
      if (cli?.endsWith('.js')) await command('npm-ci', process.execPath, [cli, ...args], options);
      else await command('npm-ci', 'npm', args, options);
      dropForeignRuntimes(tree);
    },
  };
}

/** onnxruntime-node brings its libraries for every platform, a quarter of a gigabyte that nothing here can load. */
function dropForeignRuntimes(tree) {
  const binaries = join(tree, 'node_modules/onnxruntime-node/bin/napi-v6');
  const own = join(process.platform, process.arch);
  for (const platform of listFolders(binaries)) {
    for (const arch of listFolders(join(binaries, platform))) {
      if (join(platform, arch) !== own) remove(join(binaries, platform, arch));
    }
  }
}

function listFolders(folder) {
  return fs.existsSync(folder) ? fs.readdirSync(folder) : [];
}

/** npm writes its own record last: every package of the lock file must be in it, and still be there. */
function npmMatchesLock(tree, withRos) {
  const record = readJson(join(tree, 'node_modules/.package-lock.json'));
  if (!record) return false;
  const lock = readJson(join(tree, 'package-lock.json'));
  const mayLack = ([path, { optional }]) =>
    path === '' || (optional && !(withRos && path === 'node_modules/rclnodejs'));
  return Object.entries(lock.packages).every(
    ([path, wanted]) =>
      mayLack([path, wanted]) ||
      (record.packages[path]?.version === wanted.version && fs.existsSync(join(tree, path, 'package.json'))),
  );
}

export function sqliteBinary(tree) {
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
      const fetched = await succeeds('better-sqlite3-prebuilt', process.execPath, [prebuildInstall], {
        tree,
        cwd: folder,
        timeoutS: 30,
      });
      if (!fetched || !loads(binary)) {
        await nodeGyp('better-sqlite3', tree, folder, process.env);
        requireLoads(binary, process.env);
      }
      stamp.write();
    },
  };
}

export function typescript(tree, withRos) {
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
      await command('typescript', process.execPath, args, { tree });
      const commandLine = join(tree, 'dist/cli/main.js');
      if (fs.existsSync(commandLine)) fs.chmodSync(commandLine, 0o755);
      stamp.write();
    },
  };
}
