import { createOnnxDetector } from '../detect/createOnnxDetector.js';
import type { Detector } from '../detect/Detector.js';
import type { Parameters } from './parameters.js';
import { ParameterError } from './parameterSet.js';

/**
 * The detector that the parameters describe: none for an empty description, nor where another node names things.
 * @throws ParameterError telling what of description or model was expected and what was found
 */
export async function openDetector({ detector }: Parameters): Promise<Detector | undefined> {
  const { source, description, providers, threads } = detector;
  if (source === 'topic' && description !== '')
    throw new ParameterError('detector.description: expected none with detector.source topic');
  if (source !== 'model' || description === '') return undefined;
  const opened = await createOnnxDetector(description, { providers, threads });
  if (opened.ok) return opened.value;
  throw new ParameterError(`detector.description: ${opened.detail}`);
}
