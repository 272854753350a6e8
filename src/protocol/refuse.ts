/** Makes refusals whose sentence is safe to hand out: short, printable, with no local path. */
import type { Refusal } from './protocols.js';
import type { RefusalKind } from './words.js';

const MAX_SENTENCE = 200;
const MAX_INPUT = 60;

/** A refusal with its sentence made safe and cut to 200 characters. */
export function refuse(kind: RefusalKind, sentence: string): Refusal {
  return { success: false, kind, reason: shorten(withoutPaths(escapeText(sentence)), MAX_SENTENCE) };
}

/** What a caller sent, made safe to hand back in an answer's field: at most `limit` characters. */
export function safeInput(input: string, limit: number = MAX_INPUT): string {
  return shorten(withoutPaths(escapeText(input.slice(0, limit * 4))), limit);
}

/** What a caller sent, quoted for a sentence: shortened to 60 characters, control characters escaped. */
export function quoteInput(input: unknown): string {
  return `'${safeInput(typeof input === 'string' ? input : describe(input))}'`;
}

function describe(input: unknown): string {
  try {
    return JSON.stringify(input) ?? String(input);
  } catch {
    // A cycle or a bigint inside: only its type can be told.
    return typeof input;
  }
}

/** Control, format, separator characters and lone surrogates as `\u{…}`. */
export function escapeText(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

/** Whether something in the text looks like a path of this or any machine. */
export function holdsLocalPath(text: string): boolean {
  return withoutPaths(text) !== text;
}

/** Replaces what looks like a path of this or any machine by `<path>`. */
function withoutPaths(text: string): string {
  return (
    text
      .replace(/file:[^\s'"]*/gi, '<path>')
      // From a home or a folder that is told relatively; a slash within a word is none: 'and/or', '3 m/s'.
      .replace(/(?<![\p{L}\p{N}_.])(~[\w.-]*|\.{1,2})[\\/][^\s'")\],;]*/gu, '<path>')
      .replace(/(?<![\p{L}\p{N}_.])\/[^\s'")\],;]+/gu, '<path>')
      .replace(/[A-Za-z]:\\[^\s'"]*|\\\\[A-Za-z0-9][^\s'"]*/g, '<path>')
  );
}

function shorten(text: string, limit: number): string {
  if (text.length <= limit) {
    return text;
  }
  const cut = text.slice(0, limit - 1);
  const endsInHalf = /[\ud800-\udbff]$/.test(cut);
  return `${endsInHalf ? cut.slice(0, -1) : cut}…`;
}
