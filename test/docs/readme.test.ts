import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parameterFile, parameterTable, withParameterTable } from '../../scripts/docs/parameterTexts.js';
import { parseParameterFile } from '../../src/pipeline/readParameterFile.js';
import { defaultParameters, listParameters, parametersFromFlat } from '../../src/pipeline/parameterSet.js';
import { ROOT, projectFiles, readText } from '../setup/checkout.js';

/** What the README and the shipped parameter file claim, held against the code. */

const readme = readText('README.md');

describe('the README', () => {
  it('has a table of the parameters as they are declared (npm run docs writes it anew)', () => {
    assert.equal(readme, withParameterTable(readme));
    const cells = rowsOf(parameterTable()).map(([name, type, value]): unknown[] => [
      name,
      type,
      JSON.parse(value ?? ''),
    ]);
    const declared = listParameters().map(({ name, definition }) => [
      name,
      definition.type,
      definition.default,
    ]);
    assert.deepEqual(cells, declared);
  });

  it('names the parameters that may change while the node runs', () => {
    const live = /const LIVE[^[]*\[([^\]]*)\]/.exec(readText('src/ros/declareParameters.ts'))?.[1];
    const names = quoted(live ?? '');
    const told =
      /^([^.]+\.[^.]+[^\n]*?) may change while the node runs/m.exec(section('Parameters'))?.[1] ?? '';
    assert.ok(names.length > 0);
    assert.deepEqual([...told.matchAll(/`([^`]+)`/g)].map(([, name]) => name).sort(), names.sort());
  });

  it('names every service with its type, and no other', () => {
    const source = readText('src/ros/services.ts');
    const offered = [...source.matchAll(/offer\(\s*set,\s*'(\w+)',\s*'(\w+)'/g)].map(
      ([, name = '', type = '']) => [`~/${name}`, `rgbd_scene_graph/srv/${type}`],
    );
    assert.match(source, /createService\(withDirectAnswers\(type\), '~\/reset', /);
    const expected = [...offered, ['~/reset', 'std_srvs/srv/Trigger']].sort();
    const told = tableAfter('| service | type |').map(([name, type]) => [name, type]);
    assert.deepEqual(told.sort(), expected);
    const files = projectFiles().filter((path) => path.startsWith('srv/'));
    const types = offered.map(([, type = '']) => `srv/${type.split('/').at(-1)}.srv`);
    assert.deepEqual(types.sort(), files.sort());
  });

  it('names every topic that the node publishes with its type, and no other', () => {
    const sources = projectFiles()
      .filter((path) => path.startsWith('src/ros/') && !path.endsWith('RecordingPlayer.ts'))
      .map(readText);
    const published = sources.flatMap((text) =>
      [...text.matchAll(/createPublisher\(\s*'([^']+)',\s*'([^']+)'/g)].map(([, type, topic]) => [
        topic,
        type,
      ]),
    );
    const told = tableAfter('| topic out | type |').map(([topic, type]) => [topic, type]);
    assert.deepEqual(told.sort(), published.sort());
  });

  it('names every topic that the node listens to, and no other', () => {
    const told = tableAfter('| topic in | type |').map(([topic]) => topic);
    const remapped = [...readText('src/cli/nodeRemappings.ts').matchAll(/\['([^']+)', topics/g)].map(
      ([, topic]) => topic,
    );
    assert.match(readText('src/ros/simClock.ts'), /'rosgraph_msgs\/msg\/Clock',\s*'\/clock'/);
    assert.deepEqual(told.sort(), [...remapped, '/clock'].sort());
    const launched = [...readText('launch/scene_graph.launch.py').matchAll(/_topic': \('([^']+)'/g)];
    assert.ok(launched.length > 0);
    for (const [, topic] of launched) assert.ok(told.includes(topic ?? ''), topic);
  });

  it('has every folder of src/ in its map, and no other', () => {
    const rows = tableAfter('| path in `src/` |').map(([path]) => path);
    const sources = projectFiles().filter((path) => path.startsWith('src/'));
    const top = sources.map((path) => path.split('/')).map(([, name, below]) => (below ? `${name}/` : name));
    assert.deepEqual(rows.sort(), [...new Set(top)].sort());
  });

  it('explains every cause for which something is not used, and no word that is none', () => {
    const explained = new Set(
      tableAfter('| cause | of |', rawRowsOf).flatMap(([cell]) => codeWords(cell ?? '')),
    );
    const recordings = codeWords(
      /In recordings, `replay` also counts([^]*?)\. The rest/.exec(readme)?.[1] ?? '',
    );
    const causes = causesOf(/^src\/(camera|input|sync|tf|time|pipeline|ros)\//);
    // Senders repeat themselves as a matter of course, which is neither told nor counted.
    causes.delete('repeated_data');
    assert.deepEqual([...explained].sort(), [...causes].sort());
    assert.deepEqual(
      recordings.filter((word) => word !== 'replay').sort(),
      [...causesOf(/^src\/recordings\/SkipCounts/)].sort(),
    );
  });

  it('names every command of the command line with its options, and every script of the simulator', () => {
    const told = tableAfter('| command | what it does |', rawRowsOf).map((cells) => cells.join(' | '));
    const commands = [...readText('src/cli/runCommandLine.ts').matchAll(/^ {4}name: '(\w+)',$/gm)].map(
      ([, name = '']) => name,
    );
    assert.deepEqual(
      told.map((row) => /^`(\w+)/.exec(row)?.[1]),
      commands,
    );
    for (const [index, name] of commands.entries()) {
      const usage = /usage: `Usage: rgbd-scene-graph ([^\n]+)/.exec(
        readText(`src/cli/${name}Command.ts`),
      )?.[1];
      const row = told[index] ?? '';
      if (name === 'demo') assert.ok(row.includes('--bag BAG'));
      else assert.ok(row.startsWith(`\`${usage}\``), `${name}: ${usage}`);
    }
    const scripts = /const SCRIPTS[^{]*\{([^}]*)\}/.exec(readText('src/simulate/scriptNamed.ts'))?.[1] ?? '';
    const names = [...scripts.matchAll(/^\s*(\w+)[:,]/gm)].map(([, name = '']) => name);
    assert.ok(names.length > 0);
    for (const name of names) assert.ok(readme.includes(`\`${name}\``), name);
  });

  it('points only to files and sections that are there', () => {
    for (const [, target = ''] of readme.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (target.startsWith('#')) assert.ok(anchors().includes(target.slice(1)), target);
      else assert.ok(existsSync(join(ROOT, target)), target);
    }
    for (const [, script = ''] of readme.matchAll(/npm run (?:--silent )?([a-z:-]+)/g)) {
      assert.ok(script in (JSON.parse(readText('package.json')) as { scripts: object }).scripts, script);
    }
  });
});

