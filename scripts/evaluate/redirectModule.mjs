import { register } from 'node:module';
import { isMainThread } from 'node:worker_threads';

/**
 * Loaded before a run that goes without one mechanism: whoever imports src/FOLDER/NAME.ts gets neutral/NAME.ts from
 * beside this file instead, which does nothing in the mechanism's place. The code under test has no switches for it.
 */

const replaced = new URL(`../../src/${process.env.WITHOUT_MODULE}`, import.meta.url).href;
const neutral = new URL(`neutral/${replaced.split('/').at(-1)}`, import.meta.url).href;

if (isMainThread) register(import.meta.url);

export async function resolve(specifier, context, next) {
  const found = await next(specifier, context);
  const isReplaced = found.url.split('?')[0] === replaced;
  const isOwnImport = context.parentURL?.split('?')[0] === neutral;
  return isReplaced && !isOwnImport ? { ...found, url: neutral } : found;
}
