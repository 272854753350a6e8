import assert from 'node:assert/strict';
import sharp from 'sharp';
import type { RgbdFrame } from '../../src/camera/RgbdFrame.js';
import { evidenceOf } from '../../src/evidence/evidenceSource.js';
import { EvidenceStore, type EvidenceParameters } from '../../src/evidence/EvidenceStore.js';
import { emptyState } from '../../src/graph/emptyState.js';
import { observeFrame } from '../../src/graph/observeFrame.js';
import type { GraphState } from '../../src/graph/types.js';
import { Map as ImmutableMap } from 'immutable';
import { perceive } from '../../src/perceive/perceive.js';
import { defaultParameters } from '../../src/pipeline/parameterSet.js';
import { evidenceParameters, graphParameters } from '../../src/pipeline/sceneParameters.js';
import { evidenceFromJson, evidenceToJson } from '../../src/protocol/index.js';
import { scriptNamed } from '../../src/simulate/scriptNamed.js';
import { simulateFrames } from '../../src/simulate/simulateFrames.js';
import { defaultPerception, NOTHING_KNOWN } from '../fixtures/tableLook.js';

const DEFAULTS = evidenceParameters(defaultParameters());

interface Moment {
  readonly frame: RgbdFrame;
  readonly state: GraphState;
}

/** The two cups while the robot goes round them, each frame with the graph after it. */
function goRound(): Moment[] {
  const graph = graphParameters(defaultParameters());
  let state = emptyState('map');
  const moments: Moment[] = [];
  const script = scriptNamed('two_cups', { size: [240, 180], fps: 4 });
  for (const { frame } of simulateFrames(script)) {
    state = observeFrame(state, perceive(frame, NOTHING_KNOWN, defaultPerception()), graph);
    moments.push({ frame, state });
  }
  return moments;
}

/** The ref that stands left of the middle of the table. */
function leftCup(state: GraphState): string {
  const cup = [...state.entities.values()].find(
    ({ kind, box: { center } }) => kind === 'object' && Math.hypot(center[0] + 0.075, center[1]) < 0.05,
  );
  assert.ok(cup);
  return cup.ref;
}

