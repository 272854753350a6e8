import type { StoreMeasurement } from './measureStore.js';
import type { GrowthRow } from './measureGrowth.js';
import type { ReplayMeasurement } from './measureReplay.js';
import type { ServiceMeasurement } from './measureServices.js';

/** Stages that no frame waits for. */
const BESIDE: ReadonlySet<string> = new Set(['encode']);

/** The table of a measurement. @param cores that it was bound to; undefined: it was not */
export function formatBench({ summary, rssMb }: ReplayMeasurement, cores: number | undefined): string {
  const { timings, frames, wallS, recordedS } = summary;
  const rows = Object.entries(timings).map(([stage, { count, mean, p50, p95, max }]) => [
    stage,
    String(count),
    ...[mean, p50, p95, max].map((ms) => ms.toFixed(1)),
  ]);
  const medians = Object.entries(timings).reduce(
    (sum, [stage, { p50 }]) => (BESIDE.has(stage) ? sum : sum + p50),
    0,
  );
  const dropped = Object.entries(frames.dropped).map(([cause, count]) => `, ${cause} ${count}`);
  return [
    ...table([['stage', 'count', 'mean', 'p50', 'p95', 'max (ms)'], ...rows]),
    '',
    `sum of medians  ${medians.toFixed(1)} ms a frame`,
    `frames          ${frames.in} in, ${frames.used} used${dropped.join('')}`,
    `replay          ${recordedS.toFixed(1)} s in ${wallS.toFixed(1)} s: ${(recordedS / wallS).toFixed(1)}× its own time, ${(frames.used / wallS).toFixed(1)} frames a second`,
    `memory          ${rssMb.toFixed(0)} MB resident at most`,
    cores === undefined
      ? 'on all cores (this system cannot bind a process to that many)'
      : `on ${cores === 1 ? 'one core' : `${cores} cores`}`,
    '',
  ].join('\n');
}

/** The table of how services answered. @param load the system's, over the last minute. */
export function formatServices(
  { services, callsPerS, frames, nodeRssMb }: ServiceMeasurement,
  load: number,
): string {
  const rows = Object.entries(services).map(([name, { count, failed, p50, p95, p99, max }]) => [
    name,
    String(count),
    String(failed),
    ...[p50, p95, p99, max].map((ms) => ms.toFixed(1)),
  ]);
  const told = Object.entries(frames).map(([name, count]) => `${count} ${name.replaceAll('_', ' ')}`);
  return [
    '',
    ...table([['service', 'count', 'failed', 'p50', 'p95', 'p99', 'max (ms)'], ...rows]),
    '',
    `calls           ${callsPerS.toFixed(1)} a second while the recording plays at its own rate`,
    `frames          ${told.join(', ')}`,
    `node's memory   ${nodeRssMb === undefined ? 'not told by this system' : `${nodeRssMb.toFixed(0)} MB resident at most`}`,
    `load            ${load.toFixed(1)} (the whole system, last minute)`,
    '',
  ].join('\n');
}

/** The table of how a frame's time grows with what is known. */
export function formatGrowth(rows: readonly GrowthRow[]): string {
  const cells = rows.map(({ entities, knownMs, graphMs }) => [
    String(entities),
    knownMs.toFixed(2),
    graphMs.toFixed(2),
  ]);
  return [
    ...table([['entities', 'what is known around', 'folding in a frame (ms)'], ...cells]),
    '',
    'a frame that shows 15 things on a table; medians, without pictures',
    '',
  ].join('\n');
}

/** What a store costs. */
export function formatStore({ start, ...store }: StoreMeasurement): string {
  const { entities, relations, views, writeAllMs, commitMs, bytesPerEntity, bytesPerView } = store;
  return [
    `stored          ${entities} entities, ${relations} relations, ${views} pictures`,
    `an entity       ${bytesPerEntity.toFixed(0)} bytes, its relations and indices included`,
    `a picture       ${bytesPerView.toFixed(0)} bytes (random ones of 4 to 12 kB)`,
    `written         all at once in ${(writeAllMs / 1000).toFixed(1)} s; one change, on the disk, in ${commitMs.toFixed(0)} ms`,
    `start           ${(start.startMs / 1000).toFixed(2)} s from opening the file to the first Brief`,
    `Brief           ${start.briefMs.toFixed(1)} ms`,
    `relations       ${start.relationsMs.toFixed(2)} ms for those of one thing`,
    `pictures        ${start.imageMs.toFixed(2)} ms for those of one thing`,
    '',
  ].join('\n');
}

/** The first column to the left, figures to the right. */
function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => (row[i] ?? '').length)));
  return rows.map((row) =>
    row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join('  '),
  );
}
