import type { Integration } from '../../shared/integration.ts';
import { refreshTokenUses, serverFaultPause } from '../limits.ts';
import type { ClientCredentials } from '../oauth/client-credentials.ts';
import { refreshTokens } from '../oauth/refresh.ts';
import type { TokenSet } from '../oauth/token-set.ts';
import { PosternError } from '../postern-error.ts';
import type { Clock } from '../ports.ts';
import type { EnginePorts } from './engine-ports.ts';
import { integrationPolicy } from './integration-policy.ts';
import { saveTokens } from './stored-secrets.ts';

/**
 * Sends a refresh token, and again only where that cannot end the grant: after an unknown outcome, once, and after a
 * 500, once after a pause. The count of unknown outcomes is stored before each request, so that a crash between
 * request and answer is one of them. The caller holds the integration's lock.
 * Errors: those of `refreshTokens`; REFRESH_REVOKED with detail `status: 500` when a 500 comes again;
 * REFRESH_UNCERTAIN when the refresh token may not be sent any more.
 */
export async function sendRefresh(
  ports: EnginePorts,
  integration: Integration,
  tokens: TokenSet,
  credentials: ClientCredentials,
): Promise<TokenSet> {
  const vault = await ports.vault();
  const { refreshUses: before = 0, ...settled } = tokens;
  const keep = (kept: TokenSet): Promise<void> => saveTokens(vault, integration.id, kept);
  let faults = 0;
  for (let uses = before + 1; uses <= refreshTokenUses; uses += 1) {
    await keep({ ...settled, refreshUses: uses });
    try {
      return await requestRefresh(ports, integration, tokens, credentials);
    } catch (error) {
      if (isUncertain(error)) continue;
      // The outcome is known: nothing was used up.
      await keep(settled);
      if (!isServerFault(error)) throw error;
      faults += 1;
      if (faults > 1) throw revokedByFault(error);
      await pause(ports.clock, serverFaultPause);
      uses = before;
    }
  }
  throw new PosternError('REFRESH_UNCERTAIN', { stage: 'refresh', detail: { host: new URL(integration.url).host } });
}

async function requestRefresh(
  ports: EnginePorts,
  { url, options }: Integration,
  tokens: TokenSet,
  credentials: ClientCredentials,
): Promise<TokenSet> {
  const refreshed = await refreshTokens(ports, {
    tokens,
    credentials,
    sendResource: options.sendResource,
    policy: integrationPolicy(url, options),
    // From here on the server may have rotated: cancelling now would lose the pair that it answers.
    signal: undefined,
  });
  return refreshed.tokens;
}

function isUncertain(error: unknown): boolean {
  return error instanceof PosternError && error.code === 'REFRESH_UNCERTAIN';
}

/** Some servers answer 500 to a refresh token that they have forgotten; exactly that, not 502 to 504. */
function isServerFault(error: unknown): error is PosternError {
  return error instanceof PosternError && error.code === 'REFRESH_TRANSIENT' && error.detail['status'] === 500;
}

function revokedByFault(cause: PosternError): PosternError {
  return new PosternError('REFRESH_REVOKED', { stage: 'refresh', cause, detail: cause.detail });
}

function pause(clock: Clock, milliseconds: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  clock.after(milliseconds, resolve);
  return promise;
}
