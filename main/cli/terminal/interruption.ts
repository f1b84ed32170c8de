import { PosternError } from '../../postern-error.ts';

/** Milliseconds that work has to tidy up after the first signal. */
const grace = 5_000;
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export interface Interruption {
  /** Aborts with USER_CANCELLED at the first signal. */
  readonly signal: AbortSignal;
  /** Rejects with USER_CANCELLED at the second signal, or when the grace has passed: nobody waits any longer. */
  readonly forced: Promise<never>;
  /** From now on they are for somebody else, who decides: nothing is aborted, and nothing forced. */
  passTo(other: (signal: NodeJS.Signals) => void): void;
}

/** Turns Ctrl-C, a polite kill and a closed terminal into an end that is told and tidy; a second one ends at once. */
export function watchForInterruption(): Interruption {
  const controller = new AbortController();
  const { promise: forced, reject } = Promise.withResolvers<never>();
  forced.catch(() => {});
  let other: ((signal: NodeJS.Signals) => void) | undefined;
  const interrupt = (name: NodeJS.Signals): void => {
    if (other) return other(name);
    const reason = new PosternError('USER_CANCELLED', { stage: 'app' });
    if (controller.signal.aborted) return reject(reason);
    controller.abort(reason);
    setTimeout(() => reject(reason), grace).unref();
  };
  for (const signal of signals) process.on(signal, interrupt);
  return { signal: controller.signal, forced, passTo: (taker) => void (other = taker) };
}
