import { encodeInput } from '../../../src/input/encodeInput.js';
import { MessageCodec } from '../../../src/input/MessageCodec.js';
import type { InputMessage } from '../../../src/input/messages.js';

const codec = new MessageCodec();

/** A small grey picture as CDR, for publishing raw. */
export function encodeTestImage(stamp: bigint): Buffer {
  const image = {
    stamp,
    frameId: 'camera_optical_frame',
    width: 4,
    height: 2,
    encoding: 'mono8',
    isBigEndian: false,
    step: 4,
    data: Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8),
  };
  return encode({ kind: 'color', camera: '', image });
}

export function encode(message: InputMessage): Buffer {
  return Buffer.from(encodeInput(message, codec).bytes);
}
