/**
 * Preloaded into a process (`node --import`): timers of half a minute or more are frozen, and advance at each SIGUSR2
 * by the next number of seconds in POSTERN_TEST_TIME. So a test can see what happens in an hour without waiting.
 */
const shortest = 30_000;
/** The longest possible timer. */
const never = 2 ** 31 - 1;

interface LongTimer {
  readonly due: number;
  readonly run: () => void;
}

const waiting = new Map<NodeJS.Timeout, LongTimer>();
const steps = (process.env['POSTERN_TEST_TIME'] ?? '').split(' ').map(Number);
const set = globalThis.setTimeout;
const clear = globalThis.clearTimeout;
let now = 0;

function setLong(run: (...values: unknown[]) => void, milliseconds = 0, ...values: unknown[]): NodeJS.Timeout {
  if (milliseconds < shortest) return set(run, milliseconds, ...values);
  const timer = set(run, never, ...values);
  waiting.set(timer, { due: now + milliseconds, run: () => run(...values) });
  return timer;
}

function clearLong(timer: NodeJS.Timeout | undefined): void {
  if (timer) waiting.delete(timer);
  clear(timer);
}

Object.assign(globalThis, { setTimeout: Object.assign(setLong, set), clearTimeout: clearLong });

process.on('SIGUSR2', () => {
  now += (steps.shift() ?? 0) * 1_000;
  for (const [timer, { due, run }] of [...waiting].sort(([, one], [, other]) => one.due - other.due)) {
    if (due > now || !waiting.has(timer)) continue;
    clearLong(timer);
    run();
  }
});
