import type { Stamp } from '../time/Stamp.js';

/** A run of items in time order, none of them earlier than `start`, that is opened only when its turn comes. */
export interface TimedRun<T> {
  readonly start: Stamp;
  open(): AsyncIterable<T> | Iterable<T>;
}

interface Head<T> {
  readonly order: number;
  readonly iterator: AsyncIterator<T> | Iterator<T>;
  value: T;
}

/**
 * Merges runs into one sequence in time order. Equal times keep the order of the runs as given (file order).
 * At any moment only the runs that overlap the current time are open, so memory is bounded by the overlap.
 */
export async function* mergeByTime<T extends { readonly logTime: Stamp }>(
  runs: readonly TimedRun<T>[],
): AsyncGenerator<T, void, void> {
  const waiting = runs.map((run, order) => ({ run, order })).sort(byStart);
  const heads: Head<T>[] = [];
  let next = 0;
  try {
    for (;;) {
      let first = earliest(heads);
      while (next < waiting.length && (!first || waiting[next].run.start <= first.value.logTime)) {
        const { run, order } = waiting[next++];
        const opened = run.open();
        const iterator =
          Symbol.asyncIterator in opened ? opened[Symbol.asyncIterator]() : opened[Symbol.iterator]();
        const result = await iterator.next();
        if (result.done !== true) heads.push({ order, iterator, value: result.value });
        first = earliest(heads);
      }
      if (!first) return;
      yield first.value;
      const result = await first.iterator.next();
      if (result.done === true) heads.splice(heads.indexOf(first), 1);
      else first.value = result.value;
    }
  } finally {
    for (const head of heads) await head.iterator.return?.();
  }
}

function byStart<T>(a: { run: TimedRun<T>; order: number }, b: { run: TimedRun<T>; order: number }): number {
  if (a.run.start !== b.run.start) return a.run.start < b.run.start ? -1 : 1;
  return a.order - b.order;
}

/** Linear search: there are as many heads as overlapping runs, mostly one or two. */
function earliest<T extends { readonly logTime: Stamp }>(heads: readonly Head<T>[]): Head<T> | undefined {
  let best: Head<T> | undefined;
  for (const head of heads) {
    if (
      !best ||
      head.value.logTime < best.value.logTime ||
      (head.value.logTime === best.value.logTime && head.order < best.order)
    ) {
      best = head;
    }
  }
  return best;
}
