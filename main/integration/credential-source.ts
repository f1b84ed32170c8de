import type { Integration } from '../../shared/integration.ts';
import type { Credential } from '../mcp/credential-gate.ts';
import type { CredentialSource } from '../mcp/mcp-fetch.ts';
import type { TokenSet } from '../oauth/token-set.ts';
import { usableTokens } from './access-token.ts';
import type { EnginePorts } from './engine-ports.ts';
import { refreshStoredTokens } from './refresh-stored-tokens.ts';

/**
 * Where an integration's requests get their bearer token: from the vault, refreshed when due and once after a 401.
 * Parallel requests of this process share one look-up and one refresh; other processes meet at the lock.
 */
export function credentialSource(ports: EnginePorts, integration: Integration, signal: AbortSignal): CredentialSource {
  if (integration.method === 'NoAuth') return { current: async () => undefined, renew: async () => undefined };
  let tokens: Promise<TokenSet> | undefined;
  let renewed = false;
  const asCredential = (set: TokenSet): Credential => ({
    kind: 'bearer',
    token: set.accessToken,
    resource: integration.url,
  });
  const use = async (next: Promise<TokenSet>): Promise<Credential> => {
    tokens = next;
    // A failed look-up must not be remembered as the answer.
    next.catch(() => (tokens = undefined));
    return asCredential(await next);
  };
  return {
    current: () => use(tokens ?? usableTokens(ports, integration, signal)),
    renew: async (refused) => {
      const seen = await tokens;
      if (!seen || refused.kind !== 'bearer') return undefined;
      // Another request has renewed it meanwhile.
      if (seen.accessToken !== refused.token) return asCredential(seen);
      // Refused although it is fresh: more refreshing would change nothing (at most one for one connection).
      if (!seen.refreshToken || renewed) return undefined;
      renewed = true;
      return await use(refreshStoredTokens(ports, integration, seen, signal));
    },
  };
}
