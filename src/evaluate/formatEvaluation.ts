import { alignColumns } from './alignColumns.js';
import type { Evaluation, SpuriousEntity } from './evaluate.js';
import type { DetectionScore, Share } from './scoreDetection.js';
import type { ObjectScore, PositionError } from './scoreObjects.js';
import type { ChangeScore } from './scoreOverTime.js';
import type { RelationMistake } from './scoreRelations.js';

/** The evaluation as text for a terminal: the figures first, then every object, then what is wrong. */
export function formatEvaluation(evaluation: Evaluation): string {
  const { entities, relations, supports, overTime } = evaluation;
  const on = `on ${formatShare(relations.on)}, near (of the truth's clear pairs) ${formatShare(relations.near)}`;
  const lines = [
    `${evaluation.recording}: ${entities.live} live entities, ${entities.missing} missing, ${entities.structures} structures`,
    '',
    ...alignColumns([
      ['match', 'recall', 'recall > 2 cm', 'region recall', 'precision', 'F1'],
      ...[evaluation.strict, evaluation.tolerance, evaluation.halfMetre].map(detectionRow),
    ]),
    '',
    `position error    ${formatError(evaluation.positionError)}`,
    `  tolerance ≤ 10 cm  ${formatError(evaluation.positionErrorExact)}`,
    `duplicates        ${evaluation.duplicates.length}${evaluation.duplicates.map(({ id, refs }) => `  ${id}: ${refs.join(', ')}`).join('')}`,
    `relations         ${on}`,
    ...relations.wrong.map((mistake) => `  wrong    ${formatMistake(mistake)}`),
    ...relations.missing.map((mistake) => `  missing  ${formatMistake(mistake)}`),
    `supports          ${formatShare(evaluation.supportsFound)}  ${supports.map(formatSupport).join(', ')}`,
    `refs over time    ${overTime.swappedRefs.length} swapped${overTime.swappedRefs.map((s) => `  ${s.ref}: ${s.from} → ${s.to}`).join('')}, ` +
      `${overTime.falselyMissing.length} falsely missing${overTime.falselyMissing.map((m) => `  ${m.ref} (${m.id})`).join('')}`,
    ...overTime.changes.map(formatChange),
    ...overTime.rests.map(({ id, found, of }) => `rests             ${id} found in ${found} of ${of}`),
    '',
    ...alignColumns([
      ['object', 'verdict', 'ref', 'off', 'tolerance', 'size ratios', 'notes'],
      ...evaluation.objects.map(objectRow),
    ]),
    '',
    `wrong inside the scored region: ${evaluation.spuriousInside.length}`,
    ...evaluation.spuriousInside.map(formatSpurious),
    `unmatched outside it (not scored): ${evaluation.spuriousOutside.length}`,
    ...evaluation.spuriousOutside.map(formatSpurious),
    `in an ignore box: ${evaluation.ignored.length === 0 ? 'none' : evaluation.ignored.join(', ')}`,
  ];
  return lines.map((line) => line.trimEnd()).join('\n') + '\n';
}

function detectionRow({ rule, recall, recallTall, regionRecall, precision, f1 }: DetectionScore): string[] {
  const name = rule === 'half_metre' ? 'at 0.5 m' : rule === 'strict' ? 'strict' : 'at tolerance';
  return [name, ...[recall, recallTall, regionRecall, precision].map(formatShare), formatNumber(f1)];
}

function objectRow(score: ObjectScore): string[] {
  const notes = [
    ...(score.coarse ? ['coarse'] : []),
    ...(score.thin ? ['thin'] : []),
    ...(score.extraRefs.length > 0 ? [`split: ${score.extraRefs.join(', ')}`] : []),
    ...(score.verdict === 'missed' && score.nearest
      ? [`nearest ${score.nearest.ref} at ${cm(score.nearest.distanceM)}`]
      : []),
  ];
  return [
    score.id,
    score.verdict.replaceAll('_', ' '),
    score.ref ?? '',
    score.distanceM === undefined ? '' : cm(score.distanceM),
    cm(score.toleranceM),
    score.sizeRatios?.map((ratio) => ratio.toFixed(2)).join(' ') ?? '',
    notes.join(', '),
  ];
}

function formatSupport({ id, found, ref, offM }: Evaluation['supports'][number]): string {
  const off = offM === undefined ? '' : ` ${ref ?? ''} ${offM >= 0 ? '+' : ''}${cm(offM)}`;
  return `${id} ${found ? 'found' : 'not found'}${off}`;
}

function formatMistake({ subject, ref, expected, found }: RelationMistake): string {
  return `${subject} (${ref}) is on ${expected ?? 'nothing known'}, graph: ${found.length === 0 ? 'nothing' : found.join(', ')}`;
}

function formatChange(change: ChangeScore): string {
  const noticed =
    change.noticedAfterS === undefined
      ? 'never noticed'
      : `noticed after ${change.noticedAfterS.toFixed(1)} s`;
  const same = change.sameRef === undefined ? '' : change.sameRef ? ', same ref' : ', another ref';
  const stale =
    change.staleRefs.length === 0 ? '' : `, still at the old place: ${change.staleRefs.join(', ')}`;
  return `${change.kind.padEnd(10)}        ${change.id} (${change.ref ?? 'not found before'}) ${noticed}${same}${stale}`;
}

function formatSpurious({ ref, label, center, size, confidence, observations }: SpuriousEntity): string {
  const at = center.map((x) => x.toFixed(2)).join(' ');
  const extent = size.map((x) => x.toFixed(2)).join('×');
  return `  ${ref} (${label}) at ${at}, ${extent} m, confidence ${confidence.toFixed(2)}, ${observations ?? '?'} observations`;
}

function formatError({ count, medianM, p90M }: PositionError): string {
  return medianM === undefined || p90M === undefined
    ? 'none'
    : `median ${cm(medianM)}, p90 ${cm(p90M)} (${count})`;
}

function formatShare({ count, of, share }: Share): string {
  return share === undefined ? '– (0)' : `${share.toFixed(2)} (${count}/${of})`;
}

function formatNumber(value: number | undefined): string {
  return value === undefined ? '–' : value.toFixed(2);
}

function cm(metres: number): string {
  return `${(metres * 100).toFixed(1)} cm`;
}
