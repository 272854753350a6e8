import type { Detection } from '../camera/Detection.js';
import type { ColorImage } from '../camera/RgbdFrame.js';
import { failure, success, type Result } from '../math/Result.js';
import type { DetectorCause } from './createOnnxDetector.js';
import type { SourceRect } from './fitPicture.js';
import { ModelThread } from './ModelThread.js';
import type { RuntimeOptions } from './openSession.js';
import { readDescription } from './readDescription.js';

/** What boxes of a picture look like, as vectors of unit length to be compared by dot product. */
export interface Embedder {
  readonly notes: readonly string[];

  /** One vector for each box, in their order; boxes are left, top, right, bottom in pixels, as detections have them. */
  embed(image: ColorImage, boxes: readonly Detection['box'][]): Promise<readonly Float32Array[]>;

  close(): Promise<void>;
}

/** As `createOnnxDetector`, for a description of family `embedding`. */
export async function createEmbedder(
  descriptionPath: string,
  options: RuntimeOptions = {},
): Promise<Result<Embedder, DetectorCause>> {
  const description = readDescription(descriptionPath);
  if (!description.ok) return description;
  const { family } = description.value;
  if (family !== 'embedding')
    return failure('bad_description', `${descriptionPath}: family: expected embedding, found "${family}"`);
  const opened = await ModelThread.open({ description: description.value, options });
  if (!opened.ok) return opened;
  const thread = opened.value;
  return success({
    notes: thread.notes,
    async embed(image: ColorImage, boxes: readonly Detection['box'][]) {
      if (boxes.length === 0) return [];
      const answer = await thread.ask({ image, rects: boxes.map((box) => cropRect(box, image)) });
      return answer.kind === 'vectors' ? answer.vectors : [];
    },
    close: () => thread.close(),
  });
}

/** The whole pixels that a box touches, at least one. */
function cropRect([x0, y0, x1, y1]: Detection['box'], image: ColorImage): SourceRect {
  const left = Math.min(image.width - 1, Math.max(0, Math.floor(x0)));
  const top = Math.min(image.height - 1, Math.max(0, Math.floor(y0)));
  const right = Math.min(image.width, Math.max(left + 1, Math.ceil(x1)));
  const bottom = Math.min(image.height, Math.max(top + 1, Math.ceil(y1)));
  return { left, top, width: right - left, height: bottom - top };
}
