import { setImmediate } from 'node:timers';

/** Milliseconds of long work in a row, all of it together, before anything else that is waiting gets its turn. */
const slice = 10;

/** When the work of this turn began. */
let begun: number | undefined;
const waiting: (() => void)[] = [];

/**
 * Call this between two steps of work whose length somebody else decides: the messages of an app or server, the entries
 * of a list. Once such work has used up its slice, the rest waits. Each turn of the event loop resumes only one of those
 * waiting, so nothing else has to wait for all of them.
 */
export async function fairTurn(): Promise<void> {
  if (begun === undefined) {
    begun = performance.now();
    setImmediate(goOn);
  }
  if (performance.now() - begun >= slice) await new Promise<void>((resolve) => void waiting.push(resolve));
}

function goOn(): void {
  begun = undefined;
  const next = waiting.shift();
  if (!next) return;
  begun = performance.now();
  setImmediate(goOn);
  next();
}
