/** Longer than any name that a person gave; what is longer is damage or an attack on memory. */
export const MAX_FRAME_ID_LENGTH = 256;

const SHOWN = 64;

/** A frame id as reports show it: whole when it is of usual length. */
export function shortFrameId(frameId: string): string {
  return frameId.length <= SHOWN ? frameId : `${frameId.slice(0, SHOWN)}… (${frameId.length} characters)`;
}
