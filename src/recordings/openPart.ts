import { McapFile } from './McapFile.js';
import type { RecordingPart } from './Recording.js';
import { RecordingError } from './RecordingError.js';
import { SqliteFile } from './SqliteFile.js';
import { unpackFile } from './unpackFile.js';

/** How the payload of each single message is compressed, which only the folder's metadata tells. */
export type MessageCompression = 'none' | 'zstd';

/** Opens one file by what its name ends in; `.zstd` files are unpacked beside nothing: into a temporary file. */
export async function openPart(
  path: string,
  messageCompression: MessageCompression = 'none',
): Promise<RecordingPart> {
  if (path.endsWith('.mcap')) return McapFile.open(path, messageCompression);
  if (path.endsWith('.db3')) return SqliteFile.open(path, messageCompression);
  if (path.endsWith('.zstd')) return openUnpacked(path, messageCompression);
  throw new RecordingError(`${path} is no recording: expected a .mcap or .db3 file or a rosbag2 folder`);
}

async function openUnpacked(path: string, messageCompression: MessageCompression): Promise<RecordingPart> {
  const unpacked = await unpackFile(path);
  try {
    const part = await openPart(unpacked.path, messageCompression);
    const close = part.close.bind(part);
    part.close = async () => {
      await close();
      await unpacked.remove();
    };
    return part;
  } catch (error) {
    await unpacked.remove();
    throw error;
  }
}
