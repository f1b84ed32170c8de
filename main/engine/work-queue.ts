import type { Clock } from '../ports.ts';

interface WorkQueue {
  /**
   * Runs `work` once fewer than the limit are running. A `name` that is already queued is ignored; one that is running
   * runs again afterwards. `work` handles its own errors.
   */
  add(name: string, work: () => Promise<void>): void;
  /** Resolves when all added work has ended. */
  idle(): Promise<void>;
  /** Drops work that has not started; resolves when the rest has ended. */
  close(): Promise<void>;
}

/** Runs named work in FIFO order, at most `limit` at a time. */
export function createWorkQueue(limit: number): WorkQueue {
  const waiting = new Map<string, () => Promise<void>>();
  const running = new Map<string, Promise<void>>();
  let isClosed = false;

  function begin(): void {
    for (const [name, work] of waiting) {
      if (running.size >= limit) return;
      if (running.has(name)) continue;
      waiting.delete(name);
      const run = work().finally(() => {
        running.delete(name);
        begin();
      });
      running.set(name, run);
    }
  }

  /** Loops, since work that ends may start more. */
  async function idle(): Promise<void> {
    while (running.size > 0) await Promise.allSettled(running.values());
  }

  return {
    add(name, work) {
      if (isClosed || waiting.has(name)) return;
      waiting.set(name, work);
      begin();
    },
    idle,
    async close() {
      isClosed = true;
      waiting.clear();
      await idle();
    },
  };
}

/** Resolves after `milliseconds` of this clock. */
export function pause(clock: Pick<Clock, 'after'>, milliseconds: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  clock.after(milliseconds, resolve);
  return promise;
}

/** Waits for `promise`, or until `signal` aborts. Errors: those of `promise`, the reason of `signal`. */
export async function untilAborted<Result>(promise: Promise<Result>, signal: AbortSignal): Promise<Result> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const stop = (): void => aborted.reject(signal.reason);
  signal.addEventListener('abort', stop);
  try {
    return await Promise.race([promise, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
