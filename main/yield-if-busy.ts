import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate } from 'node:timers';

/** Milliseconds of long work, in total, before waiting tasks get a turn. */
const slice = 10;

/** When this turn's work began. */
let begun: number | undefined;
const owner = new AsyncLocalStorage<unknown>();
/** By owner; the first owner is next. */
const waiting = new Map<unknown, (() => void)[]>();

/** Runs `work`, and everything it starts, in the turns of this owner (an app or a process). */
export function runAsOwner<Result>(whose: unknown, work: () => Result): Result {
  return owner.run(whose, work);
}

/**
 * Call this between steps of work whose amount others control: messages of an app or server, entries of a list. Once
 * the slice is used up, the rest waits. Each turn of the event loop resumes one waiting task, round-robin by owner, so
 * that a busy app delays another by at most one slice.
 */
export async function yieldIfBusy(): Promise<void> {
  if (begun === undefined) {
    begun = performance.now();
    setImmediate(resumeNext);
  }
  if (performance.now() - begun < slice) return;
  const whose = owner.getStore();
  await new Promise<void>((resolve) => {
    const theirs = waiting.get(whose);
    if (theirs) theirs.push(resolve);
    else waiting.set(whose, [resolve]);
  });
}

function resumeNext(): void {
  begun = undefined;
  const [first] = waiting;
  if (!first) return;
  const [whose, [next, ...rest]] = first;
  waiting.delete(whose);
  if (rest.length > 0) waiting.set(whose, rest);
  begun = performance.now();
  setImmediate(resumeNext);
  next?.();
}
