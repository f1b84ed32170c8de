import { errorCatalogue } from '../shared/error-codes.ts';
import { isAbout } from '../shared/error-facts.ts';
import type { IntegrationStatus } from '../shared/integration-view.ts';
import type { Integration } from '../shared/integration.ts';
import { commandHash } from './local-ports.ts';
import type { LocalState } from './local-ports.ts';

/**
 * What the list by itself says of an integration. `signInAgain`: its sign-in has ended, or most likely has. `offline`:
 * its access has ended and could not be renewed, which is tried again. `failing`: the last use failed, with the sign-in
 * there. Of a command whoever runs it knows that, and that it is `stopped`.
 */
export type KeptStatus = Extract<
  IntegrationStatus['name'],
  'ready' | 'signIn' | 'signInAgain' | 'offline' | 'notAllowed' | EndedStatus
>;

/** A command that is not started by itself: the person has stopped it, or it ended too often. */
export type EndedStatus = Extract<IntegrationStatus['name'], 'stopped' | 'failing'>;

/** `undefined`: it runs, or does so once something uses it. */
export function endedStatus(state: LocalState): EndedStatus | undefined {
  if (state === 'stopped') return 'stopped';
  return state === 'failed' ? 'failing' : undefined;
}

type Kept = Pick<Integration, 'state'> &
  Partial<
    Pick<
      Integration,
      'hasRefreshToken' | 'expiresAt' | 'retryAt' | 'renewalRefused' | 'failure' | 'command' | 'allowedCommand'
    >
  >;

/**
 * The one place that reads it: window, tray and command line say the same. `now` as Date.now(); `ended`: what whoever
 * runs its command says.
 */
export function keptStatus(integration: Kept, now: number, ended?: EndedStatus): KeptStatus {
  const { state, hasRefreshToken, expiresAt, retryAt, renewalRefused, failure, command, allowedCommand } = integration;
  if (command) return allowedCommand === commandHash(command) ? (ended ?? 'ready') : 'notAllowed';
  if (state === 'signedOut') return 'signIn';
  if (state === 'reauthenticationRequired') return 'signInAgain';
  const hasEnded = expiresAt !== undefined && expiresAt <= now;
  // Nothing renews it but a person.
  if (hasEnded && hasRefreshToken === false) return 'signInAgain';
  // The server refuses the access token, renewed or not, until a use succeeds.
  if (failure) return isAbout(errorCatalogue[failure.code], 'refused-sign-in') ? 'signInAgain' : 'failing';
  if (!hasEnded || retryAt === undefined) return 'ready';
  return renewalRefused ? 'signInAgain' : 'offline';
}
