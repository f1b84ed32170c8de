import type { IntegrationStatus } from './integration-view.ts';
import type { Integration } from './integration.ts';

/**
 * What the list by itself says of an integration. `offline`: its access has ended, and the sign-in service had to be
 * left alone when it was to be renewed. `failing`: the last use failed, with the sign-in there.
 */
export type KeptStatus = Extract<IntegrationStatus['name'], 'ready' | 'signIn' | 'signInAgain' | 'offline' | 'failing'>;

type Kept = Pick<Integration, 'state' | 'hasRefreshToken' | 'expiresAt' | 'retryAt' | 'failure'>;

/** The one place that reads it: window, tray and command line say the same. `now` as Date.now(). */
export function keptStatus({ state, hasRefreshToken, expiresAt, retryAt, failure }: Kept, now: number): KeptStatus {
  if (state === 'signedOut') return 'signIn';
  if (state === 'reauthenticationRequired') return 'signInAgain';
  const hasEnded = expiresAt !== undefined && expiresAt <= now;
  // Nothing renews it but a person.
  if (hasEnded && hasRefreshToken === false) return 'signInAgain';
  if (failure) return 'failing';
  return hasEnded && retryAt !== undefined ? 'offline' : 'ready';
}
