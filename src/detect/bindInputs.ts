import type { InferenceSession } from 'onnxruntime-node';
import { failure, success, type Result } from '../math/Result.js';
import type { ModelDescription } from './Description.js';

/** Which of a model's inputs takes what. */
export interface InputNames {
  readonly picture: string;
  /** Of the deployed form of RT-DETR and D-FINE. */
  readonly targetSizes?: string;
  /** Does the model take several pictures at once? */
  readonly anyBatch: boolean;
}

const TARGET_SIZES = 'orig_target_sizes';

/** Finds the inputs and the outputs that the description speaks of, and holds their sizes against it. */
export function bindInputs(
  session: InferenceSession,
  description: ModelDescription,
): Result<InputNames, 'wrong_shape'> {
  const { source, input } = description;
  const refuse = (key: string, expected: string, found: string) =>
    failure(
      'wrong_shape',
      `${source}: ${key}: expected ${expected}, found ${found} in ${description.modelPath}`,
    );
  const absent = description.outputs?.find((name) => !session.outputNames.includes(name));
  if (absent !== undefined)
    return refuse('outputs', `one of ${session.outputNames.join(', ')}`, `"${absent}" which is not`);
  const pictures = session.inputNames.filter((name) => name !== TARGET_SIZES);
  const picture = input.name ?? pictures[0];
  if (picture === undefined || !pictures.includes(picture))
    return refuse('input.name', `one of ${pictures.join(', ')}`, `"${picture ?? ''}" which is not`);
  if (pictures.length > 1)
    return refuse('input', 'a model with one input for the picture', pictures.join(', '));
  const metadata = session.inputMetadata.find(({ name }) => name === picture);
  if (!metadata?.isTensor || metadata.type !== 'float32')
    return refuse('input', 'float32', metadata?.isTensor ? metadata.type : 'no tensor');
  const wanted = [1, 3, input.height, input.width];
  // A size with a name instead of a number is any size.
  const fits =
    metadata.shape.length === 4 &&
    metadata.shape.every((size, i) => typeof size === 'string' || size === wanted[i]);
  if (!fits)
    return refuse('input', `1x3x${input.height}x${input.width} (height, width)`, metadata.shape.join('x'));
  const targetSizes = session.inputNames.find((name) => name === TARGET_SIZES);
  return success({ picture, targetSizes, anyBatch: typeof metadata.shape[0] === 'string' });
}
