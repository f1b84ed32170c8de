import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate } from 'node:timers';

/** Milliseconds of long work, in total, before waiting tasks get a turn. */
const turnLength = 10;

/** When this turn's work began. */
let turnStart: number | undefined;
const ownerStorage = new AsyncLocalStorage<unknown>();
/** By owner; the first owner is next. */
const waiting = new Map<unknown, (() => void)[]>();

/** Runs `work`, and everything it starts, in the turns of this owner (an app or a process). */
export function runAsOwner<Result>(owner: unknown, work: () => Result): Result {
  return ownerStorage.run(owner, work);
}

/**
 * Call this between steps of work whose amount others control: messages of an app or server, entries of a list. Once
 * the slice is used up, the rest waits. Each turn of the event loop resumes one waiting task, round-robin by owner, so
 * that a busy app delays another by at most one slice.
 */
export async function yieldIfBusy(): Promise<void> {
  if (turnStart === undefined) {
    turnStart = performance.now();
    setImmediate(resumeNext);
  }
  if (performance.now() - turnStart < turnLength) return;
  const owner = ownerStorage.getStore();
  await new Promise<void>((resolve) => {
    const queue = waiting.get(owner);
    if (queue) queue.push(resolve);
    else waiting.set(owner, [resolve]);
  });
}

function resumeNext(): void {
  turnStart = undefined;
  const [first] = waiting;
  if (!first) return;
  const [owner, [next, ...rest]] = first;
  waiting.delete(owner);
  if (rest.length > 0) waiting.set(owner, rest);
  turnStart = performance.now();
  setImmediate(resumeNext);
  next?.();
}
