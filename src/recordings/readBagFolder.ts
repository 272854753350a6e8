import { access, readFile, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import type { MessageCompression } from './openPart.js';
import { RecordingError } from './RecordingError.js';

/** The files of a rosbag2 folder, in the order in which they were recorded. */
export interface BagFolder {
  readonly files: readonly string[];
  readonly messageCompression: MessageCompression;
  readonly warnings: readonly string[];
}

/** What is needed of metadata.yaml; counts and times are taken from the files themselves. */
const metadataSchema = z.object({
  rosbag2_bagfile_information: z.object({
    relative_file_paths: z.array(z.string()),
    compression_format: z.string().nullish(),
    compression_mode: z.string().nullish(),
  }),
});

/**
 * Finds the files of a bag by its metadata.yaml; without one (the recorder was killed) by their names.
 * @throws RecordingError when no file of a recording is there.
 */
export async function readBagFolder(path: string): Promise<BagFolder> {
  const warnings: string[] = [];
  const metadata = await readMetadata(path, warnings);
  const files: string[] = [];
  for (const name of metadata?.relative_file_paths ?? []) {
    const file = await existing(path, name);
    if (file === undefined) warnings.push(`${name} is named in metadata.yaml but is not there`);
    else files.push(file);
  }
  if (!metadata) files.push(...(await filesByName(path)));
  if (files.length === 0) {
    throw new RecordingError(`${path} is no recording: it holds no .mcap or .db3 file${listed(warnings)}`);
  }
  return { files, messageCompression: compressionOf(path, metadata), warnings };
}

type Metadata = z.infer<typeof metadataSchema>['rosbag2_bagfile_information'];

async function readMetadata(path: string, warnings: string[]): Promise<Metadata | undefined> {
  const file = join(path, 'metadata.yaml');
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch {
    warnings.push('metadata.yaml is missing; the files are taken in the order of their names');
    return undefined;
  }
  try {
    return metadataSchema.parse(parse(text)).rosbag2_bagfile_information;
  } catch {
    // A recorder that dies while writing it leaves half a file: the bag itself may be whole.
    warnings.push('metadata.yaml cannot be read; the files are taken in the order of their names');
    return undefined;
  }
}

function compressionOf(path: string, metadata: Metadata | undefined): MessageCompression {
  if (metadata?.compression_mode?.toLowerCase() !== 'message') return 'none';
  if (metadata.compression_format === 'zstd') return 'zstd';
  throw new RecordingError(
    `${path}: messages are packed as "${metadata.compression_format}"; only zstd can be read`,
  );
}

/** Early versions of rosbag2 put the folder's name before the file's; a renamed bag must still open. */
async function existing(folder: string, name: string): Promise<string | undefined> {
  for (const candidate of [join(folder, name), join(folder, basename(name))]) {
    const isThere = await access(candidate).then(
      () => true,
      () => false,
    );
    if (isThere) return candidate;
  }
  return undefined;
}

async function filesByName(path: string): Promise<string[]> {
  const names = (await readdir(path)).filter((name) => /\.(mcap|db3)(\.zstd)?$/.test(name));
  // Numeric: bag_10 comes after bag_9.
  names.sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  return names.map((name) => join(path, name));
}

function listed(warnings: readonly string[]): string {
  return warnings.length === 0 ? '' : ` (${warnings.join('; ')})`;
}
