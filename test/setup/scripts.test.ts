import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { ROOT } from './checkout.js';

const node = process.execPath;

describe('the set-up', function () {
  this.timeout(60_000);
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'rgbd-scene-graph-'));
  });

  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('says in a sentence that there is no Python 3.12, also where a command of that name fails', () => {
    copyScripts(folder);
    const bin = join(folder, 'bin');
    for (const name of ['python3.12', 'python3', 'uv'])
      writeScript(join(bin, name), 'echo no such version >&2; exit 127');
    const run = setUp(folder, { PATH: [bin, '/nowhere'].join(delimiter), HOME: folder });
    assert.equal(run.status, 1);
    assert.match(run.stderr, /No Python 3\.12 with venv and headers was found/);
    assert.doesNotMatch(run.stderr, /at .*\.mjs/, 'no stack');
  });

  it('says in a sentence that the registry cannot be reached', () => {
    copyScripts(folder);
    // The port of the discard service on this machine: nothing answers there.
    const run = setUp(
      folder,
      {
        npm_config_registry: 'http://127.0.0.1:9/',
        npm_config_cache: join(folder, 'cache'),
        npm_config_fetch_retries: '0',
      },
      ['--offline-only'],
    );
    assert.equal(run.status, 1);
    assert.match(run.stderr, /The package registry cannot be reached/);
  });

  it('refuses a ROS 2 that it does not support, naming those that it does', () => {
    copyScripts(folder);
    const run = setUp(folder, { ROS_DISTRO: 'foxy', AMENT_PREFIX_PATH: sourcedPrefix(folder) });
    assert.equal(run.status, 1);
    assert.match(run.stderr, /"foxy"; supported are jazzy, kilted, lyrical/);
  });

  it('ends with usage on an unknown option', () => {
    copyScripts(folder);
    const run = setUp(folder, {}, ['--wrong']);
    assert.equal(run.status, 2);
    assert.match(run.stderr, /Unknown option '--wrong'/);
  });

  it('uses a sourced ROS 2 as it is, and does not take its own folders for one', () => {
    copyScripts(folder);
    const own = join(folder, '.ros/venv');
    registerPackage(own, 'rcl');
    const sourced = sourcedPrefix(folder);
    const ask = (paths: string[]): unknown =>
      evaluate(`
        const { sourcedRos } = await import('${folder}/scripts/setup/rosEnvironment.mjs');
        console.log(JSON.stringify(sourcedRos('${folder}', { ROS_DISTRO: 'jazzy', AMENT_PREFIX_PATH: '${paths.join(':')}' }) ?? null));`);
    assert.equal(ask([own]), null);
    assert.deepEqual(ask([own, sourced]), { distro: 'jazzy', prefixes: [sourced] });
  });

  it('lays what it has built over the ROS 2 below, each path once', () => {
    copyScripts(folder);
    const sourced = sourcedPrefix(folder);
    const built = join(folder, '.ros/install/tf2_msgs');
    registerPackage(built, 'tf2_msgs');
    mkdirSync(join(built, 'lib/python3.12/site-packages'), { recursive: true });
    const env = evaluate(`
      const { rosEnvironment } = await import('${folder}/scripts/setup/rosEnvironment.mjs');
      const below = { ROS_DISTRO: 'jazzy', AMENT_PREFIX_PATH: '${sourced}', LD_LIBRARY_PATH: '${sourced}/lib' };
      console.log(JSON.stringify(rosEnvironment('${folder}', rosEnvironment('${folder}', below))));`) as Record<
      string,
      string
    >;
    assert.equal(env.AMENT_PREFIX_PATH, `${built}:${sourced}`);
    assert.equal(env.LD_LIBRARY_PATH, `${built}/lib:${sourced}/lib`);
    assert.equal(env.PYTHONPATH, `${built}/lib/python3.12/site-packages`);
    assert.equal(env.ROS_DISTRO, 'jazzy');
  });

  it('knows a finished step by its stamp and starts an unfinished one anew', () => {
    copyScripts(folder);
    const outcome = evaluate(`
      const { hash, stampFile } = await import('${folder}/scripts/setup/files.mjs');
      const { runSteps } = await import('${folder}/scripts/setup/runSteps.mjs');
      const runs = [];
      const step = (key, fails) => {
        const stamp = stampFile('${folder}/stamp', hash([key]));
        return { title: key, isDone: stamp.holds, run() { runs.push(key); if (fails) throw new Error('killed'); stamp.write(); } };
      };
      await runSteps([step('a', true)]).catch(() => {});
      await runSteps([step('a')]);
      await runSteps([step('a')]);
      await runSteps([step('b')]);
      console.log(JSON.stringify(runs));`);
    assert.deepEqual(outcome, ['a', 'a', 'b']);
  });

  it('lets one run at a time work in a checkout, and waits for the end of another', () => {
    copyScripts(folder);
    const outcome = evaluate(`
      const { withLock } = await import('${folder}/scripts/setup/singleRun.mjs');
      const events = [];
      const work = (name) => withLock(async () => {
        events.push(name + ' begins');
        await new Promise((done) => setTimeout(done, 50));
        events.push(name + ' ends');
      });
      await Promise.all([work('one'), work('other')]);
      console.log(JSON.stringify(events));`);
    assert.deepEqual(outcome, ['one begins', 'one ends', 'other begins', 'other ends']);
  });

  it('ends what a killed run has left running before it starts anything', async () => {
    copyScripts(folder);
    const left = spawn(node, ['-e', 'setInterval(() => {}, 1000)'], {
      env: { ...process.env, RGBD_SCENE_GRAPH_SETUP_OF: folder },
    });
    const other = spawn(node, ['-e', 'setInterval(() => {}, 1000)']);
    const ended = once(left, 'close');
    mkdirSync(join(folder, '.ros'));
    writeFileSync(join(folder, '.ros/running'), '');
    await Promise.all([once(left, 'spawn'), once(other, 'spawn')]);
    evaluate(`
      const { endLeftovers } = await import('${folder}/scripts/setup/singleRun.mjs');
      endLeftovers()();
      console.log('null');`);
    assert.deepEqual(await ended, [null, 'SIGKILL']);
    assert.equal(other.exitCode, null);
    other.kill('SIGKILL');
  });
});

