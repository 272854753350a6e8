import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseReplayResult } from '../evaluate/replayResult.js';
import type { ReplayResult } from '../evaluate/replayResult.js';
import { parseTruth } from '../evaluate/truth.js';
import type { Truth } from '../evaluate/truth.js';
import { CommandError } from './Command.js';

/** Reads what `replay` wrote. @throws CommandError or EvaluationError naming the file. */
export async function readReplayFolder(folder: string): Promise<ReplayResult> {
  // One after the other, so that the same folder always fails by the same file.
  const graph = await readJson(path.join(folder, 'graph.json'));
  const brief = await readJson(path.join(folder, 'brief.json'));
  const history = await readLines(path.join(folder, 'history.jsonl'));
  return parseReplayResult({ graph, brief, history });
}

export async function readTruthFile(file: string): Promise<Truth> {
  return parseTruth(await readJson(file));
}

async function readJson(file: string): Promise<unknown> {
  return parseJson(await readText(file), file);
}

/** A folder without a history is fine: then nothing is scored over time. */
async function readLines(file: string): Promise<unknown[]> {
  try {
    const text = await readFile(file, 'utf8');
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    return lines.map((line, i) => parseJson(line, `${file} line ${i + 1}`));
  } catch (error) {
    if (isNotFound(error)) return [];
    throw error;
  }
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (isNotFound(error)) throw new CommandError(`${file} does not exist`);
    throw error;
  }
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new CommandError(`${file} is not valid JSON`);
  }
}

function isNotFound(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
