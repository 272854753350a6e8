import assert from 'node:assert/strict';
import { applyCorrection } from '../../src/graph/corrections.js';
import { applyExecution } from '../../src/graph/executions.js';
import { applyReset } from '../../src/graph/lifecycle.js';
import type { GraphEvent, GraphState } from '../../src/graph/types.js';
import { InProcessProvider } from '../../src/pipeline/InProcessProvider.js';
import { WorkingGraph, type Journal, type Reducer } from '../../src/pipeline/WorkingGraph.js';
import type { FrameObservation } from '../../src/perceive/observations.js';
import { box, entity, kitchen, shippedEffects, T0 } from '../fixtures/graphStates.js';

const EFFECTS = shippedEffects();
const S = 1_000_000_000n;

/** Every later frame moves graph time and brings a new cup. Executions and corrections are the real ones. */
const reduce: Reducer = (state, event) => {
  switch (event.kind) {
    case 'observation':
      return observe(state, event.frame.stamp);
    case 'execution':
      return applyExecution(state, event, EFFECTS).state;
    case 'correction':
      return applyCorrection(state, event).state;
    case 'reset':
      return applyReset(state);
    case 'clock_jump':
      throw new Error('no clock here');
  }
};

function observe(state: GraphState, stamp: bigint): GraphState {
  if (state.graphTime !== undefined && stamp <= state.graphTime) {
    return state;
  }
  const ref = `cup_${state.entities.size + 1}`;
  return { ...state, graphTime: stamp, entities: state.entities.set(ref, entity(ref, box([1, 1, 1]))) };
}

function observation(stamp: bigint): GraphEvent {
  const frame: FrameObservation = {
    stamp,
    cameraName: '',
    map_T_camera: { translation: [0, 0, 0], rotation: [0, 0, 0, 1] },
    map_T_grippers: new Map(),
    objects: [],
    structures: [],
  };
  return { kind: 'observation', frame };
}

function makeGraph(staleAfterS: number | undefined = 3) {
  const clock = { nowS: 100 };
  const graph = new WorkingGraph({
    initial: kitchen(),
    reduce,
    effects: EFFECTS,
    steadyNowS: () => clock.nowS,
    staleAfterS,
  });
  return { graph, clock };
}

const PICK = {
  executionId: 'e1',
  toolName: 'pick',
  arguments: { obj: 'cup_1' },
  result: {},
  evaluatorVerdict: 'success',
};

