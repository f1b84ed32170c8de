import { setImmediate } from 'node:timers';

/** Milliseconds that long work may take, all of it together, before whatever else has come has its turn. */
const slice = 10;

/** When the work of this turn has begun. */
let begun: number | undefined;
const waiting: (() => void)[] = [];

/**
 * Called between two steps of work that others decide the length of: the messages of one app or server, the entries of a
 * list. Once such work has taken a slice, the rest waits; of several that wait one goes on in each turn of the event
 * loop, so that nobody else waits for all of them.
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
