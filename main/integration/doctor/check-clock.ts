import type { Integration } from '../../../shared/integration.ts';
import { releasedAfter } from '../../../shared/released-after.ts';
import { PosternError } from '../../postern-error.ts';

const day = 24 * 60 * 60_000;
/** Nobody runs a version for longer; certificates end before that. */
const longestUse = 20 * 365 * day;

/**
 * Whether the wall clock can be right: not before this version was made, nor far after it, and not before what it said
 * when an integration was used last. `now` in milliseconds since 1970. Errors: CLOCK_WRONG.
 */
export function checkClock(now: number, integrations: readonly Integration[]): void {
  const seen = integrations.flatMap(({ createdAt, signedInAt, refreshedAt }) => [createdAt, signedInAt, refreshedAt]);
  const lastSeen = Math.max(0, ...seen.filter((moment) => moment !== undefined));
  const isPossible = now >= releasedAfter && now <= releasedAfter + longestUse;
  // A day: time zones are no fault, and a clock that ran ahead may have been put right.
  if (isPossible && now >= lastSeen - day) return;
  throw new PosternError('CLOCK_WRONG', { stage: 'app', detail: { moment: now } });
}
