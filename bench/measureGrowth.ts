/** How the time of one frame grows with what the graph knows: only what is in view or near may cost. */
import { emptyState } from '../src/graph/emptyState.js';
import { knownScene } from '../src/graph/knownScene.js';
import { observeFrame } from '../src/graph/observeFrame.js';
import type { GraphState } from '../src/graph/types.js';
import type { Vec3 } from '../src/math/types.js';
import type { ObjectObservation, Visibility } from '../src/perceive/observations.js';
import { defaultParameters } from '../src/pipeline/parameterSet.js';
import { graphParameters } from '../src/pipeline/sceneParameters.js';
import { frameOf, seenBox, seenLevel } from '../test/fixtures/observations.js';

export interface GrowthRow {
  readonly entities: number;
  /** Median of asking what is known around the camera, milliseconds. */
  readonly knownMs: number;
  /** Median of association, absence, merging and relations, milliseconds. */
  readonly graphMs: number;
}

const PERIOD = 100_000_000n;
const PER_TABLE = 15;
/** Frames that show a table before it is known, and frames that are timed. */
const TO_LEARN = 8;
const LOOKS = 120;
/** How far the camera may tell something: twice the default depth limit. */
const REACH_M = 12;
const GRAPH = graphParameters(defaultParameters());

/** A table of things, tables three metres apart in rows of a hundred. */
function tableAt(index: number): { objects: ObjectObservation[]; center: Vec3 } {
  const [x, y] = [3 * (index % 100), 3 * Math.floor(index / 100)];
  const objects = Array.from({ length: PER_TABLE }, (_, k) =>
    seenBox({
      center: [x - 0.4 + 0.2 * (k % 5), y - 0.2 + 0.2 * Math.floor(k / 5), 0.77],
      size: [0.08, 0.08, 0.1],
      yaw: 0,
    }),
  );
  return { objects, center: [x, y, 0.77] };
}

/** One frame in front of a table: everything on it is seen again. */
function look(
  state: GraphState,
  index: number,
  frame: number,
): { state: GraphState; knownMs: number; graphMs: number } {
  const { objects, center } = tableAt(index);
  const start = performance.now();
  const { probes = [] } = knownScene(state, { center, reachM: REACH_M });
  const known = performance.now();
  const visibility = new Map<string, Visibility>();
  for (const { key, samples } of probes) {
    const off = Math.hypot(samples[0] - center[0], samples[1] - center[1]);
    if (off < 1) visibility.set(key, { samples: 25, present: 25, clear: 0, occluded: 0 });
  }
  const observation = frameOf(
    1_700_000_000_000_000_000n + BigInt(frame) * PERIOD,
    objects,
    [seenLevel('support', 0.72, [center[0] - 0.6, center[1] - 0.4, center[0] + 0.6, center[1] + 0.4])],
    {
      map_T_camera: { translation: [center[0], center[1] - 1.2, 1.3], rotation: [0, 0, 0, 1] },
      visibility,
    },
  );
  const before = performance.now();
  const next = observeFrame(state, observation, GRAPH);
  return { state: next, knownMs: known - start, graphMs: performance.now() - before };
}

const median = (values: number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? NaN;

/** A graph as frames have made it, and how much of the room they have seen. */
interface Grown {
  readonly state: GraphState;
  readonly tables: number;
  readonly frames: number;
}

const NOTHING: Grown = { state: emptyState('map'), tables: 0, frames: 0 };

/** Sees one table after the other until there are at least so many entities. */
function grown({ state, tables, frames }: Grown, size: number): Grown {
  for (; state.entities.size < size; tables++)
    for (let k = 0; k < TO_LEARN; k++) state = look(state, tables, frames++).state;
  return { state, tables, frames };
}

/** A graph of at least so many entities. */
export function growTo(size: number): GraphState {
  return grown(NOTHING, size).state;
}

/** @param sizes numbers of entities, rising */
export function measureGrowth(sizes: readonly number[]): GrowthRow[] {
  let room = NOTHING;
  return sizes.map((size) => {
    room = grown(room, size);
    const looks = Array.from({ length: LOOKS }, (_, k) => {
      const result = look(room.state, Math.floor(k / 6) % room.tables, room.frames);
      room = { ...room, state: result.state, frames: room.frames + 1 };
      return result;
    });
    return {
      entities: room.state.entities.size,
      knownMs: median(looks.map(({ knownMs }) => knownMs)),
      graphMs: median(looks.map(({ graphMs }) => graphMs)),
    };
  });
}
