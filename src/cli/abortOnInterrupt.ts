/** A signal that is aborted by the first SIGINT or SIGTERM, so that a command can end in order. */
export function abortOnInterrupt(): { readonly signal: AbortSignal; release(): void } {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  process.on('SIGINT', abort).on('SIGTERM', abort);
  return {
    signal: controller.signal,
    release: () => process.off('SIGINT', abort).off('SIGTERM', abort),
  };
}
