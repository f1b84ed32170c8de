import type { Integration } from '../../shared/integration.ts';
import type { TokenSet } from '../oauth/token-set.ts';
import { PosternError } from '../postern-error.ts';
import type { EnginePorts } from './engine-ports.ts';
import { isDue, isExpired } from './refresh-time.ts';
import { isClientRejected, refreshStoredTokens, signInRequired } from './refresh-stored-tokens.ts';
import { loadTokens } from './stored-secrets.ts';

/**
 * The tokens to use now: refreshed first when they are due. A refresh that fails for the moment, or for
 * want of a client, does no harm while the access token still lives. Errors: SIGN_IN_REQUIRED, REFRESH_*, KC_*.
 */
export async function usableTokens(
  ports: EnginePorts,
  integration: Integration,
  signal: AbortSignal,
): Promise<TokenSet> {
  const tokens = await storedTokens(ports, integration);
  if (!isDue(tokens, ports.clock)) return tokens;
  if (!tokens.refreshToken) {
    if (isExpired(tokens, ports.clock)) throw signInRequired(integration);
    return tokens;
  }
  try {
    return await refreshStoredTokens(ports, integration, tokens, 'due', signal);
  } catch (error) {
    const isPassing = error instanceof PosternError && error.code === 'REFRESH_TRANSIENT';
    if ((isPassing || isClientRejected(error)) && !isExpired(tokens, ports.clock)) return tokens;
    throw error;
  }
}

/** Errors: SIGN_IN_REQUIRED when nobody is signed in, or the sign-in was refused for good and its tokens are gone. */
export async function storedTokens(ports: EnginePorts, integration: Integration): Promise<TokenSet> {
  const { id, issuer, state } = integration;
  if (issuer === undefined || state === 'signedOut') throw signInRequired(integration);
  const tokens = await loadTokens(await ports.vault(), id, issuer);
  if (!tokens) throw signInRequired(integration);
  return tokens;
}
