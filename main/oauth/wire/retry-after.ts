import { retryAfter } from '../../limits.ts';
import { parseHttpDate } from './http-date.ts';

/**
 * Seconds that a `Retry-After` header asks to wait (RFC 9110 section 10.2.3), at least one and at most an hour;
 * `undefined` when it says nothing usable. `now`: wall clock, milliseconds.
 * Of the three date forms only the one that servers may generate is read.
 */
export function parseRetryAfter(header: string | null, now: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d{1,15}$/.test(text)) return clamp(Number(text));
  const at = parseHttpDate(text);
  return at === undefined ? undefined : clamp(Math.ceil((at - now) / 1000));
}

function clamp(seconds: number): number {
  return Math.min(Math.max(seconds, retryAfter.shortest), retryAfter.longest);
}
