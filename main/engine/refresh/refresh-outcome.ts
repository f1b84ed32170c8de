import type { CompatibilityNote } from '../../../shared/compatibility-notes.ts';
import { errorCatalogue } from '../../../shared/error-codes.ts';
import { isAbout } from '../../../shared/error-facts.ts';
import type { Integration } from '../../../shared/integration.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { saveAttempts } from '../../limits.ts';
import { canRenew, refusedResourceNote } from '../../oauth/token/token-set.ts';
import type { TokenSet } from '../../oauth/token/token-set.ts';
import type { ChangeCause, Vault } from '../../ports.ts';
import type { EnginePorts } from '../engine-ports.ts';
import { holdUnsaved, loadTokens, saveTokens } from '../kept/stored-secrets.ts';
import { pause } from '../work-queue.ts';

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
  const { expiresAt: _ended, retryAt: _over, renewalRefused: _refused, ...others } = entry;
  const { boundToKey: _before, failure: _failed, ...rest } = others;
  // Nobody has to sign in any more. Whether the server takes the new token, as after TOKEN_REJECTED, only a use shows.
  const failure =
    entry.failure && isAbout(errorCatalogue[entry.failure.code], 'sign-in-required') ? undefined : entry.failure;
  const isOther = entry.account !== undefined && tokens.account !== undefined && entry.account !== tokens.account;
  return {
    ...rest,
    state: 'integrated',
    ...(failure && { failure }),
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

interface EndOfSignIn {
  readonly why?: CompatibilityNote;
  readonly because?: ChangeCause;
}

/** Says in the list that only a person can help, and why. One that the person signed out of stays signed out. */
export async function endSignIn(
  ports: Pick<EnginePorts, 'store'>,
  { id }: Integration,
  { why, because }: EndOfSignIn = {},
): Promise<void> {
  await ports.store.update(
    id,
    (kept) =>
      kept.state === 'integrated'
        ? { ...kept, state: 'reauthenticationRequired', notes: [...new Set([...kept.notes, ...(why ? [why] : [])])] }
        : kept,
    because,
  );
}

/** SIGN_IN_REQUIRED for this integration. */
export function signInRequired(integration: Integration, cause?: unknown): PosternError {
  const detail = { host: hostOf(integration), name: integration.name };
  return new PosternError('SIGN_IN_REQUIRED', { stage: 'connection', cause, detail });
}

/** SIGN_IN_REQUIRED for one that has no refresh token, while its access token still lives. */
export function cannotRenew(integration: Integration): PosternError {
  const access = 'lives';
  return signInRequired(integration).with({ detail: { access }, remedy: { kind: 'sign-in', access } });
}

export function hostOf({ url }: Pick<Integration, 'url'>): string {
  return new URL(url).host;
}

/**
 * Says in the list of all sign-ins that nothing is kept for any more that only a person can help: together, since after
 * the loss of a vault there may be a thousand. One that cannot be read has lost nothing. Never throws for a vault.
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
    // A damaged vault names no owners either, so one of them is looked for by itself: reading from such a vault throws.
    if (!first || (await loadTokens(vault, first.id, first.issuerKey ?? ''))) return;
    await Promise.all(lost.map((integration) => endSignIn(ports, integration)));
  } catch (error) {
    if (!(error instanceof PosternError)) throw error;
  }
}
