import { interpolateTransforms } from '../math/rigidTransform.js';
import type { RigidTransform } from '../math/types.js';
import type { DurationNs, Stamp } from '../time/Stamp.js';
import type { Gap, InsertCause } from './TransformError.js';

/** Where a frame hangs at one moment. */
export interface Placement {
  readonly parent: string;
  readonly parent_T_frame: RigidTransform;
}

export interface Sample extends Placement {
  readonly stamp: Stamp;
}

export type PlacementResult =
  { readonly ok: true; readonly placement: Placement } | { readonly ok: false; readonly gap?: Gap };

/** What a frame's history can answer; a moving and a fixed frame differ only behind this. */
export interface FrameCache {
  readonly isStatic: boolean;
  insert(sample: Sample): 'inserted' | Extract<InsertCause, 'old_data' | 'repeated_data'>;
  /** Stamp 0 asks for the newest. Without `gap` there is no data at all. */
  find(stamp: Stamp): PlacementResult;
  newest(): Sample | undefined;
}

/**
 * The samples of one moving frame in order of time, for as long back as the cache reaches from the newest.
 * Answers between two samples, never beyond them. One sample per stamp: the later one replaces, so a stamp
 * that is sent for ever does not grow the cache (tf2 keeps both).
 */
export class TimeCache implements FrameCache {
  readonly isStatic = false;
  readonly #reach: DurationNs;
  #samples: Sample[] = [];

  constructor(reach: DurationNs) {
    this.#reach = reach;
  }

  get size(): number {
    return this.#samples.length;
  }

  newest(): Sample | undefined {
    return this.#samples.at(-1);
  }

  insert(sample: Sample): 'inserted' | 'old_data' | 'repeated_data' {
    const newest = this.newest();
    if (newest && sample.stamp < newest.stamp - this.#reach) return 'old_data';
    const index = this.#firstAfter(sample.stamp);
    const before = this.#samples[index - 1];
    if (before?.stamp === sample.stamp) {
      if (sameSample(before, sample)) return 'repeated_data';
      this.#samples[index - 1] = sample;
      return 'inserted';
    }
    this.#samples.splice(index, 0, sample);
    this.#dropOld();
    return 'inserted';
  }

  find(stamp: Stamp): PlacementResult {
    const samples = this.#samples;
    const newest = samples.at(-1);
    const oldest = samples.at(0);
    if (!newest || !oldest) return { ok: false };
    if (stamp === 0n) return { ok: true, placement: newest };
    const only = samples.length === 1;
    if (stamp > newest.stamp) return gap('future_extrapolation', stamp, newest.stamp, only);
    if (stamp < oldest.stamp) return gap('past_extrapolation', stamp, oldest.stamp, only);
    const index = this.#firstAfter(stamp);
    const before = samples[index - 1] ?? oldest;
    const after = samples[index];
    return { ok: true, placement: after ? between(before, after, stamp) : before };
  }

  /** Index of the first sample later than `stamp`. Searched from the end: most questions are about now. */
  #firstAfter(stamp: Stamp): number {
    let low = 0;
    let high = this.#samples.length;
    const last = this.#samples.at(-1);
    if (!last || last.stamp <= stamp) return high;
    while (low < high) {
      const middle = (low + high) >> 1;
      const sample = this.#samples[middle];
      if (sample && sample.stamp <= stamp) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #dropOld(): void {
    const newest = this.newest();
    if (!newest) return;
    const limit = newest.stamp - this.#reach;
    let count = 0;
    while ((this.#samples[count]?.stamp ?? limit) < limit) count++;
    if (count > 0) this.#samples.splice(0, count);
  }
}

function gap(cause: Gap['cause'], asked: Stamp, nearest: Stamp, only: boolean): PlacementResult {
  return { ok: false, gap: { cause, asked, nearest, only } };
}

/** Where the parent changed in between, nothing lies between the two: the older placement holds until then. */
function between(before: Sample, after: Sample, stamp: Stamp): Placement {
  if (before.stamp === stamp || before.parent !== after.parent) return before;
  const ratio = Number(stamp - before.stamp) / Number(after.stamp - before.stamp);
  return {
    parent: before.parent,
    parent_T_frame: interpolateTransforms(before.parent_T_frame, after.parent_T_frame, ratio),
  };
}

function sameSample(a: Sample, b: Sample): boolean {
  const { translation: ta, rotation: ra } = a.parent_T_frame;
  const { translation: tb, rotation: rb } = b.parent_T_frame;
  return (
    a.parent === b.parent &&
    ta.every((value, index) => value === tb[index]) &&
    ra.every((value, index) => value === rb[index])
  );
}
