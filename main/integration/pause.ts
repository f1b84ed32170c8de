import type { Clock } from '../ports.ts';

/** Resolves after `milliseconds` by the clock at hand. */
export function pause(clock: Pick<Clock, 'after'>, milliseconds: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  clock.after(milliseconds, resolve);
  return promise;
}
