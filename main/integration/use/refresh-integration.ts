import type { Integration } from '../../../shared/integration.ts';
import { wantsSignIn } from '../../error-remedy.ts';
import { PosternError } from '../../postern-error.ts';
import type { EnginePorts } from '../engine-ports.ts';
import { reauthenticate } from '../sign-in/reauthenticate.ts';
import type { Access } from './use-server.ts';
import { storedTokens } from '../refresh/access-token.ts';
import { renewStoredTokens } from '../refresh/refresh-stored-tokens.ts';

/** A refresh that somebody asked for: done, or of no use while the access token lives and nothing can renew it. */
export type IntegrationRenewal =
  | { readonly kind: 'renewed'; readonly integration: Integration }
  | { readonly kind: 'not-renewable'; readonly error: PosternError };

/** As `renewIntegration`. Errors: also SIGN_IN_REQUIRED without a refresh token; the access token is kept. */
export async function refreshIntegration(...asked: Parameters<typeof renewIntegration>): Promise<Integration> {
  const renewal = await renewIntegration(...asked);
  if (renewal.kind === 'renewed') return renewal.integration;
  throw renewal.error;
}

/**
 * Refreshes now, whatever the token's age. Whoever loses a race takes the winner's tokens.
 * Errors: SIGN_IN_REQUIRED, REFRESH_*, KC_*.
 */
export async function renewIntegration(
  ports: EnginePorts,
  integration: Integration,
  { interaction, signal }: Access,
): Promise<IntegrationRenewal> {
  try {
    const stored = await storedTokens(ports, integration);
    const renewal = await renewStoredTokens(ports, integration, stored, 'asked', signal);
    if (renewal.kind === 'not-renewable' && !interaction) return renewal;
    if (renewal.kind !== 'fresh') throw renewal.error;
  } catch (error) {
    if (!(error instanceof PosternError) || !wantsSignIn(error) || !interaction) throw error;
    return {
      kind: 'renewed',
      integration: await reauthenticate(ports, integration, { reason: error }, interaction, signal),
    };
  }
  return { kind: 'renewed', integration: (await ports.store.read(integration.id)) ?? integration };
}
