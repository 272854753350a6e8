import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { DROP_PATTERNS } from '../../src/pipeline/FrameDrop.js';
import type { Job } from './Job.js';

export interface Selection {
  /** The folder of the recordings with truth. */
  readonly data: string;
  readonly rooms: number;
  readonly drops: boolean;
  /** Parts of names; empty: all. */
  readonly only: readonly string[];
  readonly out: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly pictures: boolean;
}

/** Small scenes that each ask one question. */
const SCENES = ['two_cups', 'pick_and_place'];
/** Looks at rooms; each second one changes while it is looked at. */
const ROOM = 'room_look';

type Source = Pick<Job, 'name' | 'group' | 'source'>;

/** Every recording that has a truth file, the small scenes, and the rooms; then the same recordings with frames dropped. */
export async function listJobs(selection: Selection): Promise<Job[]> {
  const { only, drops, out, parameters, pictures } = selection;
  const recordings = await listRecordings(selection.data);
  const scenes = SCENES.map((script) => simulated(script, 1, 'scenes'));
  const rooms = Array.from({ length: selection.rooms }, (_, i) => simulated(ROOM, i + 1, 'rooms'));
  const isWanted = ({ name }: Source): boolean =>
    only.length === 0 || only.some((part) => name.includes(part));
  const whole = [...recordings, ...scenes, ...rooms].filter(isWanted);
  const dropped = drops ? DROP_PATTERNS.flatMap((drop) => whole.map((source) => ({ ...source, drop }))) : [];
  return [
    ...whole.map((source) => ({ ...source, out, parameters, pictures })),
    ...dropped.map((source) => ({
      ...source,
      name: `${source.name}, ${source.drop} dropped`,
      group: `${source.group}, ${source.drop} dropped`,
      out,
      parameters,
      pictures,
    })),
  ];
}

async function listRecordings(data: string): Promise<Source[]> {
  const names = await readdir(data);
  return names
    .filter((name) => name.endsWith('.mcap') && names.includes(truthOf(name)))
    .sort()
    .map((file) => {
      const name = file.replace(/\.mcap$/, '');
      const [bag, truth] = [path.join(data, file), path.join(data, truthOf(file))];
      // Recordings of one place begin with the same word.
      return { name, group: name.split('_')[0], source: { kind: 'recording', bag, truth } };
    });
}

function truthOf(file: string): string {
  return file.replace(/\.mcap$/, '.truth.json');
}

function simulated(script: string, seed: number, group: string): Source {
  return { name: `${script}_${seed}`, group, source: { kind: 'simulated', script, seed } };
}
