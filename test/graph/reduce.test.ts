import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isCollection } from 'immutable';
import { resolveAlias } from '../../src/graph/acceptRef.js';
import { canonicalHash } from '../../src/graph/canonicalHash.js';
import { confidenceOf } from '../../src/graph/confidenceOf.js';
import { emptyState } from '../../src/graph/emptyState.js';
import { createReducer } from '../../src/graph/reduce.js';
import { relationKey, storedEdge } from '../../src/graph/relationKey.js';
import type { GraphEvent, GraphState } from '../../src/graph/types.js';
import type { Box, Vec3 } from '../../src/math/types.js';
import { defaultParameters } from '../../src/pipeline/parameterSet.js';
import { graphParameters } from '../../src/pipeline/sceneParameters.js';
import type { FrameObservation, Visibility } from '../../src/perceive/observations.js';
import { compareRefs, parseRef } from '../../src/protocol/index.js';
import { box, execution, shippedEffects, T0 } from '../fixtures/graphStates.js';
import { frameOf, seenBox, seenLevel } from '../fixtures/observations.js';

/**
 * Random stories: a handful of things on a table are seen, hidden, carried about, merged, forgotten; the clock jumps,
 * the user resets. Whatever happens, the graph keeps its promises.
 */

const reduce = createReducer(graphParameters(defaultParameters()), shippedEffects());

const PLACES: readonly Box[] = [
  box([0, 0, 0.77], [0.09, 0.09, 0.1]),
  box([0.12, 0, 0.77], [0.09, 0.09, 0.1]),
  box([-0.4, 0.1, 0.79], [0.3, 0.2, 0.14]),
  box([-0.4, 0.1, 0.78], [0.08, 0.08, 0.08]),
  box([0.5, -0.1, 0.75], [0.22, 0.16, 0.06]),
  box([0.5, -0.1, 0.83], [0.1, 0.1, 0.1]),
];
const STRUCTURES = [
  seenLevel('support', 0.72, [-0.75, -0.4, 0.75, 0.4]),
  seenLevel('floor', 0, [-2, -2, 2, 2]),
];

type Step =
  | {
      readonly kind: 'look';
      /** The things in view, how far off each appears, how many such frames in a row, and 0.1 s steps between them. */
      readonly seen: readonly number[];
      readonly offset: Vec3;
      readonly frames: number;
      readonly tenths: number;
      /** Share of its samples through which the view on what is not seen is clear. */
      readonly clear: number;
      readonly gripperX: number;
    }
  | { readonly kind: 'do'; readonly tool: string; readonly pick: number; readonly other: number }
  | {
      readonly kind: 'correct';
      readonly how: 'relabel' | 'merge' | 'forget';
      readonly pick: number;
      readonly other: number;
    }
  | { readonly kind: 'clock_jump' }
  | { readonly kind: 'reset' };

const small = fc.double({ min: -0.03, max: 0.03, noNaN: true });
const natural = fc.nat({ max: 20 });

const look: fc.Arbitrary<Step> = fc.record({
  kind: fc.constant('look' as const),
  seen: fc.subarray([...PLACES.keys()], { minLength: 1 }),
  offset: fc.tuple(small, small, fc.constant(0)),
  frames: fc.integer({ min: 1, max: 6 }),
  tenths: fc.integer({ min: -3, max: 8 }),
  clear: fc.constantFrom(0, 0, 1),
  gripperX: fc.double({ min: -1, max: 1, noNaN: true }),
});
const act: fc.Arbitrary<Step> = fc.record({
  kind: fc.constant('do' as const),
  tool: fc.constantFrom('pick', 'place', 'put_inside', 'take_out', 'dance'),
  pick: natural,
  other: natural,
});
const correct: fc.Arbitrary<Step> = fc.record({
  kind: fc.constant('correct' as const),
  how: fc.constantFrom('relabel', 'merge', 'forget'),
  pick: natural,
  other: natural,
});
const stories = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: look },
    { weight: 3, arbitrary: act },
    { weight: 2, arbitrary: correct },
    { weight: 1, arbitrary: fc.constant<Step>({ kind: 'clock_jump' }) },
    { weight: 1, arbitrary: fc.constant<Step>({ kind: 'reset' }) },
  ),
  { minLength: 3, maxLength: 25 },
);

