/** Work that runs side by side within a limit. It handles its own errors. */
export interface Lanes {
  add(work: () => Promise<void>): void;
  /** When all that was added has ended. */
  idle(): Promise<void>;
}

/** At most `limit` at one time, first come first served. */
export function createLanes(limit: number): Lanes {
  const waiting: (() => Promise<void>)[] = [];
  let running = 0;
  let whenIdle: (() => void)[] = [];

  async function drain(): Promise<void> {
    running += 1;
    for (let work = waiting.shift(); work; work = waiting.shift()) await work();
    running -= 1;
    if (running > 0) return;
    for (const tell of whenIdle) tell();
    whenIdle = [];
  }

  return {
    add(work) {
      waiting.push(work);
      if (running < limit) void drain();
    },
    async idle() {
      if (running > 0) await new Promise<void>((resolve) => whenIdle.push(resolve));
    },
  };
}
