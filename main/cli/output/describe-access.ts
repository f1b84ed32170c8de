import type { Integration } from '../../../shared/integration.ts';
import { timeOfDay } from '../../../shared/error-catalogue/catalogue-entry.ts';
import { missingScope } from '../../oauth/authorization/scope.ts';
import { describeMoment } from './describe-integration.ts';

type Row = readonly [label: string, value: string | undefined];

/** What a sign-in may do and how long, as rows for a person; what does not apply has no value. `now` as Date.now(). */
export function describeAccess(integration: Integration, now: number): readonly Row[] {
  const { scope, scopeRequested, expiresAt, method, state } = integration;
  const isSignedIn = method !== 'NoAuth' && state !== 'signedOut';
  const missing = missingScope(scopeRequested, scope);
  const ends = isSignedIn ? 'unknown: the service did not say' : undefined;
  return [
    ['Scopes granted', scope ?? (isSignedIn ? describeUnsaid(scopeRequested) : undefined)],
    ['Scopes requested', scopeRequested === scope || (isSignedIn && scope === undefined) ? undefined : scopeRequested],
    ['Scopes missing', missing.length > 0 ? `${missing.join(' ')} (tools that need them will fail)` : undefined],
    ['Access ends', expiresAt === undefined ? ends : describeMoment(expiresAt, now)],
    ['Renewal', isSignedIn ? describeRenewal(integration, now) : undefined],
  ];
}

function describeRenewal({ hasRefreshToken, expiresAt, retryAt }: Integration, now: number): string | undefined {
  if (hasRefreshToken === false) {
    const isOver = expiresAt !== undefined && expiresAt <= now;
    return `none: the service gave no refresh token; ${isOver ? 'the access has ended, so sign in again' : 'sign in again when the access has ended'}`;
  }
  if (retryAt === undefined) return undefined;
  const when = retryAt > now ? `; it is left alone until ${timeOfDay(retryAt)}` : '';
  return `the service could not do it just now, and the sign-in is kept${when}`;
}

/** Without a word on it, what was requested was granted (RFC 6749 section 5.1). */
function describeUnsaid(requested: string | undefined): string {
  return requested === undefined ? 'not named by the service' : `${requested} (as requested; the service did not say)`;
}
