import type { AbsenceReport } from './watchAbsences.js';

/** The report of a long run: frames by their fate, what was wrongly missed, what was rightly missed and how soon. */
export function formatAbsences({ frames, overTime, entities }: AbsenceReport): string {
  const { falselyMissing, swappedRefs, changes } = overTime;
  // Boards come and go by design: they are furniture, seen in part, and nobody asks when they were missed.
  const asked = changes.filter(({ id }) => !id.startsWith('board_'));
  return [
    `frames              ${frames.used} used, of them ${frames.dead} without depth and ${frames.halfDead} with half of it;`,
    `                    ${frames.withoutPose} without a pose, ${frames.turningTooFast} turning too fast`,
    `entities at the end ${entities}`,
    `spurious absences   ${falselyMissing.length}`,
    ...falselyMissing.map(({ ref, id, atS }) => `  ${ref} (${id}) at ${atS.toFixed(1)} s`),
    `refs swapped        ${swappedRefs.length}`,
    ...swappedRefs.map(({ ref, from, to }) => `  ${ref}: ${from}, then ${to}`),
    `changes             ${asked.length}`,
    ...asked.map(({ kind, id, ref, noticedAfterS, sameRef }) => {
      const after =
        noticedAfterS === undefined ? 'never noticed' : `noticed after ${noticedAfterS.toFixed(1)} s`;
      const same = sameRef === undefined ? '' : sameRef ? ', same ref' : ', another ref';
      return `  ${kind.padEnd(8)} ${id.padEnd(16)} ${ref === undefined ? 'had not been found' : after + same}`;
    }),
    '',
  ].join('\n');
}
