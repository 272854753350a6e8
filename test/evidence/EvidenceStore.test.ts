import assert from 'node:assert/strict';
import sharp from 'sharp';
import { evidenceOf } from '../../src/evidence/evidenceSource.js';
import {
  EvidenceStore,
  type EvidenceParameters,
  type FoldedFrame,
} from '../../src/evidence/EvidenceStore.js';
import type { StoredView } from '../../src/evidence/StoredView.js';
import { emptyState } from '../../src/graph/emptyState.js';
import { observeFrame } from '../../src/graph/observeFrame.js';
import type { GraphState, LatestView } from '../../src/graph/types.js';
import { Map as ImmutableMap } from 'immutable';
import { perceive } from '../../src/perceive/perceive.js';
import { defaultParameters } from '../../src/pipeline/parameterSet.js';
import { evidenceParameters, graphParameters } from '../../src/pipeline/sceneParameters.js';
import { evidenceFromJson, evidenceToJson } from '../../src/protocol/index.js';
import { scriptNamed } from '../../src/simulate/scriptNamed.js';
import { simulateFrames } from '../../src/simulate/simulateFrames.js';
import { defaultPerception, NOTHING_KNOWN } from '../fixtures/tableLook.js';

const DEFAULTS = evidenceParameters(defaultParameters());

