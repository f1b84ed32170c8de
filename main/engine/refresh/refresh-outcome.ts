import type { CompatibilityNote } from '../../../shared/compatibility-notes.ts';
import { errorCatalog } from '../../../shared/error-codes.ts';
import { hasTrait } from '../../../shared/error-traits.ts';
import type { Integration } from '../../../shared/integration.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { saveAttempts } from '../../limits.ts';
import { canRenew, refusedResourceNote } from '../../oauth/token/token-set.ts';
import type { TokenSet } from '../../oauth/token/token-set.ts';
import type { ChangeCause, Vault } from '../../ports.ts';
import type { EnginePorts } from '../engine-ports.ts';
import { retainUnsaved, loadTokens, saveTokens } from '../records/stored-secrets.ts';
import { pause } from '../work-queue.ts';

/**
 * Stores the pair from a refresh in place of `replaced`, and updates the list. The old pair is used up, so storing is
 * retried a few times; if it still fails, the pair stays in this process's memory and the error is thrown: the sign-in
 * is lost when the process ends. The caller holds the integration's lock. Errors: KC_*, CFG_*.
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
      retainUnsaved(vault, id, tokens, replaced);
      if (attempt >= saveAttempts.count) throw error;
      await pause(ports.clock, saveAttempts.pause);
    }
  }
  await ports.store.update(id, (entry) => describeTokens(entry, tokens));
}

interface PostponedRefresh {
  /** Earliest next attempt, in milliseconds since 1970. */
  readonly retryAt: number;
  /** The service refused the refresh: most likely the sign-in has ended. */
  readonly isRefused: boolean;
}

/** List entry after a postponed refresh: expiry and next attempt. */
export function describePostponed(
  { renewalRefused: _before, ...entry }: Integration,
  { expiresAt }: TokenSet,
  { retryAt, isRefused }: PostponedRefresh,
): Integration {
  return {
    ...entry,
    retryAt,
    ...(expiresAt !== undefined && { expiresAt }),
    ...(isRefused && { renewalRefused: true }),
  };
}

/** List entry updated from its tokens. A signed-out entry stays as it is. */
export function describeTokens(entry: Integration, tokens: TokenSet): Integration {
  if (entry.state === 'signedOut') return entry;
  const { expiresAt: _ended, retryAt: _over, renewalRefused: _refused, ...others } = entry;
  const { boundToKey: _before, failure: _failed, ...rest } = others;
  // No sign-in is needed any more. Other failures stay: whether the server accepts the new token, as after
  // TOKEN_REJECTED, only a use shows.
  const failure =
    entry.failure && hasTrait(errorCatalog[entry.failure.code], 'sign-in-required') ? undefined : entry.failure;
  const isOtherAccount =
    entry.account !== undefined && tokens.account !== undefined && entry.account !== tokens.account;
  return {
    ...rest,
    state: 'integrated',
    ...(failure && { failure }),
    hasRefreshToken: canRenew(tokens),
    ...(tokens.binding?.bindsAccess && { boundToKey: true }),
    ...(tokens.scope !== undefined && { scope: tokens.scope }),
    ...(tokens.expiresAt !== undefined && { expiresAt: tokens.expiresAt }),
    // The old label stays: the user has to check before another account is taken for theirs.
    ...(tokens.account !== undefined && { account: entry.account ?? tokens.account }),
    ...(isOtherAccount && { notes: [...new Set<CompatibilityNote>([...entry.notes, 'another-account'])] }),
    ...(tokens.notes.includes(refusedResourceNote) && { options: { ...rest.options, sendResource: false } }),
    refreshedAt: tokens.receivedAt.wall,
  };
}

interface SignInEndReason {
  readonly note?: CompatibilityNote;
  readonly cause?: ChangeCause;
}

/** Records in the list that the user has to sign in, and why. A signed-out entry stays signed out. */
export async function endSignIn(
  ports: Pick<EnginePorts, 'store'>,
  { id }: Integration,
  { note, cause }: SignInEndReason = {},
): Promise<void> {
  await ports.store.update(
    id,
    (current) =>
      current.state === 'integrated'
        ? {
            ...current,
            state: 'reauthenticationRequired',
            notes: [...new Set([...current.notes, ...(note ? [note] : [])])],
          }
        : current,
    cause,
  );
}

export function signInRequired(integration: Integration, cause?: unknown): PosternError {
  const detail = { host: hostOf(integration), name: integration.name };
  return new PosternError('SIGN_IN_REQUIRED', { stage: 'connection', cause, detail });
}

/** SIGN_IN_REQUIRED for an integration without a refresh token whose access token is still valid. */
export function cannotRenew(integration: Integration): PosternError {
  const access = 'lives';
  return signInRequired(integration).with({ detail: { access }, remedy: { kind: 'sign-in', access } });
}

export function hostOf({ url }: Pick<Integration, 'url'>): string {
  return new URL(url).host;
}

/**
 * Records for all sign-ins without vault records that the user has to sign in: in one go, since a lost vault may affect
 * a thousand. An unreadable record is not a lost one. Never throws for a vault error.
 */
export async function endLostSignIns(
  ports: Pick<EnginePorts, 'vault' | 'store'>,
  integrations: readonly Integration[],
): Promise<void> {
  try {
    const vault = await ports.vault();
    const owners = new Set(await vault.owners());
    const lost = integrations.filter(
      ({ id, method, state, issuerKey }) =>
        method !== 'NoAuth' && state === 'integrated' && issuerKey !== undefined && !owners.has(id),
    );
    const [first] = lost;
    // A damaged vault also lists no owners, so read one record: that throws if the vault is damaged.
    if (!first || (await loadTokens(vault, first.id, first.issuerKey ?? ''))) return;
    await Promise.all(lost.map((integration) => endSignIn(ports, integration)));
  } catch (error) {
    if (!(error instanceof PosternError)) throw error;
  }
}
