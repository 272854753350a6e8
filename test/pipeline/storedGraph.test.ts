import assert from 'node:assert/strict';
import { canonicalHash } from '../../src/graph/canonicalHash.js';
import { executionHash } from '../../src/graph/executionHash.js';
import { openStore } from '../../src/pipeline/openStore.js';
import { parametersFromFlat } from '../../src/pipeline/parameterSet.js';
import { createScenePipeline, type ScenePipeline } from '../../src/pipeline/ScenePipeline.js';
import { frameOf } from '../conformance/scriptedWorld.js';
import { temporaryFolder } from '../fixtures/temporaryFolder.js';

describe('a graph that is kept in a store', () => {
  const folder = temporaryFolder();
  let next = 0;
  const newFile = (): string => folder.path(`scene-${next++}.db`);

  /** A live pipeline on a file, as the node has it; `kill` lets go of the file without writing anything more. */
  async function open(
    file: string,
    values: Readonly<Record<string, unknown>> = {},
  ): Promise<{ pipeline: ScenePipeline; clock: { nowS: number }; kill: () => Promise<void> }> {
    const { parameters } = parametersFromFlat({ 'store.path': file, ...values });
    const store = await openStore(parameters);
    const clock = { nowS: 100 };
    const pipeline = createScenePipeline(parameters, {
      live: true,
      steadyNowS: () => clock.nowS,
      ...(store && { store }),
    });
    return { pipeline, clock, kill: async () => store?.store.close() };
  }

  async function show({ workingGraph }: ScenePipeline, from: number, count: number): Promise<void> {
    for (let k = from; k < from + count; k++)
      await workingGraph.submit({ kind: 'observation', frame: frameOf(k, 3) });
  }

  const pick = {
    executionId: 'pick-1',
    toolName: 'pick',
    arguments: { obj: 'object_1' },
    result: {},
    evaluatorVerdict: 'success',
  };

  it('comes back after a restart: same hash, a new epoch, stale until fed, everything at best last_seen', async () => {
    const file = newFile();
    const { pipeline: first } = await open(file);
    await show(first, 0, 12);
    const before = first.workingGraph.handOutBrief();
    await first.close();
    const { pipeline: second } = await open(file);
    const after = second.workingGraph.handOutBrief();
    assert.equal(canonicalHash(after.state), canonicalHash(before.state));
    assert.equal(after.state.epoch, before.state.epoch + 1);
    assert.ok(after.brief.revision > before.brief.revision);
    assert.equal(before.brief.freshness, 'current');
    assert.equal(after.brief.freshness, 'stale');
    assert.ok(after.brief.objects.length > 3);
    for (const { freshness } of after.brief.objects) assert.equal(freshness, 'last_seen');
    await show(second, 0, 1);
    const fed = second.workingGraph.handOutBrief();
    assert.equal(fed.brief.freshness, 'current');
    assert.deepEqual(
      fed.brief.objects.map(({ ref }) => ref),
      before.brief.objects.map(({ ref }) => ref),
    );
    await second.close();
  });

  it('keeps an answered execution without being closed, and answers its repeat as the first time', async () => {
    const file = newFile();
    const { pipeline: first, kill } = await open(file);
    await show(first, 0, 12);
    const answer = await first.provider.applyConfirmedExecution(pick);
    assert.ok(answer.success && !answer.alreadyApplied);
    const hash = executionHash(first.workingGraph.state);
    await kill();
    const { pipeline: second } = await open(file);
    assert.equal(executionHash(second.workingGraph.state), hash);
    const again = await second.provider.applyConfirmedExecution({ ...pick, arguments: { obj: 'object_2' } });
    assert.deepEqual(again, { ...answer, alreadyApplied: true });
    assert.equal(executionHash(second.workingGraph.state), hash);
    await second.close();
  });

  it('writes what frames change once per period, and not before', async () => {
    const file = newFile();
    for (const [waitS, isWritten] of [
      [4.9, false],
      [5, true],
    ] as const) {
      const { pipeline, clock, kill } = await open(file, { 'store.period_s': 5 });
      await show(pipeline, 0, 12);
      clock.nowS += waitS;
      pipeline.saveWhenDue();
      await kill();
      const { pipeline: next, kill: end } = await open(file);
      // New refs were written at once; what later frames added to them was not.
      const [stored, lost] = [next, pipeline].map(
        ({ workingGraph }) => workingGraph.state.entities.get('object_1')?.observations ?? 0,
      );
      assert.ok(stored > 0);
      assert.equal(stored === lost, isWritten);
      await end();
    }
  });

  it('never mixes with the graph of another map or frame', async () => {
    const file = newFile();
    const { pipeline: first } = await open(file, { map_id: 'ground floor' });
    await show(first, 0, 12);
    await first.close();
    for (const other of [{ map_id: 'first floor' }, { map_id: 'ground floor', 'frames.map': 'odom' }, {}]) {
      const { pipeline } = await open(file, other);
      assert.ok(pipeline.workingGraph.state.entities.isEmpty());
      assert.equal(pipeline.workingGraph.handOutBrief().brief.freshness, 'stale');
      await pipeline.close();
    }
    const { pipeline: again } = await open(file, { map_id: 'ground floor' });
    assert.equal(canonicalHash(again.workingGraph.state), canonicalHash(first.workingGraph.state));
    await again.close();
  });

  it('serves from memory and refuses executions when nothing can be stored', async () => {
    const { pipeline: holder } = await open(newFile());
    const impossible: readonly [Record<string, unknown>, RegExp][] = [
      [{ 'store.path': '/proc/scene.db' }, /cannot be opened/],
      [{ 'store.path': folder.path('.') }, /cannot be opened/],
    ];
    for (const [values, reason] of impossible) {
      const { pipeline } = await open('', values);
      await show(pipeline, 0, 12);
      assert.ok((await pipeline.provider.brief()).objects.length > 3);
      const answer = await pipeline.provider.applyConfirmedExecution(pick);
      assert.ok(!answer.success);
      assert.equal(answer.kind, 'store_failed');
      assert.match(answer.reason, reason);
      assert.ok(pipeline.workingGraph.state.ledger.isEmpty());
      await pipeline.close();
    }
    await holder.close();
  });
});