/** The two cups while the robot goes round them, each frame with the graph after it. */
function goRound(): FoldedFrame[] {
  const graph = graphParameters(defaultParameters());
  let state = emptyState('map');
  const moments: FoldedFrame[] = [];
  const script = scriptNamed('two_cups', { size: [240, 180], fps: 4 });
  for (const { frame } of simulateFrames(script)) {
    const before = state;
    state = observeFrame(before, perceive(frame, NOTHING_KNOWN, defaultPerception()), graph);
    moments.push({ frame, before, after: state });
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
  let moments: FoldedFrame[] = [];
  let last: GraphState;
  before(() => {
    moments = goRound();
    last = moments.at(-1)!.after;
  });

  async function storeOf(
    change: Partial<EvidenceParameters> = {},
    seen: readonly FoldedFrame[] = moments,
  ): Promise<EvidenceStore> {
    const store = new EvidenceStore({ ...DEFAULTS, ...change });
    for (const moment of seen) {
      await store.hasRoom();
      store.consider(moment);
    }
    await store.settled();
    return store;
  }

  /** Ref, role and picture of all that is kept. */
  async function contentsOf(store: EvidenceStore): Promise<[string, string, Uint8Array | undefined][]> {
    const kept = store.refs().flatMap((ref) => store.viewsOf(ref).map((view) => ({ ref, view })));
    return Promise.all(kept.map(async ({ ref, view }) => [ref, view.role, await store.jpegOf(view)]));
  }

  it('keeps up to three views of a thing, best first, each a small JPEG of it', async () => {
    const store = await storeOf();
    const views = store.viewsOf(leftCup(last));
    assert.deepEqual(
      views.map(({ role }) => role),
      ['best', 'latest', 'other_side'],
    );
    for (const view of views) {
      const { distanceM } = view;
      const jpeg = (await store.jpegOf(view))!;
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
    assert.deepEqual(await contentsOf(await storeOf()), await contentsOf(await storeOf()));
  });

  it('keeps the same whether pictures are encoded at once, when memory is short or at the end', async () => {
    const atTheEnd = await contentsOf(await storeOf());
    assert.deepEqual(await contentsOf(await storeOf({ maxRawBytes: 1 })), atTheEnd);
    assert.deepEqual(await contentsOf(await storeOf({ maxRawBytes: 200_000 })), atTheEnd);
    const inTurn = new EvidenceStore(DEFAULTS);
    for (const moment of moments) {
      inTurn.consider(moment);
      await inTurn.settled();
    }
    assert.deepEqual(await contentsOf(inTurn), atTheEnd);
  });

  it('encodes nothing but what is still kept when it is asked for', async () => {
    let encoded = 0;
    const parameters = { ...DEFAULTS, maxPerFrame: Infinity, renewNs: 0n, maxRawBytes: Infinity };
    const store = new EvidenceStore(parameters, () => (encoded += 1));
    for (const moment of moments) store.consider(moment);
    assert.equal(encoded, 0);
    const kept = store.refs().flatMap((ref) => store.viewsOf(ref));
    const [first] = kept;
    const jpeg = await store.jpegOf(first);
    assert.equal(encoded, 1);
    assert.equal(await store.jpegOf(first), jpeg);
    await store.settled();
    assert.equal(encoded, kept.length);
    assert.equal(store.rawBytes, 0);
  });

  it('holds no raw picture that it does not keep', () => {
    const parameters = { ...DEFAULTS, maxPerFrame: Infinity, renewNs: 0n, maxRawBytes: Infinity, maxRefs: 2 };
    const store = new EvidenceStore(parameters);
    for (const moment of moments) store.consider(moment);
    const least = store.refs().length;
    assert.equal(least, 2);
    assert.ok(store.rawBytes > 0 && store.rawBytes <= 2 * 3 * 240 * 180 * 3, `${store.rawBytes} bytes`);
    store.clear();
    assert.equal(store.rawBytes, 0);
  });

  it('has no picture of a view that another has replaced before it was asked for', async () => {
    const store = new EvidenceStore({ ...DEFAULTS, renewNs: 0n, maxPerFrame: Infinity });
    const seen = new Set<StoredView>();
    for (const moment of moments) {
      store.consider(moment);
      for (const view of store.viewsOf(leftCup(last))) seen.add(view);
    }
    const replaced = [...seen].filter((view) => !store.viewsOf(leftCup(last)).includes(view));
    assert.ok(replaced.length > 3, `${replaced.length} replaced`);
    for (const view of replaced) assert.equal(await store.jpegOf(view), undefined);
  });

  it('tells once of a picture that cannot be encoded, and goes on with the next', async () => {
    let encoded = 0;
    const store = new EvidenceStore(DEFAULTS, () => {
      encoded += 1;
      if (encoded === 1) throw new Error('out of ink');
    });
    store.consider(moments[40]);
    await assert.rejects(store.settled(), { cause: new Error('out of ink') });
    await store.settled();
    const pictures = (await contentsOf(store)).map(([, , jpeg]) => jpeg);
    assert.equal(pictures.length, encoded);
    assert.equal(pictures.filter((jpeg) => jpeg === undefined).length, 1);
  });

  it('takes no picture of what a frame shows only to be still there, or another camera saw at that moment', async () => {
    const { frame, before, after } = moments[40];
    const ref = leftCup(after);
    const taken = async (latestView: LatestView | undefined): Promise<boolean> => {
      const earlier = before.entities.update(ref, (cup) => ({ ...cup!, latestView }));
      return (await storeOf({}, [{ frame, before: { ...before, entities: earlier }, after }]))
        .refs()
        .includes(ref);
    };
    const { latestView } = after.entities.get(ref)!;
    assert.ok(await taken(before.entities.get(ref)!.latestView));
    assert.ok(!(await taken(latestView)));
  });

  it('encodes no more of one frame than it may', async () => {
    const store = await storeOf({ maxPerFrame: 1 }, [moments[40]]);
    assert.equal(store.refs().length, 1);
    assert.ok([...last.entities.keys()].length > 1);
  });

  it('never holds more raw pictures than a frame beyond its limit, and loses nothing it took on', async () => {
    const maxRawBytes = 30_000;
    const store = new EvidenceStore({ ...DEFAULTS, maxRawBytes, maxPerFrame: 3 });
    let most = 0;
    for (const moment of moments) {
      store.consider(moment);
      most = Math.max(most, store.rawBytes);
    }
    assert.ok(most >= maxRawBytes && most <= maxRawBytes + 3 * 240 * 180 * 3, `${most} bytes`);
    await store.settled();
    assert.equal(store.rawBytes, 0);
    const contents = await contentsOf(store);
    assert.ok(contents.length > 0);
    for (const [, , jpeg] of contents) assert.ok(jpeg);
  });

  it('forgets the views of what was seen longest ago first', async () => {
    // Three moments, each with a single thing of its own.
    const [a, b, c] = [...moments[40].after.entities.keys()];
    const alone = [a, b, c].map((ref, k): FoldedFrame => {
      const { frame, after } = moments[40];
      const stamp = frame.stamp + BigInt(k);
      const seen = { ...after.entities.get(ref)!, lastSeen: { epoch: 0, stamp } };
      const alone = { ...after, entities: ImmutableMap([[ref, seen]]) };
      return { frame: { ...frame, stamp }, before: emptyState('map'), after: alone };
    });
    assert.deepEqual((await storeOf({}, alone)).refs().sort(), [a, b, c].sort());
    assert.deepEqual((await storeOf({ maxRefs: 2 }, alone)).refs().sort(), [b, c].sort());
    assert.deepEqual((await storeOf({ maxRefs: 1 }, alone)).refs(), [c]);
  });

  it('keeps the views of a removed thing for as long as it is told, in the time of the graph', async () => {
    const [folded] = moments.slice(40);
    const second = 1_000_000_000n;
    const store = await storeOf({ removedKeepNs: 10n * second }, [folded]);
    const [removed, other] = store.refs();
    assert.ok(other !== undefined);
    const at = { epoch: 0, stamp: folded.frame.stamp };
    const gone: GraphState = {
      ...folded.after,
      entities: folded.after.entities.delete(removed),
      tombstones: ImmutableMap([[removed, { ref: removed, label: 'cup', reason: 'thrown away', at }]]),
    };
    const after = (seconds: bigint): boolean => {
      const graphTime = at.stamp + seconds * second;
      const frame = { ...folded.frame, stamp: graphTime };
      store.consider({ frame, before: gone, after: { ...gone, graphTime } });
      return store.refs().includes(removed);
    };
    assert.deepEqual([5n, 10n, 11n].map(after), [true, true, false]);
    assert.ok(store.refs().includes(other));
  });

  it('keeps nothing of a frame without colour, of one that the state has not seen, nor after it was cleared', async () => {
    const { frame, ...change } = moments[40];
    const { color: _, ...depthOnly } = frame;
    assert.deepEqual((await storeOf({}, [{ frame: depthOnly, ...change }])).refs(), []);
    assert.deepEqual((await storeOf({}, [{ frame: { ...frame, stamp: 1n }, ...change }])).refs(), []);
    const store = await storeOf({}, [moments[40]]);
    assert.ok(store.refs().length > 0);
    store.clear();
    assert.deepEqual(store.refs(), []);
  });

  describe('evidenceOf', () => {
    it('hands out valid records, best first, named after the ref and without any path', async () => {
      const store = await storeOf();
      const ref = leftCup(last);
      const evidence = await evidenceOf(store, ref, last);
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
      const latest = async (state: GraphState): Promise<string | undefined> =>
        (await evidenceOf(store, ref, state)).find(({ caption }) => caption.includes('latest'))?.freshness;
      assert.equal(await latest(now), 'current');
      const missing = { ...now, entities: now.entities.update(ref, (cup) => ({ ...cup!, missing: true })) };
      assert.equal(await latest(missing), 'recent');
      assert.equal(await latest({ ...now, entities: now.entities.delete(ref) }), 'recent');
      assert.equal(await latest({ ...now, epoch: 1 }), 'last_seen');
    });

    it('calls a picture from before an execution that moved the thing at best recent, one from after it current', async () => {
      const store = await storeOf();
      const ref = leftCup(last);
      const taken = store.viewsOf(ref).find(({ role }) => role === 'latest')!.moment;
      const freshnessWhenMoved = async (by: bigint): Promise<string | undefined> => {
        const setByExecutionAt = { ...taken, stamp: taken.stamp + by };
        const entities = last.entities.update(ref, (cup) => ({ ...cup!, setByExecutionAt }));
        const state = { ...last, graphTime: taken.stamp + 1n, entities };
        return (await evidenceOf(store, ref, state)).find(({ caption }) => caption.includes('latest'))
          ?.freshness;
      };
      assert.equal(await freshnessWhenMoved(1n), 'recent');
      assert.equal(await freshnessWhenMoved(0n), 'recent', 'moved after the newest frame, without a time');
      assert.equal(await freshnessWhenMoved(-1n), 'current');
    });

    it('counts the views of a merged ref as those of the survivor, one for each role, and has none for strangers', async () => {
      const store = await storeOf();
      const ref = leftCup(last);
      const merged: GraphState = { ...last, aliases: ImmutableMap([[ref, 'survivor_1']]) };
      const evidence = await evidenceOf(store, 'survivor_1', merged);
      assert.equal(evidence.length, 3);
      assert.equal(evidence[0].name, 'survivor_1-1.jpg');
      const both: GraphState = {
        ...last,
        aliases: ImmutableMap([[store.refs().find((r) => r !== ref)!, ref]]),
      };
      assert.ok((await evidenceOf(store, ref, both)).length <= 3);
      assert.deepEqual(await evidenceOf(store, 'nothing_1', last), []);
    });
  });
});
