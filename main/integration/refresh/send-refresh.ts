import type { Integration } from '../../../shared/integration.ts';
import type { AddressPolicy } from '../../address/address-policy.ts';
import { refreshTokenUses } from '../../limits.ts';
import type { ClientCredentials } from '../../oauth/client-credentials.ts';
import { findSilence } from '../../oauth/reach-token-endpoint.ts';
import { refreshTokens } from '../../oauth/refresh.ts';
import type { TokenSet } from '../../oauth/token-set.ts';
import { PosternError } from '../../postern-error.ts';
import type { EnginePorts } from '../engine-ports.ts';
import { integrationPolicy } from '../kept/integration-policy.ts';
import { saveTokens } from '../kept/stored-secrets.ts';
import { backOff } from './refresh-backoff.ts';
import { classifyRefreshFailure } from './refresh-outcome.ts';

/**
 * Sends a refresh token, and again only where that cannot end the grant: after an unknown outcome, once. Before the last sending the server has to show that it answers at all. The count of unknown outcomes is stored before each request, so that a crash between
 * request and answer is one of them; no later answer takes it back, since what became of that request stays unknown.
 * The caller holds the integration's lock.
 * Errors: those of `refreshTokens`; REFRESH_TRANSIENT with `retryAt` (milliseconds since 1970) where a server was
 * reached; REFRESH_UNCERTAIN when the refresh token may not be sent any more.
 */
export async function sendRefresh(
  ports: EnginePorts,
  integration: Integration,
  tokens: TokenSet,
  credentials: ClientCredentials,
): Promise<TokenSet> {
  const vault = await ports.vault();
  const { refreshUses = 0, failures = 0, retryAt: _past, ...settled } = tokens;
  const keep = (uses: number, rest: Rest | undefined): Promise<void> =>
    saveTokens(vault, integration, { ...settled, ...(uses > 0 && { refreshUses: uses }), ...rest });
  const postpone = ({ detail }: PosternError): Rest => {
    const wait = backOff(
      { failures: failures + 1, wasSent: true, retryAfter: Number(detail['retryAfter'] ?? 0) },
      ports.random,
    );
    return { failures: failures + 1, retryAt: Math.trunc(ports.clock.now()) + wait };
  };

  let unknown = refreshUses;
  while (unknown < refreshTokenUses) {
    const silence = unknown > 0 ? await findSilence(ports.http, tokens, policyOf(integration)) : undefined;
    if (silence) {
      const rest = postpone(silence);
      await keep(unknown, rest);
      throw withRetryAt(silence, rest);
    }
    await keep(unknown + 1, undefined);
    let error: PosternError;
    try {
      return await requestRefresh(ports, integration, tokens, credentials);
    } catch (thrown) {
      if (!(thrown instanceof PosternError)) throw thrown;
      error = thrown;
    }
    const outcome = classifyRefreshFailure(error);
    if (outcome === 'cut') {
      unknown += 1;
    } else if (outcome === 'late' || outcome === 'unusable') {
      unknown += 1;
      const rest = postpone(error);
      await keep(unknown, rest);
      if (outcome === 'unusable') throw error;
      if (unknown < refreshTokenUses) throw withRetryAt(error, rest);
    } else if (outcome === 'busy') {
      const rest = postpone(error);
      await keep(unknown, rest);
      throw withRetryAt(error, rest);
    } else {
      // A refused one is deleted next; should that not come about, it must not be shown once more.
      if (error.code !== 'REFRESH_REVOKED') await keep(unknown, undefined);
      throw error;
    }
  }
  throw new PosternError('REFRESH_UNCERTAIN', { stage: 'refresh', detail: { host: new URL(integration.url).host } });
}

type Rest = Required<Pick<TokenSet, 'failures' | 'retryAt'>>;

async function requestRefresh(
  ports: EnginePorts,
  integration: Integration,
  tokens: TokenSet,
  credentials: ClientCredentials,
): Promise<TokenSet> {
  const refreshed = await refreshTokens(ports, {
    tokens,
    credentials,
    sendResource: integration.options.sendResource,
    policy: policyOf(integration),
    // From here on the server may have rotated: cancelling now would lose the pair that it answers.
    signal: undefined,
  });
  return refreshed.tokens;
}

function policyOf({ url, options }: Integration): AddressPolicy {
  return integrationPolicy(url, options);
}

function withRetryAt({ stage, detail, cause }: PosternError, { retryAt }: Rest): PosternError {
  return new PosternError('REFRESH_TRANSIENT', { stage, cause, detail: { ...detail, retryAt } });
}
