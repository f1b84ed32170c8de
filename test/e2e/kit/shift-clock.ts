import type { RunningWindow } from '../../support/launch-window.ts';

interface ShiftedClock {
  pass(milliseconds: number): void;
}

/**
 * Installs a clock in the main process that a test can advance: wall clock, monotonic clock, and timers of at least
 * `long` milliseconds. Shorter timers belong to connections and pages and stay real.
 */
export async function shiftClock(
  window: RunningWindow,
  { long = 120_000 }: { readonly long?: number } = {},
): Promise<(milliseconds: number) => Promise<void>> {
  await window.evaluate((_, least) => {
    const { Date, performance, setTimeout, clearTimeout } = globalThis;
    const now = Date.now.bind(Date);
    const monotonic = performance.now.bind(performance);
    const waiting = new Map<object, { readonly due: number; readonly run: () => void }>();
    let passed = 0;
    Date.now = () => now() + passed;
    performance.now = () => monotonic() + passed;
    globalThis.setTimeout = ((run: (...values: unknown[]) => void, delay = 0, ...values: unknown[]) => {
      const timer = setTimeout(run, delay, ...values);
      if (delay >= least) waiting.set(timer, { due: monotonic() + passed + delay, run: () => run(...values) });
      return timer;
    }) as typeof setTimeout;
    globalThis.clearTimeout = (timer) => {
      if (typeof timer === 'object') waiting.delete(timer);
      clearTimeout(timer);
    };
    const shifted: ShiftedClock = {
      pass(milliseconds) {
        passed += milliseconds;
        for (const [timer, { due, run }] of waiting) {
          if (due > monotonic() + passed) continue;
          waiting.delete(timer);
          clearTimeout(timer as NodeJS.Timeout);
          run();
        }
      },
    };
    Object.assign(globalThis, { shiftedClock: shifted });
  }, long);
  return async (milliseconds) => {
    await window.evaluate((_, step) => {
      (globalThis as unknown as { shiftedClock: ShiftedClock }).shiftedClock.pass(step);
    }, milliseconds);
  };
}