describe('config/scene_graph.yaml', () => {
  const text = readText('config/scene_graph.yaml');

  it('is what the declaration makes of it (npm run docs writes it anew)', () => {
    assert.equal(text, parameterFile());
  });

  it('holds every parameter and gives the node its defaults, in any namespace', () => {
    for (const node of ['/rgbd_scene_graph', '/robot1/rgbd_scene_graph']) {
      const values = parseParameterFile(text, 'scene_graph.yaml', node);
      assert.deepEqual(
        Object.keys(values).sort(),
        listParameters()
          .map(({ name }) => name)
          .sort(),
      );
      assert.deepEqual(parametersFromFlat(values), { parameters: defaultParameters(), warnings: [] });
    }
  });
});

describe('config/scene_graph.rviz', () => {
  it('shows the topic and the fixed frame of a node with its defaults', () => {
    const text = readText('config/scene_graph.rviz');
    assert.match(text, /Value: \/rgbd_scene_graph\/markers\n/);
    assert.match(text, new RegExp(`Fixed Frame: ${defaultParameters().frames.map}\n`));
  });
});

/** The text below a heading of the second level. */
function section(title: string): string {
  const from = readme.indexOf(`\n## ${title}\n`);
  assert.ok(from >= 0, title);
  const to = readme.indexOf('\n## ', from + 1);
  return readme.slice(from + title.length + 5, to < 0 ? undefined : to).trimStart();
}

function tableAfter(head: string, read: (table: string) => string[][] = rowsOf): string[][] {
  const from = readme.indexOf(head);
  assert.ok(from >= 0, head);
  return read(readme.slice(from).split('\n\n')[0] ?? '');
}

/** Cells of the rows below the head, without the marks of code. */
function rowsOf(table: string): string[][] {
  return rawRowsOf(table).map((cells) => cells.map((cell) => cell.replaceAll('`', '')));
}

function rawRowsOf(table: string): string[][] {
  const lines = table.split('\n').slice(2);
  return lines.map((line) =>
    line
      .slice(1, -1)
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim()),
  );
}

function codeWords(text: string): string[] {
  return [...text.matchAll(/`([a-z_]+)`/g)].map(([, word = '']) => word);
}

function quoted(text: string): string[] {
  return [...text.matchAll(/'([^']+)'/g)].map(([, word = '']) => word);
}

/** The causes that files name where they refuse, drop or warn, and in their types of causes. */
function causesOf(files: RegExp): Set<string> {
  const calls =
    /(?:failure|dropFrame)\(\s*'([a-z_]+)'|(?:refuse|warn|refuseImage|countDrop)\([\w.#']+, '([a-z_]+)'/g;
  const found = new Set<string>();
  for (const path of projectFiles().filter((file) => files.test(file))) {
    const text = readText(path);
    for (const [, dropped, refused] of text.matchAll(calls)) found.add(dropped ?? refused ?? '');
    for (const [, words = ''] of text.matchAll(/type \w*Cause =([^;]*);/g))
      quoted(words).forEach((w) => found.add(w));
  }
  return found;
}

/** Of the headings, as the usual renderers make them. */
function anchors(): string[] {
  return [...readme.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^a-z0-9 _-]/g, '')
      .replaceAll(' ', '-'),
  );
}