describe('WorkingGraph', () => {
  it('counts a revision for every event that changed what can be seen, and none else', async () => {
    const { graph } = makeGraph();
    const revisions: number[] = [graph.state.revision];
    const after = async (event: GraphEvent): Promise<void> => {
      await graph.submit(event);
      revisions.push(graph.state.revision);
    };
    await after(observation(T0 + S));
    await after(observation(T0 + S));
    await after({ kind: 'correction', correction: 'relabel', ref: 'cup_1', label: 'vase' });
    await after({ kind: 'correction', correction: 'relabel', ref: 'nothing_1', label: 'vase' });
    await after({ kind: 'reset' });
    assert.deepEqual(revisions, [1, 2, 2, 3, 3, 4]);
  });

  it('reduces in order, events of listeners after the one they heard of', async () => {
    const { graph } = makeGraph();
    const heard: string[] = [];
    graph.subscribe((_before, after, event) => {
      heard.push(`${event.kind} ${after.revision}`);
      if (event.kind === 'observation') {
        void graph.submit({ kind: 'reset' });
        heard.push('listener done');
      }
    });
    await graph.submit(observation(T0 + S));
    assert.deepEqual(heard, ['observation 2', 'listener done', 'reset 3']);
  });

  it('stays as it was and goes on when the reducer throws', async () => {
    const { graph } = makeGraph();
    const before = graph.state;
    await assert.rejects(graph.submit({ kind: 'clock_jump' }), /no clock here/);
    assert.equal(graph.state, before);
    await graph.submit(observation(T0 + S));
    assert.equal(graph.state.revision, 2);
  });

  it('accepts only refs of the Brief handed out last', async () => {
    const { graph } = makeGraph();
    assert.equal(graph.hasRef('cup_1'), false);
    assert.equal(graph.handOutBrief().brief.revision, 1);
    assert.equal(graph.hasRef('cup_1'), true);
    await graph.submit(observation(T0 + S));
    assert.equal(graph.state.entities.has('cup_7'), true);
    assert.equal(graph.hasRef('cup_7'), false);
    graph.handOutBrief();
    assert.equal(graph.hasRef('cup_7'), true);
  });

  it('refuses what is nested too deeply, unchanged and with the id still free', async () => {
    const { graph } = makeGraph();
    const before = graph.state;
    const deep = '{"a":'.repeat(8000) + '1' + '}'.repeat(8000);
    for (const change of [{ arguments: deep }, { result: deep }, { evaluatorVerdict: deep }]) {
      const answer = await graph.applyExecution({ ...PICK, ...change });
      assert.equal(answer.success ? 'success' : answer.kind, 'invalid_execution');
      assert.equal(graph.state, before);
    }
    const answer = await graph.applyExecution(PICK);
    assert.ok(answer.success && answer.applied && !answer.alreadyApplied);
  });

  // frame at 100 s;  now 103   103.1    frame again
  //            current   |   stale      current
  it('is stale before the first frame and when frames stay away', async () => {
    const { graph, clock } = makeGraph();
    const freshness = (): string => graph.handOutBrief().brief.freshness;
    assert.equal(freshness(), 'stale');
    await graph.submit(observation(T0 + S));
    clock.nowS = 103;
    assert.equal(freshness(), 'current');
    clock.nowS = 103.1;
    assert.equal(freshness(), 'stale');
    await graph.submit(observation(T0 + 2n * S));
    assert.equal(freshness(), 'current');
    await graph.submit({ kind: 'reset' });
    assert.equal(freshness(), 'stale');
  });

  it('offline is never stale after its first frame', async () => {
    const { graph, clock } = makeGraph(undefined);
    const offline = new WorkingGraph({
      initial: graph.state,
      reduce,
      effects: EFFECTS,
      steadyNowS: () => clock.nowS,
      staleAfterS: undefined,
    });
    assert.equal(offline.isStale(), true);
    await offline.submit(observation(T0 + S));
    await offline.submit({ kind: 'reset' });
    clock.nowS = 1e6;
    assert.equal(offline.isStale(), false);
  });

  it('tells since when and why perception is blind, counted on the steady clock', () => {
    const { graph, clock } = makeGraph();
    graph.setPerceptionHealth('blind', 'no depth');
    clock.nowS += 12.9;
    graph.setPerceptionHealth('blind', 'no depth');
    const { brief, text, blindSince } = graph.handOutBrief();
    assert.deepEqual(brief.perception, {
      state: 'blind',
      reason: 'no depth',
      blindSince: '2026-07-27T12:00:00Z',
    });
    assert.equal(blindSince, T0);
    assert.ok(text.includes('; perception=blind since 12s (no depth)\n'));
    graph.setPerceptionHealth('ok');
    assert.deepEqual(graph.handOutBrief().brief.perception, { state: 'ok' });
  });

  it('applies an execution once when ten come at once, also with frames between', async () => {
    const { graph } = makeGraph();
    const answers = await Promise.all(
      Array.from({ length: 10 }, async (_item, k) => {
        void graph.submit(observation(T0 + BigInt(k + 1) * S));
        return graph.applyExecution(PICK);
      }),
    );
    assert.deepEqual(
      answers.map((answer) => answer.success && answer.alreadyApplied),
      [false, ...Array.from({ length: 9 }, () => true)],
    );
    assert.equal(graph.state.robot.holding.size, 1);
    assert.ok(answers.every((answer) => answer.success && answer.revision === 3));
  });

  it('answers a used id before it looks at anything else in the call', async () => {
    const { graph } = makeGraph();
    await graph.applyExecution(PICK);
    const broken = { ...PICK, arguments: '{', evaluatorVerdict: 'failure', toolName: '' };
    const answer = await graph.applyExecution(broken);
    assert.ok(answer.success && answer.alreadyApplied && answer.applied);
  });

  it('says why an execution was refused', async () => {
    const { graph } = makeGraph();
    const answer = await graph.applyExecution({ ...PICK, arguments: { obj: 'cup_99' } });
    assert.ok(!answer.success);
    assert.equal(answer.kind, 'effect_ref_not_found');
    const corrected = await graph.applyCorrection({
      kind: 'correction',
      correction: 'forget',
      ref: 'cup_99',
      why: '',
    });
    assert.equal(corrected.success, false);
  });
});

