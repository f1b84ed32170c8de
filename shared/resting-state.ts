import type { Integration } from './integration.ts';

type Access = Pick<Integration, 'state' | 'hasRefreshToken' | 'expiresAt'>;

/** The state of a list entry at `now`: an access that has ended, with nothing to renew it with, wants a sign-in. */
export function restingState(integration: Access, now: number): Integration['state'] {
  const { state, hasRefreshToken } = integration;
  const isOver = state === 'integrated' && hasRefreshToken === false && hasEnded(integration, now);
  return isOver ? 'reauthenticationRequired' : state;
}

/** Whether its access has ended, and the sign-in service had to be left alone when it was to be renewed. */
export function waitsForRenewal(integration: Access & Pick<Integration, 'retryAt'>, now: number): boolean {
  return integration.state === 'integrated' && integration.retryAt !== undefined && hasEnded(integration, now);
}

function hasEnded({ expiresAt }: Access, now: number): boolean {
  return expiresAt !== undefined && expiresAt <= now;
}
