import assert from 'node:assert/strict';
import fc from 'fast-check';
import { canonicalHash } from '../../src/graph/canonicalHash.js';
import { executionHash } from '../../src/graph/executionHash.js';
import type { GraphState } from '../../src/graph/types.js';
import { rowChanges, stateFromRows, type StoredRow } from '../../src/store/stateRows.js';
import { arbitraryHistory, statesOf } from './arbitraryEvents.js';
import { everythingOf } from './everythingOf.js';

/** What a file holds after such writes, in the order in which rows came. */
class Rows {
  readonly #rows = new Map<string, StoredRow>();

  write(before: GraphState | undefined, after: GraphState): void {
    const { written, removed } = rowChanges(before, after);
    for (const row of written) this.#rows.set(`${row.part} ${row.key}`, row);
    for (const { part, key } of removed)
      assert.ok(this.#rows.delete(`${part} ${key}`), `${part} ${key} was stored`);
  }

  read(): GraphState {
    return stateFromRows(this.#rows.values());
  }
}

describe('stateRows', () => {
  it('restores a state with every field, whatever led to it and however often it was written between', () => {
    fc.assert(
      fc.property(arbitraryHistory, fc.array(fc.nat(60)), (steps, writes) => {
        const rows = new Rows();
        let last: GraphState | undefined;
        for (const [k, state] of statesOf(steps).entries()) {
          if (!writes.includes(k) && k < steps.length - 1) continue;
          rows.write(last, state);
          last = state;
        }
        const restored = rows.read();
        assert.ok(last !== undefined);
        assert.deepEqual(everythingOf(restored), everythingOf(last));
        assert.equal(canonicalHash(restored), canonicalHash(last));
        assert.equal(executionHash(restored), executionHash(last));
      }),
      { numRuns: 40 },
    );
  });

  it('goes on from a restored state as if it had never stopped', () => {
    fc.assert(
      fc.property(arbitraryHistory, arbitraryHistory, (past, future) => {
        const [stopped] = statesOf(past).slice(-1);
        const rows = new Rows();
        rows.write(undefined, stopped);
        const uninterrupted = statesOf(future, stopped, past.length);
        const continued = statesOf(future, rows.read(), past.length);
        for (const [k, state] of continued.entries())
          assert.deepEqual(everythingOf(state), everythingOf(uninterrupted[k]), `step ${k}`);
      }),
      { numRuns: 30 },
    );
  });

  it('writes what changed and nothing else', () => {
    fc.assert(
      fc.property(arbitraryHistory, (steps) => {
        const states = statesOf(steps);
        for (const [k, after] of states.entries()) {
          const before = states[k - 1] ?? after;
          const { written } = rowChanges(before, after);
          const entities = written.filter(({ part }) => part === 'entities').map(({ key }) => key);
          const changed = [...after.entities.keys()].filter(
            (ref) => after.entities.get(ref) !== before.entities.get(ref),
          );
          assert.deepEqual(entities, changed);
          if (before === after) assert.deepEqual(written, []);
        }
      }),
      { numRuns: 20 },
    );
  });

  it('refuses rows that are no whole state', () => {
    const [state] = statesOf([])
      .slice(-1)
      .concat(statesOf([() => ({ kind: 'clock_jump' })]));
    const { written } = rowChanges(undefined, state);
    assert.throws(() => stateFromRows(written.filter(({ part }) => part !== 'head')), /no head/);
    assert.throws(
      () => stateFromRows([...written, { ...written[0], part: 'dreams' }]),
      /unknown part dreams/,
    );
  });
});
