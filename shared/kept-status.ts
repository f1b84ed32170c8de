import type { IntegrationStatus } from './integration-view.ts';
import type { Integration } from './integration.ts';

/**
 * What the list by itself says of an integration. `offline`: its access has ended, and the sign-in service had to be
 * left alone when it was to be renewed.
 */
export type KeptStatus = Extract<IntegrationStatus['name'], 'ready' | 'signIn' | 'signInAgain' | 'offline'>;

type Kept = Pick<Integration, 'state' | 'hasRefreshToken' | 'expiresAt' | 'retryAt'>;

/** The one place that reads it: window, tray and command line say the same. `now` as Date.now(). */
export function keptStatus({ state, hasRefreshToken, expiresAt, retryAt }: Kept, now: number): KeptStatus {
  if (state === 'signedOut') return 'signIn';
  if (state === 'reauthenticationRequired') return 'signInAgain';
  if (expiresAt === undefined || expiresAt > now) return 'ready';
  // Nothing renews it but a person.
  if (hasRefreshToken === false) return 'signInAgain';
  return retryAt === undefined ? 'ready' : 'offline';
}
