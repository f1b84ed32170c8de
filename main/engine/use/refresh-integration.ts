import type { Integration } from '../../../shared/integration.ts';
import { PosternError, wantsSignIn } from '../../errors/postern-error.ts';
import type { EnginePorts } from '../engine-ports.ts';
import { storedTokens } from '../refresh/access-token.ts';
import { renewStoredTokens } from '../refresh/refresh-stored-tokens.ts';
import type { Renewal } from '../refresh/refresh-stored-tokens.ts';
import { reauthenticate } from '../sign-in/reauthenticate.ts';
import type { Access } from './use-server.ts';

/** A refresh that somebody asked for: done, or of no use while the access token lives and nothing can renew it. */
export type IntegrationRenewal =
  | { readonly kind: 'renewed'; readonly integration: Integration }
  | { readonly kind: 'not-renewable'; readonly error: PosternError };

/**
 * Refreshes now, whatever the token's age. Whoever loses a race takes the winner's tokens. Where the user can
 * sign in, they do so when that fails; the old tokens stay until it has brought new ones.
 * Errors: SIGN_IN_REQUIRED, REFRESH_*, KC_*.
 */
export async function renewIntegration(
  ports: EnginePorts,
  integration: Integration,
  { user, signal }: Access,
): Promise<IntegrationRenewal> {
  const renewal = await renewNow(ports, integration, signal);
  if (renewal.kind === 'fresh')
    return { kind: 'renewed', integration: (await ports.store.read(integration.id)) ?? integration };
  if (user?.signIn) {
    const { error: reason } = renewal;
    return { kind: 'renewed', integration: await reauthenticate(ports, integration, { reason }, user.signIn, signal) };
  }
  if (renewal.kind === 'not-renewable') return renewal;
  throw renewal.error;
}

/** Errors: those that a sign-in would meet as well. */
async function renewNow(ports: EnginePorts, integration: Integration, signal: AbortSignal): Promise<Renewal> {
  try {
    const stored = await storedTokens(ports, integration);
    return await renewStoredTokens(ports, integration, stored, 'asked', signal);
  } catch (error) {
    if (!(error instanceof PosternError) || !wantsSignIn(error)) throw error;
    return { kind: 'ended', error };
  }
}
