import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { MAX_UNPACKED_BYTES, decompress, decompressorsReady } from './decompress.js';
import { RecordingError } from './RecordingError.js';
import { zstdContentSize } from './zstdContentSize.js';

/** A file that was packed as a whole, unpacked into a folder of its own; `remove` takes it away again. */
export interface UnpackedFile {
  readonly path: string;
  remove(): Promise<void>;
}

/**
 * Unpacks a bag file that rosbag2 packed as a whole (`compression_mode: FILE`).
 * @throws RecordingError for a file beyond 256 MB unpacked: it is unpacked in memory, in one piece.
 */
export async function unpackFile(path: string): Promise<UnpackedFile> {
  const advice = `unpack it first: zstd -d ${basename(path)}`;
  if ((await stat(path)).size > MAX_UNPACKED_BYTES)
    throw new RecordingError(`${path} is too large; ${advice}`);
  await decompressorsReady();
  const packed = await readFile(path);
  const size = zstdContentSize(packed);
  if (size === undefined) throw new RecordingError(`${path} does not say its unpacked size; ${advice}`);
  const unpacked = decompress(packed, 'zstd', size);
  if (!unpacked.ok) throw new RecordingError(`${path} cannot be unpacked (${unpacked.cause}); ${advice}`);
  const folder = await mkdtemp(join(tmpdir(), 'rgbd_scene_graph_'));
  const target = join(folder, basename(path, '.zstd'));
  await writeFile(target, unpacked.bytes);
  return { path: target, remove: () => rm(folder, { recursive: true, force: true }) };
}
