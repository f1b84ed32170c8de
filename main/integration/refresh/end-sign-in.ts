import type { CompatibilityNote } from '../../../shared/compatibility-notes.ts';
import type { Integration } from '../../../shared/integration.ts';
import { PosternError } from '../../postern-error.ts';
import type { ChangeCause } from '../../history-ports.ts';
import type { EnginePorts } from '../engine-ports.ts';
import { loadTokens } from '../kept/stored-secrets.ts';

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
