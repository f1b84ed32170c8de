import { errorCatalog } from '../shared/error-codes.ts';
import { hasTrait } from '../shared/error-traits.ts';
import type { IntegrationStatus } from '../shared/integration-view.ts';
import type { Integration } from '../shared/integration.ts';
import { commandHash } from './local-ports.ts';
import type { LocalState } from './local-ports.ts';

/**
 * The status of an integration according to the stored list. `signInAgain`: the sign-in has ended, or most likely has.
 * `offline`: the access token has expired and could not be refreshed yet; retrying. `failing`: signed in, but the last
 * use failed. For a command, only the process that runs it knows `failing` and `stopped`.
 */
export type StoredStatus = Extract<
  IntegrationStatus['name'],
  'ready' | 'signIn' | 'signInAgain' | 'offline' | 'notAllowed' | EndedStatus
>;

/** A command that is not restarted: the user stopped it, or it ended too often. */
export type EndedStatus = Extract<IntegrationStatus['name'], 'stopped' | 'failing'>;

/** `undefined`: it is running, or will start when it is used. */
export function endedStatus(state: LocalState): EndedStatus | undefined {
  if (state === 'stopped') return 'stopped';
  return state === 'failed' ? 'failing' : undefined;
}

type StatusFields = Pick<Integration, 'state'> &
  Partial<
    Pick<
      Integration,
      'hasRefreshToken' | 'expiresAt' | 'retryAt' | 'renewalRefused' | 'failure' | 'command' | 'allowedCommand'
    >
  >;

/**
 * The only place that derives it, so that window, tray and command line agree. `now`: as Date.now(). `ended`: reported
 * by the process that runs the command.
 */
export function storedStatus(integration: StatusFields, now: number, ended?: EndedStatus): StoredStatus {
  const { state, hasRefreshToken, expiresAt, retryAt, renewalRefused, failure, command, allowedCommand } = integration;
  if (command) return allowedCommand === commandHash(command) ? (ended ?? 'ready') : 'notAllowed';
  if (state === 'signedOut') return 'signIn';
  if (state === 'reauthenticationRequired') return 'signInAgain';
  const hasExpired = expiresAt !== undefined && expiresAt <= now;
  // Only the user can renew it.
  if (hasExpired && hasRefreshToken === false) return 'signInAgain';
  // The server refuses even a renewed access token. This holds until a use succeeds.
  if (failure) return hasTrait(errorCatalog[failure.code], 'refused-sign-in') ? 'signInAgain' : 'failing';
  if (!hasExpired || retryAt === undefined) return 'ready';
  return renewalRefused ? 'signInAgain' : 'offline';
}
