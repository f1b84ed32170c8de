import type { Integration } from '../../../shared/integration.ts';
import type { TokenSet } from '../../oauth/token/token-set.ts';
import type { Clock } from '../../ports.ts';
import type { EnginePorts } from '../engine-ports.ts';
import { usableTokens } from '../refresh/access-token.ts';
import { renewStoredTokens } from '../refresh/refresh-stored-tokens.ts';

/** The share of its life that a new token still has: another one would hardly last longer. */
const stillNew = 0.9;

/**
 * Tokens that last at least `leastLife` milliseconds from now, renewed for that where they do not. Where the service
 * gives no more, or nothing can renew them while they live, those that there are: `expiresAt` says what they have.
 * Errors: as `usableTokens`, and REFRESH_* where the renewal fails, since what is there was not enough.
 */
export async function lastingTokens(
  ports: EnginePorts,
  integration: Integration,
  leastLife: number,
  signal: AbortSignal,
): Promise<TokenSet> {
  const tokens = await usableTokens(ports, integration, signal);
  if (isEnough(tokens, leastLife, ports.clock)) return tokens;
  const renewal = await renewStoredTokens(ports, integration, tokens, 'asked', signal);
  if (renewal.kind === 'fresh') return renewal.tokens;
  if (renewal.kind === 'not-renewable') return tokens;
  throw renewal.error;
}

function isEnough({ expiresAt, receivedAt }: TokenSet, leastLife: number, clock: Pick<Clock, 'now'>): boolean {
  if (expiresAt === undefined) return true;
  const left = expiresAt - clock.now();
  return left >= leastLife || left >= stillNew * (expiresAt - receivedAt.wall);
}