describe('EvidenceStore', function () {
  this.timeout(60_000);
  let moments: Moment[] = [];
  let last: GraphState;
  before(() => {
    moments = goRound();
    last = moments.at(-1)!.state;
  });

  async function storeOf(
    change: Partial<EvidenceParameters> = {},
    seen: readonly Moment[] = moments,
  ): Promise<EvidenceStore> {
    const store = new EvidenceStore({ ...DEFAULTS, ...change });
    for (const { frame, state } of seen) {
      await store.hasRoom();
      store.consider(frame, state);
    }
    await store.settled();
    return store;
  }

  it('keeps up to three views of a thing, best first, each a small JPEG of it', async () => {
    const store = await storeOf();
    const views = store.viewsOf(leftCup(last));
    assert.deepEqual(
      views.map(({ role }) => role),
      ['best', 'latest', 'other_side'],
    );
    for (const { jpeg, distanceM } of views) {
      const { width = 0, height = 0, format } = await sharp(jpeg).metadata();
      assert.equal(format, 'jpeg');
      assert.ok(jpeg.length <= DEFAULTS.maxBytes && Math.max(width, height) <= 640);
      assert.ok(distanceM > 0.8 && distanceM < 2, `${distanceM} m`);
      // The cup is the one red thing: its crop is redder than the wood around it.
      const { channels } = await sharp(jpeg).stats();
      assert.ok(
        channels[0].mean > channels[2].mean + 30,
        `red ${channels[0].mean}, blue ${channels[2].mean}`,
      );
    }
    const [best, latest, other] = views;
    const round = Math.abs(other.azimuth - best.azimuth);
    assert.ok(Math.min(round, 2 * Math.PI - round) >= DEFAULTS.otherSideRad);
    assert.ok(latest.moment.stamp >= best.moment.stamp);
    assert.ok(last.graphTime! - latest.moment.stamp < 2n * DEFAULTS.renewNs);
  });

  it('keeps the same of the same frames', async () => {
    const [one, other] = [await storeOf(), await storeOf()];
    assert.deepEqual(one.refs(), other.refs());
    for (const ref of one.refs()) assert.deepEqual(one.viewsOf(ref), other.viewsOf(ref));
  });

  it('keeps what it would keep if each picture were encoded before the next frame came', async () => {
    const beside = await storeOf();
    const inTurn = new EvidenceStore(DEFAULTS);
    for (const { frame, state } of moments) {
      inTurn.consider(frame, state);
      await inTurn.settled();
    }
    assert.deepEqual(beside.refs().sort(), inTurn.refs().sort());
    for (const ref of inTurn.refs()) assert.deepEqual(beside.viewsOf(ref), inTurn.viewsOf(ref));
  });

  it('does not encode a picture that another has replaced before its turn came', async () => {
    let encoded = 0;
    const parameters = { ...DEFAULTS, maxQueued: Infinity, maxPerFrame: Infinity, renewNs: 0n };
    const store = new EvidenceStore(parameters, () => (encoded += 1));
    let asked = 0;
    for (const { frame, state } of moments) {
      const before = store.queued;
      store.consider(frame, state);
      asked += store.queued - before;
    }
    await store.settled();
    const kept = store.refs().reduce((sum, ref) => sum + store.viewsOf(ref).length, 0);
    assert.ok(asked > 2 * kept, `${asked} asked for, ${kept} kept`);
    assert.equal(encoded, kept);
  });

  it('drops what still waits when it is cleared', async () => {
    const store = new EvidenceStore(DEFAULTS);
    store.consider(moments[40].frame, moments[40].state);
    assert.ok(store.queued > 0);
    store.clear();
    await store.settled();
    assert.deepEqual(store.refs(), []);
  });

  it('tells once of a picture that cannot be encoded, and goes on with the next', async () => {
    const { frame, state } = moments[40];
    let encoded = 0;
    const store = new EvidenceStore(DEFAULTS, () => {
      encoded += 1;
      if (encoded === 1) throw new Error('out of ink');
    });
    store.consider(frame, state);
    const asked = store.queued;
    await assert.rejects(store.settled(), { cause: new Error('out of ink') });
    await store.settled();
    assert.equal(store.refs().length, asked - 1);
  });

  it('encodes no more of one frame than it may', async () => {
    const store = await storeOf({ maxPerFrame: 1 }, [moments[40]]);
    assert.equal(store.refs().length, 1);
    assert.ok([...last.entities.keys()].length > 1);
  });

  it('never has more waiting than a frame beyond its limit, and loses nothing it took on', async () => {
    const store = new EvidenceStore({ ...DEFAULTS, maxQueued: 2, maxPerFrame: 3 });
    let most = 0;
    for (const { frame, state } of moments) {
      store.consider(frame, state);
      most = Math.max(most, store.queued);
    }
    assert.ok(most >= 2 && most <= 2 + 3 - 1, `${most} waited`);
    await store.settled();
    assert.equal(store.queued, 0);
    assert.ok(store.refs().length > 0);
  });

  it('forgets the views of what was seen longest ago first', async () => {
    // Three moments, each with a single thing of its own.
    const [a, b, c] = [...moments[40].state.entities.keys()];
    const alone = [a, b, c].map((ref, k): Moment => {
      const { frame, state } = moments[40];
      const stamp = frame.stamp + BigInt(k);
      const seen = { ...state.entities.get(ref)!, lastSeen: { epoch: 0, stamp } };
      return { frame: { ...frame, stamp }, state: { ...state, entities: ImmutableMap([[ref, seen]]) } };
    });
    assert.deepEqual((await storeOf({}, alone)).refs().sort(), [a, b, c].sort());
    assert.deepEqual((await storeOf({ maxRefs: 2 }, alone)).refs().sort(), [b, c].sort());
    assert.deepEqual((await storeOf({ maxRefs: 1 }, alone)).refs(), [c]);
  });

  it('keeps nothing of a frame without colour, of one that the state has not seen, nor after it was cleared', async () => {
    const { frame, state } = moments[40];
    const { color: _, ...depthOnly } = frame;
    assert.deepEqual((await storeOf({}, [{ frame: depthOnly, state }])).refs(), []);
    assert.deepEqual((await storeOf({}, [{ frame: { ...frame, stamp: 1n }, state }])).refs(), []);
    const store = await storeOf({}, [moments[40]]);
    assert.ok(store.refs().length > 0);
    store.clear();
    assert.deepEqual(store.refs(), []);
  });

  describe('evidenceOf', () => {
    it('hands out valid records, best first, named after the ref and without any path', async () => {
      const store = await storeOf();
      const ref = leftCup(last);
      const evidence = evidenceOf(store, ref, last);
      assert.deepEqual(
        evidence.map(({ name }) => name),
        [1, 2, 3].map((k) => `${ref}-${k}.jpg`),
      );
      assert.match(evidence[0].caption, /best view/);
      for (const view of evidence) {
        assert.equal(view.mediaType, 'image/jpeg');
        const { data, ...words } = view;
        assert.ok(data.length > 300);
        for (const text of Object.values(words))
          assert.doesNotMatch(text, /\/(home|tmp|work|Users)|\\|file:/);
        assert.deepEqual(evidenceFromJson(evidenceToJson(view)).ok, true);
      }
    });

    it('calls a picture of what is missing or gone at best recent', async () => {
      const store = await storeOf();
      const ref = leftCup(last);
      const seenAt = store.viewsOf(ref).find(({ role }) => role === 'latest')!.moment.stamp;
      const now: GraphState = { ...last, graphTime: seenAt };
      const latest = (state: GraphState): string | undefined =>
        evidenceOf(store, ref, state).find(({ caption }) => caption.includes('latest'))?.freshness;
      assert.equal(latest(now), 'current');
      const missing = { ...now, entities: now.entities.update(ref, (cup) => ({ ...cup!, missing: true })) };
      assert.equal(latest(missing), 'recent');
      assert.equal(latest({ ...now, entities: now.entities.delete(ref) }), 'recent');
      assert.equal(latest({ ...now, epoch: 1 }), 'last_seen');
    });

    it('counts the views of a merged ref as those of the survivor, one for each role, and has none for strangers', async () => {
      const store = await storeOf();
      const ref = leftCup(last);
      const merged: GraphState = { ...last, aliases: ImmutableMap([[ref, 'survivor_1']]) };
      const evidence = evidenceOf(store, 'survivor_1', merged);
      assert.equal(evidence.length, 3);
      assert.equal(evidence[0].name, 'survivor_1-1.jpg');
      const both: GraphState = {
        ...last,
        aliases: ImmutableMap([[store.refs().find((r) => r !== ref)!, ref]]),
      };
      assert.ok(evidenceOf(store, ref, both).length <= 3);
      assert.deepEqual(evidenceOf(store, 'nothing_1', last), []);
    });
  });
});
