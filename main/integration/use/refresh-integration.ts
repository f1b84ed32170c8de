import type { Integration } from '../../../shared/integration.ts';
import { wantsSignIn } from '../../../shared/wants-sign-in.ts';
import { PosternError } from '../../postern-error.ts';
import type { EnginePorts } from '../engine-ports.ts';
import { reauthenticate } from '../sign-in/reauthenticate.ts';
import type { Access } from './use-server.ts';
import { storedTokens } from '../refresh/access-token.ts';
import { refreshStoredTokens } from '../refresh/refresh-stored-tokens.ts';

/**
 * Refreshes now, whatever the token's age. Whoever loses a race takes the winner's tokens.
 * Errors: SIGN_IN_REQUIRED (also without a refresh token: the access token is kept), REFRESH_*, KC_*.
 */
export async function refreshIntegration(
  ports: EnginePorts,
  integration: Integration,
  { interaction, signal }: Access,
): Promise<Integration> {
  try {
    await refreshStoredTokens(ports, integration, await storedTokens(ports, integration), 'asked', signal);
  } catch (error) {
    if (!(error instanceof PosternError) || !wantsSignIn(error) || !interaction) throw error;
    return await reauthenticate(ports, integration, { reason: error }, interaction, signal);
  }
  return (await ports.store.read(integration.id)) ?? integration;
}
