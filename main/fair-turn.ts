import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate } from 'node:timers';

/** Milliseconds of long work in a row, all of it together, before anything else that is waiting gets its turn. */
const slice = 10;

/** When the work of this turn began. */
let begun: number | undefined;
const owner = new AsyncLocalStorage<unknown>();
/** By owner, the one whose turn it is first. */
const waiting = new Map<unknown, (() => void)[]>();

/** Runs `work`, whose turns, also those of what it begins, are this owner's: an app, or a process. */
export function inTurnsOf<Result>(whose: unknown, work: () => Result): Result {
  return owner.run(whose, work);
}

/**
 * Call this between two steps of work whose length somebody else decides: the messages of an app or server, the entries
 * of a list. Once such work has used up its slice, the rest waits. Each turn of the event loop resumes only one of those
 * waiting, each owner in turn: much work of one app holds up another for one slice.
 */
export async function fairTurn(): Promise<void> {
  if (begun === undefined) {
    begun = performance.now();
    setImmediate(goOn);
  }
  if (performance.now() - begun < slice) return;
  const whose = owner.getStore();
  await new Promise<void>((resolve) => {
    const theirs = waiting.get(whose);
    if (theirs) theirs.push(resolve);
    else waiting.set(whose, [resolve]);
  });
}

function goOn(): void {
  begun = undefined;
  const [first] = waiting;
  if (!first) return;
  const [whose, [next, ...rest]] = first;
  waiting.delete(whose);
  if (rest.length > 0) waiting.set(whose, rest);
  begun = performance.now();
  setImmediate(goOn);
  next?.();
}
