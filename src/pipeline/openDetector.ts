import { createOnnxDetector } from '../detect/createOnnxDetector.js';
import type { Detector } from '../detect/Detector.js';
import type { Parameters } from './parameters.js';
import { ParameterError } from './parameterSet.js';

/**
 * The detector that the parameters describe, none for an empty description.
 * @throws ParameterError telling what of description or model was expected and what was found
 */
export async function openDetector({ detector }: Parameters): Promise<Detector | undefined> {
  const { description, providers, threads } = detector;
  if (description === '') return undefined;
  const opened = await createOnnxDetector(description, { providers, threads });
  if (opened.ok) return opened.value;
  throw new ParameterError(`detector.description: ${opened.detail}`);
}