/** The events of a step, told with the refs that there are when it begins. */
function* eventsOf(
  step: Step,
  state: GraphState,
  serial: number,
  stampOf: (tenths: number) => bigint,
): Generator<GraphEvent> {
  const refs = [...state.entities.keys()].sort(compareRefs);
  const refAt = (index: number): string => refs[index % Math.max(1, refs.length)] ?? 'nothing_1';
  switch (step.kind) {
    case 'look':
      for (let k = 0; k < step.frames; k++)
        yield { kind: 'observation', frame: lookFrame(step, state, stampOf(step.tenths)) };
      return;
    case 'do': {
      const [obj, target] = [refAt(step.pick), refAt(step.other)];
      yield execution(step.tool, { obj, target, container: target }, { executionId: `e${serial}` });
      // The same call again changes nothing.
      yield execution(step.tool, { obj, target, container: target }, { executionId: `e${serial}` });
      return;
    }
    case 'correct':
      if (step.how === 'relabel')
        yield { kind: 'correction', correction: 'relabel', ref: refAt(step.pick), label: 'mug' };
      else if (step.how === 'merge')
        yield {
          kind: 'correction',
          correction: 'merge',
          keepRef: refAt(step.pick),
          otherRef: refAt(step.other),
        };
      else yield { kind: 'correction', correction: 'forget', ref: refAt(step.pick), why: 'test' };
      return;
    default:
      yield { kind: step.kind };
  }
}

function lookFrame(step: Step & { kind: 'look' }, state: GraphState, stamp: bigint): FrameObservation {
  const objects = step.seen.map((k) => {
    const { center, ...rest } = PLACES[k];
    const moved: Vec3 = [center[0] + step.offset[0], center[1] + step.offset[1], center[2]];
    return seenBox({ center: moved, ...rest });
  });
  const clear = Math.round(20 * step.clear);
  const through: Visibility = { samples: 20, present: 0, clear, occluded: 20 - clear };
  return frameOf(stamp, objects, STRUCTURES, {
    map_T_base: { translation: [0, -1, 0], rotation: [0, 0, 0, 1] },
    map_T_grippers: new Map([['hand', { translation: [step.gripperX, -0.5, 1], rotation: [0, 0, 0, 1] }]]),
    visibility: new Map([...state.entities.keys()].map((ref) => [ref, through])),
  });
}

/** Freezes plain values all the way down; typed arrays and immutable collections are walked, not frozen. */
function freeze(value: unknown, done = new Set<unknown>()): void {
  if (value === null || typeof value !== 'object' || done.has(value)) return;
  done.add(value);
  if (ArrayBuffer.isView(value) || value instanceof Set) return;
  if (isCollection(value)) {
    value.forEach((item: unknown) => freeze(item, done));
    return;
  }
  Object.freeze(value);
  Object.values(value).forEach((item) => freeze(item, done));
}

/** What a state says, for comparing it with itself later: sets, maps and typed arrays written out. */
function spelled(state: GraphState): string {
  return JSON.stringify(state, (_, value: unknown) => {
    if (typeof value === 'bigint') return `${value}n`;
    if (value instanceof Set) return [...(value as Set<unknown>)];
    return ArrayBuffer.isView(value) ? [...(value as Float32Array)] : value;
  });
}

interface Told {
  readonly states: readonly GraphState[];
  readonly events: readonly GraphEvent[];
}

/** Tells a story; `watch` sees every event with the states around it. */
function tell(
  story: readonly Step[],
  watch: (before: GraphState, after: GraphState, event: GraphEvent) => void = () => undefined,
): Told {
  let state = emptyState('map');
  const states = [state];
  const events: GraphEvent[] = [];
  let stamp = T0;
  const stampOf = (tenths: number): bigint => (stamp += BigInt(tenths) * 100_000_000n);
  story.forEach((step, serial) => {
    for (const event of eventsOf(step, state, serial, stampOf)) {
      const after = reduce(state, event);
      watch(state, after, event);
      events.push(event);
      states.push(after);
      state = after;
    }
  });
  return { states, events };
}

function checkPromises(state: GraphState): void {
  const { entities, relations, tombstones, aliases, robot, refCounters } = state;
  for (const [ref, entity] of entities) {
    assert.equal(entity.ref, ref);
    const parts = parseRef(ref);
    assert.ok(parts, ref);
    assert.ok(parts.n <= (refCounters.get(parts.stem) ?? 0), `${ref} is beyond its counter`);
    assert.ok(!tombstones.has(ref) && !aliases.has(ref), `${ref} lives and is dead or merged`);
    const confidence = confidenceOf(entity);
    assert.ok(confidence >= 0 && confidence <= 1, `confidence ${confidence}`);
    assert.ok(entity.labelShare >= 0 && entity.labelShare <= 1);
    assert.ok([...entity.box.center, ...entity.box.size, entity.box.yaw].every(Number.isFinite));
    assert.equal(new Set(entity.contents).size, entity.contents.length);
    for (const item of entity.contents)
      assert.ok(entities.has(item) && item !== ref, `${ref} contains ${item}`);
  }
  for (const [alias] of aliases) {
    const end = resolveAlias(state, alias);
    assert.ok(!aliases.has(end), `${alias} goes round in a ring`);
    assert.ok(
      entities.has(end) || tombstones.has(end),
      `${alias} ends in ${end}, which is neither alive nor dead`,
    );
  }
  for (const [key, edge] of relations) {
    assert.ok(entities.has(edge.ref) && entities.has(edge.otherRef), `${key} hangs`);
    assert.notEqual(edge.ref, edge.otherRef);
    assert.equal(key, relationKey(edge.ref, edge.relation, edge.otherRef));
    assert.deepEqual(storedEdge(edge), edge, `${key} stands the wrong way round`);
    if (edge.relation === 'near') assert.ok((edge.distanceM ?? NaN) >= 0, `${key} has no distance`);
  }
  const held = robot.holding.map(({ ref }) => ref).toArray();
  assert.equal(new Set(held).size, held.length);
  for (const ref of held) assert.ok(entities.has(ref), `${ref} is held and does not exist`);
}

