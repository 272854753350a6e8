import { serialize } from 'node:v8';
import { fromJsonForm, toJsonForm } from './jsonForm.js';
import type { StoreReader } from './readStore.js';
import { MIGRATIONS } from './schema.js';
import { StoreFile, type GraphIdentity, type PictureRow, type StoreChanges } from './StoreFile.js';
import { StoreProblem } from './StoreProblem.js';
import { plainFromBytes, type StoredRow } from './stateRows.js';

/**
 * A store as lines of JSON and back, graph by graph: for moving it between machines, for keeping it, for reading it
 * with other tools. Nothing is lost on the way.
 */

const FORMAT = 'rgbd_scene_graph store';

type Line =
  | { readonly format: string; readonly version: number }
  | { readonly graph: GraphIdentity & Pick<StoreChanges, 'revisionLimit' | 'position'> }
  | { readonly part: string; readonly key: string; readonly value: unknown }
  | { readonly ref: string; readonly role: string; readonly about: unknown; readonly picture: string };

export function* exportLines(reader: StoreReader): Generator<string> {
  yield lineOf({ format: FORMAT, version: reader.version });
  for (const graph of reader.graphs()) {
    const { rows, views, revisionLimit, position } = graph.load();
    yield lineOf({ graph: { ...graph.identity, revisionLimit, position } });
    for (const { part, key, body } of rows)
      yield lineOf({ part, key, value: toJsonForm(plainFromBytes(body)) });
    for (const { ref, role, about } of views) {
      const picture = Buffer.from(graph.findPicture({ ref, role }) ?? []).toString('base64');
      yield lineOf({ ref, role, about: toJsonForm(plainFromBytes(about)), picture });
    }
  }
}

/**
 * Reads exported lines into a file; each graph wholly or not at all.
 * @returns what was imported
 * @throws StoreProblem when a line makes no sense or the file has a graph of that map already
 */
export async function importLines(
  lines: AsyncIterable<string> | Iterable<string>,
  file: string,
): Promise<readonly GraphIdentity[]> {
  const imported: GraphIdentity[] = [];
  let open: OpenImport | undefined;
  let number = 0;
  for await (const text of lines) {
    number += 1;
    const line = parseLine(text, number);
    if (number === 1) {
      refuseOtherFormat(line);
    } else if ('graph' in line) {
      if (open !== undefined) imported.push(writeGraph(open, file));
      open = { ...line.graph, rows: [], views: [] };
    } else if (open !== undefined) {
      addLine(open, line);
    }
  }
  if (number === 0) throw new StoreProblem('the file is empty');
  if (open !== undefined) imported.push(writeGraph(open, file));
  return imported;
}

interface OpenImport extends GraphIdentity, Pick<StoreChanges, 'revisionLimit' | 'position'> {
  readonly rows: StoredRow[];
  readonly views: PictureRow[];
}

function addLine(open: OpenImport, line: Line): void {
  if ('part' in line) {
    open.rows.push({ part: line.part, key: line.key, body: serialize(fromJsonForm(line.value)) });
  } else if ('ref' in line) {
    const { ref, role, about, picture } = line;
    open.views.push({
      ref,
      role,
      about: serialize(fromJsonForm(about)),
      picture: Buffer.from(picture, 'base64'),
    });
  }
}

function writeGraph(
  { mapId, mapFrame, rows, views, revisionLimit, position }: OpenImport,
  file: string,
): GraphIdentity {
  const identity = { mapId, mapFrame };
  const store = StoreFile.open(file, identity);
  try {
    if (store.load().rows.length > 0)
      throw new StoreProblem(`the store has a graph of map '${mapId}' in frame '${mapFrame}' already`);
    store.write({ written: rows, removed: [], views, revisionLimit, position }, true);
  } finally {
    store.close();
  }
  return identity;
}

function lineOf(line: Line): string {
  return `${JSON.stringify(line)}\n`;
}

function parseLine(text: string, number: number): Line {
  try {
    return JSON.parse(text) as Line;
  } catch (error) {
    throw new StoreProblem(`line ${number} is no JSON`, { cause: error });
  }
}

function refuseOtherFormat(line: Line): void {
  if (!('format' in line) || line.format !== FORMAT) throw new StoreProblem('the file is no exported store');
  if (line.version !== MIGRATIONS.length)
    throw new StoreProblem(`it has version ${line.version}; this program reads version ${MIGRATIONS.length}`);
}
