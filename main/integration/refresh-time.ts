import type { TokenSet } from '../oauth/token-set.ts';

const earliest = 5 * 60_000;
/** Another clock than ours decided the end: a token this close to it is taken as ended. */
const skew = 60_000;

/** Milliseconds since 1970 from which on a token is refreshed: the later of 75 % of its life and 5 minutes before its end. */
export function dueAt({ expiresAt, receivedAt }: TokenSet): number | undefined {
  if (expiresAt === undefined) return undefined;
  const life = expiresAt - receivedAt.wall;
  return Math.max(receivedAt.wall + 0.75 * life, expiresAt - earliest);
}

export function isDue(tokens: TokenSet, now: number): boolean {
  const due = dueAt(tokens);
  return due !== undefined && now >= due;
}

/** A short life keeps a smaller margin, or such a token would be ended from the start. */
export function isExpired({ expiresAt, receivedAt }: TokenSet, now: number): boolean {
  if (expiresAt === undefined) return false;
  return now >= expiresAt - Math.min(skew, 0.1 * (expiresAt - receivedAt.wall));
}
