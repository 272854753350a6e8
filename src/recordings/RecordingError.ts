/** A recording that cannot be opened or written at all; the message says which one and why. */
export class RecordingError extends Error {
  override readonly name = 'RecordingError';
}
