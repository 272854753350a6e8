import assert from 'node:assert/strict';
import fc from 'fast-check';
import { mergeByTime, type TimedRun } from '../../src/recordings/mergeByTime.js';

interface Item {
  readonly logTime: bigint;
  readonly run: number;
}

const arbitraryRuns = fc.array(
  fc
    .array(fc.bigInt(0n, 20n), { minLength: 1, maxLength: 8 })
    .map((times) => times.sort((a, b) => Number(a - b))),
  { maxLength: 8 },
);

function runsOf(
  times: readonly bigint[][],
  opened: (run: number) => void = () => undefined,
): TimedRun<Item>[] {
  return times.map((run, index) => ({
    start: run[0],
    *open() {
      opened(index);
      for (const logTime of run) yield { logTime, run: index };
    },
  }));
}

describe('mergeByTime', () => {
  it('is a stable sort by time of all items', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryRuns, async (times) => {
        const merged: Item[] = [];
        for await (const item of mergeByTime(runsOf(times))) merged.push(item);
        const all = times.flatMap((run, index) => run.map((logTime) => ({ logTime, run: index })));
        assert.deepEqual(
          merged,
          all.sort((a, b) => Number(a.logTime - b.logTime)),
        );
      }),
    );
  });

  it('opens a run only when its time has come', async () => {
    //  run 0   1 . 3
    //  run 1         4 5
    //  run 2           5 9
    const opened: number[] = [];
    const merged = mergeByTime(
      runsOf(
        [
          [1n, 3n],
          [4n, 5n],
          [5n, 9n],
        ],
        (run) => opened.push(run),
      ),
    );
    const openedAt: [bigint, number][] = [];
    for await (const { logTime } of merged) openedAt.push([logTime, opened.length]);
    assert.deepEqual(openedAt, [
      [1n, 1],
      [3n, 1],
      [4n, 2],
      [5n, 3],
      [5n, 3],
      [9n, 3],
    ]);
  });

  it('closes the open runs when the reader stops early', async () => {
    const closed: number[] = [];
    const runs = [0, 1].map((index) => ({
      start: 0n,
      *open() {
        try {
          for (let i = 0n; ; i++) yield { logTime: i };
        } finally {
          closed.push(index);
        }
      },
    }));
    for await (const { logTime } of mergeByTime(runs)) if (logTime === 3n) break;
    assert.deepEqual(closed.sort(), [0, 1]);
  });
});
