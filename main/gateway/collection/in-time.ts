import { gatewaySession } from '../../limits.ts';
import type { Clock } from '../../ports.ts';

/** What comes of it before a program would wait too long. Errors: those of `work`. */
export async function inTime<Result>(
  clock: Pick<Clock, 'after'>,
  work: Promise<Result>,
  milliseconds: number = gatewaySession.patience,
): Promise<Result | 'late'> {
  const late = Promise.withResolvers<'late'>();
  const stop = clock.after(milliseconds, () => late.resolve('late'));
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    stop();
  }
}