describe('InProcessProvider', () => {
  const view = (name: string) =>
    ({ name, data: Uint8Array.of(1), mediaType: 'image/jpeg', caption: name, freshness: 'current' }) as const;

  it('serves up to three views, those of removed things only when asked', async () => {
    const { graph } = makeGraph();
    const evidence = {
      viewsOf: (ref: string) => Promise.resolve([1, 2, 3, 4].map((k) => view(`${ref}-${k}`))),
    };
    const provider = new InProcessProvider({ graph, evidence });
    await provider.brief();
    const answer = await provider.getImage('cup_1');
    assert.ok(answer.success);
    assert.deepEqual(
      answer.images.map(({ name }) => name),
      ['cup_1-1', 'cup_1-2', 'cup_1-3'],
    );
    const robot = await provider.getImage('robot');
    assert.ok(!robot.success && robot.kind === 'scene_graph_ref_not_found');
    await graph.applyCorrection({ kind: 'correction', correction: 'forget', ref: 'cup_1', why: 'junk' });
    const removed = await provider.getImage('cup_1');
    assert.ok(!removed.success && removed.kind === 'scene_graph_ref_removed');
    const served = await provider.getImage(' cup_1 ', { includeRemoved: true });
    assert.ok(served.success && served.objectRef === 'cup_1');
  });

  it('answers not_available without a store of views and internal_error when one throws', async () => {
    const { graph } = makeGraph();
    const plain = new InProcessProvider({ graph });
    await plain.brief();
    const none = await plain.getImage('cup_1');
    assert.ok(!none.success && none.kind === 'not_available');
    const logged: string[] = [];
    const failing = new InProcessProvider({
      graph,
      evidence: { viewsOf: () => Promise.reject(new Error('ENOENT /var/lib/views/1.jpg')) },
      onInternalError: (operation, error) => logged.push(`${operation}: ${String(error)}`),
    });
    const broken = await failing.getImage('cup_1');
    assert.ok(!broken.success && broken.kind === 'internal_error');
    assert.ok(!broken.reason.includes('/'));
    assert.equal(logged.length, 1);
  });
});

