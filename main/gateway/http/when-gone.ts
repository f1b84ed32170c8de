/** Runs when the program has its answer or no longer waits for it, at once where that is so already. */
export function whenGone(signal: AbortSignal, run: () => void): void {
  if (signal.aborted) run();
  else signal.addEventListener('abort', run, { once: true });
}