describe('reduce', () => {
  it('keeps refs, confidences, aliases, edges and hands in order through any story', () => {
    let confirmed = 0;
    fc.assert(
      fc.property(stories, (story) => {
        tell(story, (_, after) => checkPromises(after));
        const last = tell(story).states.at(-1);
        confirmed += last?.refCounters.size ?? 0;
      }),
      { numRuns: 80 },
    );
    assert.ok(confirmed > 40, `the stories must confirm things to mean anything: ${confirmed}`);
  });

  it('never brings a dead or merged ref back to life and never issues a number twice', () => {
    fc.assert(
      fc.property(stories, (story) => {
        const gone = new Set<string>();
        const issued = new Set<string>();
        tell(story, (before, after) => {
          for (const [stem, n] of before.refCounters) assert.ok((after.refCounters.get(stem) ?? 0) >= n);
          for (const ref of before.entities.keys()) if (!after.entities.has(ref)) gone.add(ref);
          for (const ref of after.entities.keys()) {
            assert.ok(!gone.has(ref), `${ref} came back`);
            if (!before.entities.has(ref)) {
              assert.ok(!issued.has(ref), `${ref} was issued twice`);
              issued.add(ref);
            }
          }
          for (const ref of gone)
            assert.ok(after.aliases.has(ref) || after.tombstones.has(ref), `${ref} vanished without a trace`);
        });
      }),
      { numRuns: 60 },
    );
  });

  it('leaves every earlier state as it was', () => {
    fc.assert(
      fc.property(stories, (story) => {
        const spellings: string[] = [];
        const { states } = tell(story, (before, _, event) => {
          spellings.push(spelled(before));
          freeze(before);
          freeze(event);
        });
        spellings.forEach((text, k) => assert.equal(spelled(states[k]), text));
      }),
      { numRuns: 15 },
    );
  });

  it('makes the same state of the same events', () => {
    fc.assert(
      fc.property(stories, (story) => {
        const { states, events } = tell(story);
        const again = events.reduce(reduce, emptyState('map'));
        const last = states.at(-1)!;
        assert.equal(canonicalHash(again), canonicalHash(last));
        assert.equal(spelled(again), spelled(last));
      }),
      { numRuns: 25 },
    );
  });

  it('applies the same execution once', () => {
    fc.assert(
      fc.property(stories, (story) => {
        let previous: GraphEvent | undefined;
        tell(story, (before, after, event) => {
          const isRepeat =
            event.kind === 'execution' &&
            previous?.kind === 'execution' &&
            previous.executionId === event.executionId &&
            before.ledger.has(event.executionId);
          if (isRepeat) assert.equal(after, before);
          previous = event;
        });
      }),
      { numRuns: 40 },
    );
  });

  it('starts a new epoch when the clock jumps, keeps entities and drops tentative ones', () => {
    const frames = [0, 2, 4, 6, 8].map((k): GraphEvent => ({
      kind: 'observation',
      frame: frameOf(T0 + BigInt(k) * 100_000_000n, [seenBox(PLACES[0])]),
    }));
    const fresh: GraphEvent = {
      kind: 'observation',
      frame: frameOf(T0 + 900_000_000n, [seenBox(PLACES[0]), seenBox(PLACES[4])]),
    };
    const before = [...frames, fresh].reduce(reduce, emptyState('map'));
    assert.equal(before.tracks.size, 1);
    const jumped = reduce(before, { kind: 'clock_jump' });
    assert.deepEqual([jumped.epoch, jumped.graphTime, jumped.tracks.size], [1, undefined, 0]);
    const again = frames.reduce(reduce, jumped);
    assert.deepEqual([...again.entities.keys()], ['object_1']);
    assert.deepEqual(again.entities.get('object_1')?.lastSeen, { epoch: 1, stamp: T0 + 800_000_000n });
  });
});
