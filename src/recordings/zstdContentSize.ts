const ZSTD_MAGIC = 0xfd2fb528;

/**
 * Unpacked size as the header of a zstd frame gives it (RFC 8878, 3.1.1.1); undefined when the bytes are no zstd
 * frame or the frame does not say.
 */
export function zstdContentSize(frame: Uint8Array): number | undefined {
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength);
  if (frame.length < 6 || view.getUint32(0, true) !== ZSTD_MAGIC) return undefined;
  const descriptor = view.getUint8(4);
  const isSingleSegment = (descriptor & 0x20) !== 0;
  const sizeFlag = descriptor >> 6;
  const dictionaryBytes = [0, 1, 2, 4][descriptor & 3];
  const offset = 5 + (isSingleSegment ? 0 : 1) + dictionaryBytes;
  const fieldBytes = sizeFlag === 0 ? (isSingleSegment ? 1 : 0) : 1 << sizeFlag;
  if (fieldBytes === 0 || offset + fieldBytes > frame.length) return undefined;
  if (fieldBytes === 1) return view.getUint8(offset);
  // The two-byte form counts from 256.
  if (fieldBytes === 2) return view.getUint16(offset, true) + 256;
  if (fieldBytes === 4) return view.getUint32(offset, true);
  return Number(view.getBigUint64(offset, true));
}
