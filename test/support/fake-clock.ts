import type { Clock } from '../../main/ports.ts';

export interface FakeClock extends Clock {
  /** Advances both clocks; timers fire on the way. */
  advance(milliseconds: number): void;
  /** Sets the wall clock, as a user would; no time passes. */
  setWall(now: number): void;
  /** Pending timers. */
  readonly timers: number;
}

export function createFakeClock(now = Date.UTC(2026, 10, 20, 12)): FakeClock {
  let wall = now;
  let monotonic = 1_000;
  let waiting: { at: number; run: () => void }[] = [];
  return {
    now: () => wall,
    monotonic: () => monotonic,
    after(milliseconds, run) {
      const timer = { at: monotonic + milliseconds, run };
      waiting.push(timer);
      return () => {
        waiting = waiting.filter((other) => other !== timer);
      };
    },
    advance(milliseconds) {
      wall += milliseconds;
      monotonic += milliseconds;
      const due = waiting.filter(({ at }) => at <= monotonic).sort((one, other) => one.at - other.at);
      waiting = waiting.filter(({ at }) => at > monotonic);
      for (const { run } of due) run();
    },
    setWall: (time) => {
      wall = time;
    },
    get timers() {
      return waiting.length;
    },
  };
}
