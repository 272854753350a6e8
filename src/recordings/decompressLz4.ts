/**
 * LZ4 frames (the format's public description, versions 1.6.x) unpacked in one piece. Written here because the
 * available decoder keeps one context for all calls: after a single damaged chunk it refuses every good one.
 * Checksums within the frame are not tested, since chunks carry their own. No dictionaries.
 */

const FRAME_MAGIC = 0x184d2204;
/** Bits of the frame's first flag byte. */
const HAS_DICTIONARY = 0x01;
const HAS_CONTENT_CHECKSUM = 0x04;
const HAS_CONTENT_SIZE = 0x08;
const HAS_BLOCK_CHECKSUM = 0x10;
const CHECKSUM_BYTES = 4;
/** In a block's length: the block is stored as it is. */
const STORED_BLOCK = 0x80000000;
const MIN_MATCH = 4;

/** The content of `bytes`, which must be exactly `size` long; undefined when the bytes are damaged. */
export function decompressLz4(bytes: Uint8Array, size: number): Uint8Array | undefined {
  const output = new Uint8Array(size);
  let input = 0;
  let written = 0;
  while (input < bytes.length) {
    const frame = unpackFrame(bytes, input, output, written);
    if (!frame) return undefined;
    ({ input, written } = frame);
  }
  return written === size ? output : undefined;
}

interface Progress {
  readonly input: number;
  readonly written: number;
}

function unpackFrame(
  bytes: Uint8Array,
  start: number,
  output: Uint8Array,
  outputStart: number,
): Progress | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (start + 7 > bytes.length || view.getUint32(start, true) !== FRAME_MAGIC) return undefined;
  const flags = bytes[start + 4];
  if (flags >> 6 !== 1 || (flags & HAS_DICTIONARY) !== 0) return undefined;
  const blockChecksumBytes = flags & HAS_BLOCK_CHECKSUM ? CHECKSUM_BYTES : 0;
  // Magic, two flag bytes, the content's size if given, the header's checksum.
  let input = start + 7 + (flags & HAS_CONTENT_SIZE ? 8 : 0);
  let written = outputStart;
  for (;;) {
    if (input + 4 > bytes.length) return undefined;
    const field = view.getUint32(input, true);
    input += 4;
    if (field === 0) break;
    const end = input + (field & ~STORED_BLOCK);
    if (end + blockChecksumBytes > bytes.length) return undefined;
    const block = bytes.subarray(input, end);
    const next =
      (field & STORED_BLOCK) !== 0 ? store(block, output, written) : unpackBlock(block, output, written);
    if (next === undefined) return undefined;
    written = next;
    input = end + blockChecksumBytes;
  }
  input += flags & HAS_CONTENT_CHECKSUM ? CHECKSUM_BYTES : 0;
  return input > bytes.length ? undefined : { input, written };
}

function store(block: Uint8Array, output: Uint8Array, at: number): number | undefined {
  if (at + block.length > output.length) return undefined;
  output.set(block, at);
  return at + block.length;
}

/**
 * Sequences of literals and a match: a byte whose halves are the two lengths (15: more bytes follow), the literals,
 * how far back the match lies. Matches may reach into earlier blocks. Returns where the output ends.
 */
function unpackBlock(block: Uint8Array, output: Uint8Array, outputStart: number): number | undefined {
  let input = 0;
  let written = outputStart;
  while (input < block.length) {
    const token = block[input++];
    let literals = token >> 4;
    if (literals === 15) {
      let more: number;
      do {
        if (input >= block.length) return undefined;
        more = block[input++]!;
        literals += more;
      } while (more === 255);
    }
    if (input + literals > block.length || written + literals > output.length) return undefined;
    output.set(block.subarray(input, input + literals), written);
    input += literals;
    written += literals;
    // The last sequence has no match.
    if (input === block.length) return written;
    if (input + 2 > block.length) return undefined;
    const distance = block[input] | (block[input + 1] << 8);
    input += 2;
    let length = (token & 15) + MIN_MATCH;
    if (length === 15 + MIN_MATCH) {
      let more: number;
      do {
        if (input >= block.length) return undefined;
        more = block[input++]!;
        length += more;
      } while (more === 255);
    }
    const from = written - distance;
    if (distance === 0 || from < 0 || written + length > output.length) return undefined;
    if (distance >= length) output.copyWithin(written, from, from + length);
    // The match overlaps what it writes: it repeats itself, so byte by byte.
    else for (let i = 0; i < length; i++) output[written + i] = output[from + i]!;
    written += length;
  }
  return written;
}
