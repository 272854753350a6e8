import type { Parameters } from '../pipeline/parameters.js';
import { LEVEL, SILENCE_S } from './diagnostics.js';
import type { DiagnosticStatus, InputFigures } from './diagnostics.js';
import type { PipelineFigures } from './LivePipeline.js';
import { streamOf } from './streamOf.js';

/**
 * Whether what a detector elsewhere says finds its pictures, one status for each camera that is told of: nothing fails
 * when it does not, things only stay without names.
 */
export function detectorStatuses(
  inputs: readonly InputFigures[],
  { used, refused }: Pick<PipelineFigures, 'used' | 'refused'>,
  parameters: Pick<Parameters['detector'], 'waitS' | 'toleranceS'>,
  uptimeS: number,
): readonly DiagnosticStatus[] {
  const told = inputs.filter(({ spec: { kind } }) => kind === 'detections' || kind === 'instances');
  return [...new Set(told.map(({ spec }) => spec.camera))].map((camera) => {
    const own = told.filter(({ spec }) => spec.camera === camera);
    const without = refused(camera === '' ? 'detector' : `${camera}/detector`);
    return {
      name: camera === '' ? 'detector' : `${camera} detector`,
      ...judge(own, used, parameters, uptimeS),
      values: Object.fromEntries([
        ...own.map(({ spec }): [string, string] => [`${spec.kind}_used`, String(used(streamOf(spec)))]),
        ...Object.entries(without).map(([cause, count]): [string, string] => [
          `frames_${cause}`,
          String(count),
        ]),
      ]),
    };
  });
}

function judge(
  inputs: readonly InputFigures[],
  used: PipelineFigures['used'],
  { waitS, toleranceS }: Pick<Parameters['detector'], 'waitS' | 'toleranceS'>,
  uptimeS: number,
): Pick<DiagnosticStatus, 'level' | 'message'> {
  const topics = inputs.map(({ status }) => status.topic).join(' and ');
  const heard = inputs.filter(({ status }) => status.received > 0);
  if (heard.length === 0) {
    if (uptimeS < SILENCE_S) return { level: LEVEL.ok, message: `waiting for ${topics}` };
    return { level: LEVEL.warn, message: `nothing received on ${topics}: things get no names` };
  }
  for (const { spec, status, drops } of heard) {
    const [cause] = [...drops].sort((a, b) => b[1] - a[1])[0] ?? [];
    if (used(streamOf(spec)) > 0 || cause === undefined) continue;
    const why: Record<string, string> = {
      no_picture: `none within ${toleranceS} s of a colour picture`,
      picture_dropped: 'none used: the frames of their pictures are dropped',
      came_late: `all later than ${waitS} s after their picture`,
    };
    const message = `${status.received} ${spec.kind}, ${why[cause] ?? `none used: ${cause.replaceAll('_', ' ')}`}`;
    // The first pictures often come before the transforms.
    return { level: uptimeS < SILENCE_S ? LEVEL.ok : LEVEL.warn, message };
  }
  return { level: LEVEL.ok, message: 'what is said finds its pictures' };
}
