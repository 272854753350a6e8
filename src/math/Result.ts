/**
 * The outcome of a step that may fail without that being a programming error. `cause` is a stable
 * snake_case word (it becomes a counter), `detail` a sentence for people with the figures.
 */
export type Result<T, C extends string = string> = { readonly ok: true; readonly value: T } | Failure<C>;

export interface Failure<C extends string = string> {
  readonly ok: false;
  readonly cause: C;
  readonly detail: string;
}

export function success<T>(value: T): { readonly ok: true; readonly value: T } {
  return { ok: true, value };
}

export function failure<C extends string>(cause: C, detail: string): Failure<C> {
  return { ok: false, cause, detail };
}