describe('a command run after the set-up', () => {
  const script = (program: string): string[] => [
    '--input-type=module',
    '-e',
    `import { passOn } from '${ROOT}/scripts/setup/passOn.mjs';
     process.exitCode = await passOn(process.execPath, ['-e', ${JSON.stringify(program)}]);`,
  ];

  it('gives its exit code', () => {
    assert.equal(spawnSync(node, script('process.exit(7)')).status, 7);
  });

  it('says in a sentence that there is no such command, and which tools the brought ROS lacks', () => {
    const run = (program: string): { status: number | null; stderr: string } =>
      spawnSync(
        node,
        [
          '--input-type=module',
          '-e',
          `import { passOn } from '${ROOT}/scripts/setup/passOn.mjs';
           process.exitCode = await passOn('${program}', []);`,
        ],
        { encoding: 'utf8', env: { PATH: '/nonexistent' } },
      );
    assert.equal(run('nosuchcommand').status, 127);
    assert.match(run('nosuchcommand').stderr, /^There is no command 'nosuchcommand' here\.\n$/);
    assert.match(run('ros2').stderr, /has rclpy but none of the ROS 2 tools/);
  });

  it('gives 128 and the number of the signal that killed it', () => {
    assert.equal(spawnSync(node, script('process.kill(process.pid, "SIGKILL")')).status, 137);
  });

  it('hears an interrupt once, however many senders repeat it', async () => {
    const child = spawn(
      node,
      script(`process.on('SIGINT', () => { console.log('heard'); setTimeout(() => process.exit(3), 300); });
              setInterval(() => {}, 1000); console.log('ready');`),
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const text = await untilReady(child);
    child.kill('SIGINT');
    child.kill('SIGINT');
    const [code] = (await once(child, 'close')) as [number];
    assert.equal(code, 3);
    assert.equal(text().match(/heard/g)?.length, 1);
  });
});

describe('the closing line of the tests', () => {
  it('counts what passed, failed and was skipped, alone on the last line', () => {
    const folder = mkdtempSync(join(tmpdir(), 'rgbd-scene-graph-'));
    try {
      const file = join(folder, 'sample.cjs');
      writeFileSync(
        file,
        `it('a', () => {}); it('b', () => { throw new Error('meant'); }); it.skip('c', () => {});`,
      );
      const mocha = join(ROOT, 'node_modules/mocha/bin/mocha.js');
      const reporter = join(ROOT, 'scripts/summaryReporter.cjs');
      const env = { ...process.env, TEST_SUMMARY_FILE: '' };
      const run = spawnSync(node, [mocha, '--no-config', '--reporter', reporter, file], {
        encoding: 'utf8',
        env,
      });
      assert.equal(run.stdout.trimEnd().split('\n').at(-1), '1 passed, 1 failed, 1 skipped');
      assert.equal(run.status, 1);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe('the executables of an installed package', () => {
  for (const [name, program] of [
    ['scene_graph_node', 'dist/main.js'],
    ['rgbd-scene-graph', 'dist/cli/main.js'],
  ] as const) {
    it(`${name} becomes Node itself and passes every argument as it is`, () => {
      const prefix = mkdtempSync(join(tmpdir(), 'rgbd scene graph '));
      try {
        const installed = join(prefix, 'lib/rgbd_scene_graph', name);
        const main = join(prefix, 'share/rgbd_scene_graph', program);
        cpSync(join(ROOT, 'bin', name), installed);
        mkdirSync(join(main, '..'), { recursive: true });
        writeFileSync(main, 'console.log(JSON.stringify([process.pid, ...process.argv.slice(2)]))');
        const args = ['--ros-args', '-r', '__ns:=/a b', '', "it's $HOME *"];
        const run = spawnSync(installed, args, { encoding: 'utf8' });
        assert.equal(run.status, 0, run.stderr);
        assert.deepEqual(JSON.parse(run.stdout), [run.pid, ...args]);
      } finally {
        rmSync(prefix, { recursive: true, force: true });
      }
    });
  }
});

/** The part of a checkout that the set-up reads, without anything set up. */
function copyScripts(folder: string): void {
  for (const path of [
    'scripts',
    'msg',
    'srv',
    'interfaces',
    'package.json',
    'package-lock.json',
    'CMakeLists.txt',
    'package.xml',
  ]) {
    cpSync(join(ROOT, path), join(folder, path), { recursive: true });
  }
}

function setUp(folder: string, env: NodeJS.ProcessEnv, args: string[] = []): SpawnSyncReturns<string> {
  const clean = { ...process.env };
  for (const name of Object.keys(clean)) {
    if (/^(ROS_|AMENT_|npm_|PYENV_|_ROS)/i.test(name)) delete clean[name];
  }
  return spawnSync(node, [join(folder, 'scripts/setup.mjs'), '--no-build', ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...clean, ...env },
  });
}

/** Runs a module and parses the line that it prints. */
function evaluate(program: string): unknown {
  const run = spawnSync(node, ['--input-type=module', '-e', program], { encoding: 'utf8' });
  assert.equal(run.status, 0, run.stderr);
  return JSON.parse(run.stdout);
}

function registerPackage(prefix: string, name: string): void {
  const index = join(prefix, 'share/ament_index/resource_index/packages');
  mkdirSync(index, { recursive: true });
  writeFileSync(join(index, name), '');
}

/** A prefix that looks like a sourced ROS 2. */
function sourcedPrefix(folder: string): string {
  const prefix = join(folder, 'opt-ros');
  registerPackage(prefix, 'rcl');
  return prefix;
}

function writeScript(path: string, body: string): void {
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, `#!/bin/sh\n${body}\n`, { mode: 0o755 });
}

async function untilReady(child: ChildProcess): Promise<() => string> {
  let text = '';
  child.stdout?.setEncoding('utf8');
  await new Promise<void>((resolve) => {
    child.stdout?.on('data', (chunk: string) => {
      text += chunk;
      if (text.includes('ready')) resolve();
    });
  });
  return () => text;
}
