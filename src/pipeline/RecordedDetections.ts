import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { Detection } from '../camera/Detection.js';
import type { RgbdFrame } from '../camera/RgbdFrame.js';
import type { Detector } from '../detect/Detector.js';
import { durationFromSeconds, type DurationNs, type Stamp } from '../time/Stamp.js';

/** A file's `detections`: per picture its stamp in seconds and what is in it, boxes in pixels of the colour picture. */
const fileSchema = z.looseObject({
  detections: z.array(
    z.looseObject({
      stamp: z.number(),
      items: z.array(
        z.looseObject({
          label: z.string().min(1),
          score: z.number().min(0).max(1),
          box: z.tuple([z.number(), z.number(), z.number(), z.number()]),
        }),
      ),
    }),
  ),
});

interface Picture {
  readonly stamp: Stamp;
  readonly items: readonly Detection[];
}

/** Detections that were made elsewhere and written down, as a detector: each frame gets those of its picture. */
export class RecordedDetections implements Detector {
  readonly notes = [];
  readonly #pictures: readonly Picture[];

  /** @param maxInterval largest difference between the stamps of a frame and of the picture that was looked at */
  constructor(
    pictures: readonly Picture[],
    readonly maxInterval: DurationNs,
  ) {
    this.#pictures = [...pictures].sort((a, b) => (a.stamp < b.stamp ? -1 : 1));
  }

  detect({ stamp }: RgbdFrame): Promise<readonly Detection[]> {
    const picture = this.#nearest(stamp);
    if (picture !== undefined) return Promise.resolve(picture.items);
    return Promise.reject(new Error('the file has no detections of this picture'));
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  #nearest(stamp: Stamp): Picture | undefined {
    let low = 0;
    let high = this.#pictures.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#pictures[middle].stamp < stamp) low = middle + 1;
      else high = middle;
    }
    const candidates = this.#pictures.slice(Math.max(0, low - 1), low + 1);
    const within = candidates.filter((picture) => distance(picture.stamp, stamp) <= this.maxInterval);
    return within.sort((a, b) => Number(distance(a.stamp, stamp) - distance(b.stamp, stamp)))[0];
  }
}

function distance(a: Stamp, b: Stamp): DurationNs {
  return a < b ? b - a : a - b;
}

/** @throws Error with the file and the field when it is not of this form. */
export async function readRecordedDetections(
  file: string,
  maxIntervalS: number,
): Promise<RecordedDetections> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new Error(`cannot read the detections ${file}: ${(error as NodeJS.ErrnoException).code}`);
  });
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new Error(`${file}: no JSON: ${(error as Error).message}`);
  }
  const parsed = fileSchema.safeParse(json);
  if (!parsed.success) {
    const [{ path, message }] = parsed.error.issues;
    throw new Error(`${file}: ${path.join('.') || 'the file'}: ${message}`);
  }
  const pictures = parsed.data.detections.map(({ stamp, items }) => ({
    stamp: durationFromSeconds(stamp),
    items: items.map(({ label, score, box }): Detection => ({ label, score, box })),
  }));
  return new RecordedDetections(pictures, durationFromSeconds(maxIntervalS));
}
