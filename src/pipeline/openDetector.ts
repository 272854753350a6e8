import { createOnnxDetector } from '../detect/createOnnxDetector.js';
import type { Detector } from '../detect/Detector.js';
import type { Parameters } from './parameters.js';

/**
 * The detector that the parameters describe, none for an empty description.
 * @throws Error telling what of description or model was expected and what was found
 */
export async function openDetector({ detector }: Parameters): Promise<Detector | undefined> {
  const { description, providers, threads } = detector;
  if (description === '') return undefined;
  const opened = await createOnnxDetector(description, { providers, threads });
  if (opened.ok) return opened.value;
  throw new Error(`detector.description: ${opened.cause}: ${opened.detail}`);
}