describe('a working graph with a journal', () => {
  const PICK = { toolName: 'pick', arguments: { obj: 'cup_1' }, result: {}, evaluatorVerdict: 'success' };

  /** Writes when told to, and says then how it went. */
  function journaled(reducer: Reducer = reduce) {
    const writes: { readonly after: GraphState; readonly end: (reason?: string) => Promise<void> }[] = [];
    const journal: Journal = {
      commit: (after, onWritten) =>
        new Promise((resolve) => {
          const end = async (reason?: string): Promise<void> => {
            if (reason === undefined) onWritten();
            resolve(reason);
            await new Promise(setImmediate);
          };
          writes.push({ after, end });
        }),
    };
    const steadyNowS = (): number => 0;
    const graph = new WorkingGraph({
      initial: kitchen(),
      reduce: reducer,
      effects: EFFECTS,
      steadyNowS,
      staleAfterS: 3,
      journal,
    });
    return { graph, writes };
  }

  it('answers an execution only once it is written, and shows nothing of it before', async () => {
    const { graph, writes } = journaled();
    let isAnswered = false;
    const answer = graph.applyExecution({ ...PICK, executionId: 'a' }).finally(() => (isAnswered = true));
    await new Promise(setImmediate);
    assert.equal(writes.length, 1);
    assert.ok(!isAnswered && graph.state.robot.holding.isEmpty() && graph.state.ledger.isEmpty());
    assert.ok(writes[0].after.ledger.has('a') && writes[0].after.robot.holding.size === 1);
    await writes[0].end();
    assert.equal((await answer).success, true);
    assert.equal(graph.state, writes[0].after);
  });

  it('refuses with store_failed what could not be written, changes nothing and leaves the id free', async () => {
    const { graph, writes } = journaled();
    const before = graph.state;
    const changes: GraphState[] = [];
    graph.subscribe((_, after) => changes.push(after));
    const first = graph.applyExecution({ ...PICK, executionId: 'a' });
    await writes[0].end('the disk is full');
    const refused = await first;
    assert.ok(!refused.success);
    assert.equal(refused.kind, 'store_failed');
    assert.equal(refused.reason, 'It could not be stored, so nothing was changed: the disk is full.');
    assert.equal(graph.state, before);
    assert.deepEqual(changes, []);
    const second = graph.applyExecution({ ...PICK, executionId: 'a' });
    await writes[1].end();
    const applied = await second;
    assert.ok(applied.success && applied.applied && !applied.alreadyApplied);
  });

  it('writes one of ten calls with one id, and answers all after it', async () => {
    const { graph, writes } = journaled();
    const calls = Array.from({ length: 10 }, () => graph.applyExecution({ ...PICK, executionId: 'a' }));
    await writes[0].end();
    const answers = await Promise.all(calls);
    assert.equal(writes.length, 1);
    assert.equal(answers.filter((answer) => answer.success && !answer.alreadyApplied).length, 1);
    assert.equal(answers.filter((answer) => answer.success && answer.alreadyApplied).length, 9);
  });

  it('lets frames wait for what is being written, and keeps their order', async () => {
    const { graph, writes } = journaled();
    const execution = graph.applyExecution({ ...PICK, executionId: 'a' });
    const frame = graph.submit(observation(T0 + S));
    await new Promise(setImmediate);
    assert.equal(graph.state.graphTime, T0);
    await writes[0].end();
    await Promise.all([execution, frame]);
    assert.equal(graph.state.graphTime, T0 + S);
    assert.equal((await frame).before, writes[0].after);
    assert.equal(writes.length, 1, 'a frame is not written before it counts');
  });

  it('writes corrections and resets too, and refuses them alike', async () => {
    const { graph, writes } = journaled();
    const before = graph.state;
    const correction = graph.applyCorrection({
      kind: 'correction',
      correction: 'relabel',
      ref: 'cup_1',
      label: 'mug',
    });
    await writes[0].end('the disk is full');
    const reset = graph.submit({ kind: 'reset' });
    await writes[1].end('the disk is full');
    const answers = [await correction, (await reset).refusal];
    assert.deepEqual(
      answers.map((answer) => answer?.success === false && answer.kind),
      ['store_failed', 'store_failed'],
    );
    assert.equal(graph.state, before);
  });

  it('writes nothing for a refusal, a repeat, or a correction that changes nothing', async () => {
    const { graph, writes } = journaled();
    const first = graph.applyExecution({ ...PICK, executionId: 'a' });
    await writes[0].end();
    await first;
    await graph.applyExecution({ ...PICK, executionId: 'a' });
    await graph.applyExecution({ ...PICK, executionId: 'b', evaluatorVerdict: 'failure' });
    await graph.applyExecution({ ...PICK, executionId: 'c', arguments: { obj: 'cup_9' } });
    await graph.applyCorrection({ kind: 'correction', correction: 'forget', ref: 'cup_9', why: '' });
    assert.equal(writes.length, 1);
  });

  it('goes on after a journal that throws', async () => {
    const journal: Journal = { commit: () => Promise.reject(new Error('broken')) };
    const steadyNowS = (): number => 0;
    const graph = new WorkingGraph({
      initial: kitchen(),
      reduce,
      effects: EFFECTS,
      steadyNowS,
      staleAfterS: 3,
      journal,
    });
    await assert.rejects(graph.applyExecution({ ...PICK, executionId: 'a' }), /broken/);
    await graph.submit(observation(T0 + S));
    assert.equal(graph.state.graphTime, T0 + S);
  });

  it('shows a new ref only once it is written, but shows it also when it cannot be', async () => {
    const naming: Reducer = (state, event) => {
      const seen = reduce(state, event);
      return seen === state
        ? state
        : { ...seen, refCounters: seen.refCounters.set('cup', seen.entities.size) };
    };
    for (const reason of [undefined, 'the disk is full']) {
      const { graph, writes } = journaled(naming);
      const frame = graph.submit(observation(T0 + S));
      await new Promise(setImmediate);
      assert.equal(writes.length, 1);
      assert.ok(!graph.state.entities.has('cup_7'));
      await writes[0].end(reason);
      assert.equal((await frame).refusal, undefined);
      assert.ok(graph.state.entities.has('cup_7'));
    }
  });
});
