import { statSync } from 'node:fs';
import { canonicalHash } from '../graph/canonicalHash.js';
import { executionHash } from '../graph/executionHash.js';
import { projectBrief } from '../graph/projectBrief.js';
import type { GraphState } from '../graph/types.js';
import { renderSceneGraphBrief } from '../protocol/index.js';
import { StoreReader } from '../store/readStore.js';
import { stateFromRows } from '../store/stateRows.js';
import type { GraphReader } from '../store/StoreFile.js';
import { isoFromStamp } from '../time/Stamp.js';
import { EXIT_DONE, parseCommandLine } from './Command.js';
import type { Command } from './Command.js';

export const inspectCommand: Command = {
  name: 'inspect',
  usage: `Usage: rgbd-scene-graph inspect FILE [--json]

Tells what a store holds, without changing it: for each map and frame the Brief, how
much there is of what, and the hashes of the state. A running node must be asked
itself: its store is its own.

Options:
  --json   one JSON object for each graph, a line each
  --help   this text
`,
  run(args, io) {
    const { values, positionals } = parseCommandLine(args, { json: { type: 'boolean' } }, ['FILE']);
    const file = positionals[0];
    const reader = StoreReader.open(file);
    try {
      if (values.json !== true) io.out(`version ${reader.version}, ${statSync(file).size} bytes\n`);
      for (const graph of reader.graphs()) io.out(values.json === true ? jsonOf(graph) : textOf(graph));
    } finally {
      reader.close();
    }
    return Promise.resolve(EXIT_DONE);
  },
};

function jsonOf(graph: GraphReader): string {
  return `${JSON.stringify({ ...graph.identity, ...figuresOf(readGraph(graph)) })}\n`;
}

function textOf(graph: GraphReader): string {
  const { mapId, mapFrame } = graph.identity;
  const stored = readGraph(graph);
  const figures = Object.entries(figuresOf(stored)).map(([name, value]) => `  ${name}: ${value ?? 'none'}\n`);
  return `\nmap '${mapId}', frame '${mapFrame}'\n${figures.join('')}${briefOf(stored)}`;
}

function briefOf({ state }: StoredState): string {
  if (state === undefined) return '';
  const brief = projectBrief(state, { perception: { state: 'ok' }, stale: true });
  return `\n${renderSceneGraphBrief(brief).trimEnd()}\n`;
}

interface StoredState {
  /** Absent: nothing was stored yet. */
  readonly state?: GraphState;
  readonly viewCount: number;
}

function readGraph(graph: GraphReader): StoredState {
  const { rows, views } = graph.load();
  return { viewCount: views.length, ...(rows.length > 0 && { state: stateFromRows(rows) }) };
}

function figuresOf({ state, viewCount }: StoredState): Record<string, string | number | undefined> {
  if (state === undefined) return { entities: 0 };
  return {
    entities: state.entities.size,
    tentative: state.tracks.size,
    relations: state.relations.size,
    aliases: state.aliases.size,
    tombstones: state.tombstones.size,
    executions: state.ledger.size,
    views: viewCount,
    revision: state.revision,
    epoch: state.epoch,
    graph_time: state.graphTime === undefined ? undefined : isoFromStamp(state.graphTime),
    state_hash: canonicalHash(state),
    execution_hash: executionHash(state),
  };
}
