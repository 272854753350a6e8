import type { Detection } from '../camera/Detection.js';
import type { RgbdFrame } from '../camera/RgbdFrame.js';
import { failure, success, type Result } from '../math/Result.js';
import type { Detector } from './Detector.js';
import { ModelThread } from './ModelThread.js';
import type { ModelCause } from './OnnxModel.js';
import type { RuntimeOptions } from './openSession.js';
import { readDescription, type DescriptionCause } from './readDescription.js';

export type DetectorCause = DescriptionCause | ModelCause;

/**
 * A detector from the description beside its model (README: "Bring your own model"). Refused with what was expected
 * and what was found: a description that does not hold, files that are not there, a model that does not fit it, or
 * no onnxruntime. Nothing of onnxruntime is loaded before this is called.
 */
export async function createOnnxDetector(
  descriptionPath: string,
  options: RuntimeOptions = {},
): Promise<Result<Detector, DetectorCause>> {
  const description = readDescription(descriptionPath);
  if (!description.ok) return description;
  if (description.value.family === 'embedding')
    return failure('bad_description', `${descriptionPath}: family: expected a detector, found "embedding"`);
  const thread = await ModelThread.open({ description: description.value, options });
  return thread.ok ? success(new OnnxDetector(thread.value)) : thread;
}

class OnnxDetector implements Detector {
  constructor(private readonly thread: ModelThread) {}

  get notes(): readonly string[] {
    return this.thread.notes;
  }

  async detect(frame: RgbdFrame): Promise<readonly Detection[]> {
    if (frame.color === undefined) return [];
    const answer = await this.thread.ask({ image: frame.color.image });
    return answer.kind === 'detections' ? answer.detections : [];
  }

  close(): Promise<void> {
    return this.thread.close();
  }
}
