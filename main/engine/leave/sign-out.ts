import type { Integration } from '../../../shared/integration.ts';
import type { ClientCredentials } from '../../oauth/client/client-credentials.ts';
import { revokeTokens } from '../../oauth/token/revocation.ts';
import type { RevocationOutcome } from '../../oauth/token/revocation.ts';
import type { TokenSet } from '../../oauth/token/token-set.ts';
import type { Vault, VaultKey } from '../../ports.ts';
import type { EnginePorts } from '../engine-ports.ts';
import { hasKeysInAddress, hasSignIn, usesApiKey, withoutUnusedSignIn } from '../kept/api-key.ts';
import { integrationPolicy } from '../kept/integration-policy.ts';
import { integrationLock, loadCredentials, loadTokens } from '../kept/stored-secrets.ts';

export interface SignedOut {
  readonly integration: Integration;
  readonly revocation: RevocationOutcome;
}

/**
 * Signs out: the tokens are gone from here first and whatever happens; then the authorization server is asked to
 * revoke them (RFC 7009), best effort. The integration and its client stay. Errors: KC_*, CFG_*.
 */
export async function signOut(ports: EnginePorts, integration: Integration, signal: AbortSignal): Promise<SignedOut> {
  const { id } = integration;
  // Nothing to sign out of: the server answers without a credential, and saying otherwise would be a lie.
  if (!hasSignIn(integration)) return { integration, revocation: 'nothing-to-revoke' };
  const held = await ports.locks.hold(integrationLock(id), async () => {
    const before = (await ports.store.read(id)) ?? integration;
    // The entry first, so that after a crash in between no entry counts as signed in without its tokens.
    await ports.store.changeList((list) => ({
      integrations: withSignedOut(list.integrations, id),
      // A deletion that a window has begun ends here: nothing is left that it could undo.
      pendingDeletions: list.pendingDeletions.filter((each) => each.integration.id !== id),
    }));
    const secrets = await takeTokens(ports, before);
    return { ...secrets, integration: (await ports.store.read(id)) ?? before };
  });
  return { integration: held.integration, revocation: await revoke(ports, integration, held, signal) };
}

/** Nobody uses its sign-in any more. A server that is used without one goes on being used. */
export function withSignedOut(integrations: readonly Integration[], id: string): readonly Integration[] {
  return integrations.map((each) => {
    if (each.id !== id) return each;
    if (each.method === 'NoAuth' && !usesApiKey(each)) return withoutUnusedSignIn(each);
    const { expiresAt: _ended, ...kept } = each;
    return { ...kept, state: 'signedOut' };
  });
}

/** What revoking needs, read before it is deleted. */
export interface TakenSecrets {
  readonly tokens: TokenSet | undefined;
  readonly credentials: ClientCredentials | undefined;
}

export async function readSecrets(vault: Vault, { id, issuerKey }: Integration): Promise<TakenSecrets> {
  if (issuerKey === undefined) return { tokens: undefined, credentials: undefined };
  return { tokens: await loadTokens(vault, id, issuerKey), credentials: await loadCredentials(vault, id, issuerKey) };
}

/**
 * Deletes the tokens of every issuer that the integration ever had, or its API key, with what the server said to that
 * account, and hands out the last tokens to be
 * revoked. With `unread` they are deleted without a key to read them with.
 */
export async function takeTokens(ports: EnginePorts, integration: Integration, unread = false): Promise<TakenSecrets> {
  const vault = await ports.vault();
  const secrets = unread ? { tokens: undefined, credentials: undefined } : await readSecrets(vault, integration);
  const isToken = ({ kind }: VaultKey): boolean =>
    kind === 'tokens' || (kind === 'header' && !hasKeysInAddress(integration));
  await vault.delete(...(await vault.keysOf(integration.id)).filter(isToken));
  await ports.catalogue.forget(integration.id);
  return secrets;
}

export async function revoke(
  ports: Pick<EnginePorts, 'http'>,
  { url, options }: Integration,
  { tokens, credentials }: TakenSecrets,
  signal: AbortSignal,
): Promise<RevocationOutcome> {
  if (!tokens || !credentials) return 'nothing-to-revoke';
  return await revokeTokens(ports.http, { tokens, credentials, policy: integrationPolicy(url, options), signal });
}

/** The same, where the tokens may have been deleted unread: then the service could not be told. */
export async function endAccess(
  ports: Pick<EnginePorts, 'http'>,
  integration: Integration,
  secrets: TakenSecrets,
  signal: AbortSignal,
): Promise<RevocationOutcome> {
  const wasSignedIn = integration.state === 'integrated' && integration.issuerKey !== undefined;
  if (wasSignedIn && !secrets.tokens) return 'failed';
  return await revoke(ports, integration, secrets, signal);
}
