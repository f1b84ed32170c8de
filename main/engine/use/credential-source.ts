import type { Integration } from '../../../shared/integration.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { isToken } from '../../mcp/http/credential-gate.ts';
import type { FixedHeader, TokenCredential } from '../../mcp/http/credential-gate.ts';
import type { CredentialSource } from '../../mcp/http/mcp-fetch.ts';
import { canRenew } from '../../oauth/token/token-set.ts';
import type { TokenSet } from '../../oauth/token/token-set.ts';
import type { Clock } from '../../ports.ts';
import type { EnginePorts } from '../engine-ports.ts';
import { hasKeysInAddress, storedKeySource, usesApiKey } from '../records/api-key.ts';
import { boundTokens } from '../records/bound-tokens.ts';
import { integrationLock, keysIn, saveTokens } from '../records/stored-secrets.ts';
import { usableTokens } from '../refresh/access-token.ts';
import type { RefreshReason } from '../refresh/refresh-stored-tokens.ts';
import { isDue, isExpired, isUnproven } from '../refresh/refresh-time.ts';

/**
 * Token source for an integration's requests: from the vault, refreshed when due and once after a refusal. Parallel
 * requests in this process share one lookup and one refresh; other processes synchronize by the lock.
 */
export function credentialSource(ports: EnginePorts, integration: Integration, signal: AbortSignal): CredentialSource {
  if (usesApiKey(integration)) return storedKeySource(ports, integration);
  if (integration.method === 'NoAuth') return { current: async () => undefined, renew: async () => undefined };
  let pending: Promise<TokenSet> | undefined;
  let cached: TokenSet | undefined;

  const share = async (begin: () => Promise<TokenSet>): Promise<TokenSet> => {
    pending ??= begin().finally(() => {
      pending = undefined;
    });
    cached = await pending;
    return cached;
  };
  const refresh = async (seen: TokenSet, reason: RefreshReason): Promise<TokenSet> => {
    const { refreshStoredTokens } = await import('../refresh/refresh-stored-tokens.ts');
    return await refreshStoredTokens(ports, integration, seen, reason, signal);
  };
  const asCredential = async (tokens: TokenSet): Promise<TokenCredential> => {
    const keys = hasKeysInAddress(integration) ? await keysIn(ports.vault)(integration) : undefined;
    return tokenCredential(tokens, integration, keys);
  };

  return {
    current: async () => {
      if (cached && !pending && !isDue(cached, ports.clock)) return await asCredential(cached);
      return await asCredential(await share(() => usableTokens(ports, integration, signal)));
    },
    renew: async (refused, doubt) => {
      // Another request has refreshed it meanwhile, or is about to.
      const seen = pending ? await pending : cached;
      if (!seen || !isToken(refused)) return undefined;
      if (seen.accessToken.reveal() !== refused.token.reveal()) return await asCredential(seen);
      if (doubt === undefined) {
        return await asCredential(await share(() => refresh(seen, 'refused')));
      }
      if (!canRenew(seen)) return undefined;
      // Already refreshed for that reason, or (500) most likely a fault unrelated to the token.
      if (isUnproven(seen, ports.clock) || (doubt === 'fault' && !mayHaveEnded(seen, ports.clock))) return undefined;
      return await asCredential(await share(() => refresh(seen, 'suspected')));
    },
    onAccepted: async (credential) => {
      if (cached?.refusals === undefined || pending || !isToken(credential)) return;
      if (cached.accessToken.reveal() === credential.token.reveal())
        cached = await acceptTokens(ports, integration, cached);
    },
  };
}

/** An access token as a credential for the server at `url` only, with the keys in its address. */
export function tokenCredential(
  { accessToken: token, binding }: Pick<TokenSet, 'accessToken' | 'binding'>,
  { url: resource }: Pick<Integration, 'url'>,
  further?: readonly FixedHeader[],
): TokenCredential {
  return binding?.bindsAccess
    ? { kind: 'dpop', token, key: binding.key, resource, further }
    : { kind: 'bearer', token, resource, further };
}

function mayHaveEnded(tokens: TokenSet, clock: Clock): boolean {
  return tokens.expiresAt === undefined || isExpired(tokens, clock);
}

/**
 * The server accepted tokens refreshed after a refusal: a later refusal is a new one and worth another refresh. Never
 * throws: at worst the user signs in once more than needed.
 */
export async function acceptTokens(
  ports: EnginePorts,
  integration: Integration,
  accepted: TokenSet,
): Promise<TokenSet> {
  const { refusals: _over, ...settled } = accepted;
  try {
    await ports.locks.hold(integrationLock(integration.id), async () => {
      const vault = await ports.vault();
      const tokens = await boundTokens(ports, vault, integration);
      if (tokens?.refusals === undefined || tokens.accessToken.reveal() !== accepted.accessToken.reveal()) return;
      const { refusals: _stored, ...rest } = tokens;
      await saveTokens(vault, integration, rest);
    });
  } catch (error) {
    ports.log.write('tokens-not-saved', { code: error instanceof PosternError ? error.code : 'INTERNAL' });
  }
  return settled;
}
