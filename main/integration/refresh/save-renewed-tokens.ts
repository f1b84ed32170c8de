import type { CompatibilityNote } from '../../../shared/compatibility-notes.ts';
import type { Integration } from '../../../shared/integration.ts';
import { saveAttempts } from '../../limits.ts';
import { refusedResourceNote } from '../../oauth/token/token-response.ts';
import { canRenew } from '../../oauth/token/token-set.ts';
import type { TokenSet } from '../../oauth/token/token-set.ts';
import type { Vault } from '../../ports.ts';
import type { EnginePorts } from '../engine-ports.ts';
import { pause } from '../pause.ts';
import { saveTokens } from '../kept/stored-secrets.ts';
import { holdUnsaved } from '../kept/unsaved-tokens.ts';

/**
 * Stores the pair that a refresh has brought in place of `replaced`, and describes it in the list. The old pair is
 * used up, so storing is tried a few times; a pair that cannot be stored is kept in this process and its error thrown:
 * the sign-in will be lost when the process ends. The caller holds the integration's lock. Errors: KC_*, CFG_*.
 */
export async function saveRenewedTokens(
  ports: EnginePorts,
  vault: Vault,
  integration: Integration,
  tokens: TokenSet,
  replaced: TokenSet,
): Promise<void> {
  const { id } = integration;
  for (let attempt = 1; ; attempt += 1) {
    try {
      await saveTokens(vault, integration, tokens);
      break;
    } catch (error) {
      holdUnsaved(vault, id, tokens, replaced);
      if (attempt >= saveAttempts.count) throw error;
      await pause(ports.clock, saveAttempts.pause);
    }
  }
  await ports.store.update(id, (entry) => describeTokens(entry, tokens));
}

interface Postponed {
  /** Milliseconds since 1970 before which nothing is sent. */
  readonly retryAt: number;
  /** The service refuses to renew them: most likely the sign-in has ended. */
  readonly isRefused: boolean;
}

/** The list entry of tokens that could not be renewed: when they end, and when they are tried again. */
export function describePostponed(
  { renewalRefused: _before, ...entry }: Integration,
  { expiresAt }: TokenSet,
  { retryAt, isRefused }: Postponed,
): Integration {
  return {
    ...entry,
    retryAt,
    ...(expiresAt !== undefined && { expiresAt }),
    ...(isRefused && { renewalRefused: true }),
  };
}

/** The list entry with what its tokens say. One that the person signed out of stays as it is. */
export function describeTokens(entry: Integration, tokens: TokenSet): Integration {
  if (entry.state === 'signedOut') return entry;
  const { expiresAt: _ended, retryAt: _over, renewalRefused: _refused, boundToKey: _before, ...rest } = entry;
  const isOther = entry.account !== undefined && tokens.account !== undefined && entry.account !== tokens.account;
  return {
    ...rest,
    state: 'integrated',
    hasRefreshToken: canRenew(tokens),
    ...(tokens.binding?.bindsAccess && { boundToKey: true }),
    ...(tokens.scope !== undefined && { scope: tokens.scope }),
    ...(tokens.expiresAt !== undefined && { expiresAt: tokens.expiresAt }),
    // The old label stays: the person has to look before another account is taken for theirs.
    ...(tokens.account !== undefined && { account: entry.account ?? tokens.account }),
    ...(isOther && { notes: [...new Set<CompatibilityNote>([...entry.notes, 'another-account'])] }),
    ...(tokens.notes.includes(refusedResourceNote) && { options: { ...rest.options, sendResource: false } }),
    refreshedAt: tokens.receivedAt.wall,
  };
}
