import type { Integration } from '../../../shared/integration.ts';
import type { ClientCredentials } from '../../oauth/client/client-credentials.ts';
import { revokeTokens } from '../../oauth/token/revocation.ts';
import type { RevocationOutcome } from '../../oauth/token/revocation.ts';
import type { TokenSet } from '../../oauth/token/token-set.ts';
import type { Vault, VaultKey } from '../../ports.ts';
import type { EnginePorts } from '../engine-ports.ts';
import { hasKeysInAddress, hasSignIn, usesApiKey, withoutUnusedSignIn } from '../records/api-key.ts';
import { integrationPolicy } from '../records/integration-policy.ts';
import { integrationLock, loadCredentials, loadTokens } from '../records/stored-secrets.ts';

interface SignOutResult {
  readonly integration: Integration;
  readonly revocation: RevocationOutcome;
}

/**
 * Signs out: always deletes the tokens here first, then asks the authorization server to revoke them (RFC 7009), best
 * effort. The integration and its client stay. Errors: KC_*, CFG_*.
 */
export async function signOut(
  ports: EnginePorts,
  integration: Integration,
  signal: AbortSignal,
): Promise<SignOutResult> {
  const { id } = integration;
  // An open server needs no credential; reporting a sign-out would be false.
  if (!hasSignIn(integration)) return { integration, revocation: 'nothing-to-revoke' };
  const secrets = await ports.locks.hold(integrationLock(id), async () => {
    const before = (await ports.store.read(id)) ?? integration;
    // The entry first, so that after a crash no entry counts as signed in without its tokens.
    await ports.store.changeList((list) => ({
      integrations: withSignedOut(list.integrations, id),
      // A window's pending deletion ends here: nothing is left to undo.
      pendingDeletions: list.pendingDeletions.filter((each) => each.integration.id !== id),
    }));
    const deleted = await readAndDeleteTokens(ports, before);
    return { ...deleted, integration: (await ports.store.read(id)) ?? before };
  });
  return { integration: secrets.integration, revocation: await revoke(ports, integration, secrets, signal) };
}

/** Marks it as signed out. An open server stays usable and only loses its unused sign-in. */
export function withSignedOut(integrations: readonly Integration[], id: string): readonly Integration[] {
  return integrations.map((each) => {
    if (each.id !== id) return each;
    if (each.method === 'NoAuth' && !usesApiKey(each)) return withoutUnusedSignIn(each);
    const { expiresAt: _ended, ...rest } = each;
    return { ...rest, state: 'signedOut' };
  });
}

/** What revocation needs, read before the deletion. */
export interface SignInSecrets {
  readonly tokens: TokenSet | undefined;
  readonly credentials: ClientCredentials | undefined;
}

export async function readSecrets(vault: Vault, { id, issuerKey }: Integration): Promise<SignInSecrets> {
  if (issuerKey === undefined) return { tokens: undefined, credentials: undefined };
  return { tokens: await loadTokens(vault, id, issuerKey), credentials: await loadCredentials(vault, id, issuerKey) };
}

/**
 * Deletes the integration's tokens of all issuers, or its API key, and its cached server lists; returns the latest
 * tokens for revocation. `unread`: deletes without reading, for which no key is needed.
 */
export async function readAndDeleteTokens(
  ports: EnginePorts,
  integration: Integration,
  unread = false,
): Promise<SignInSecrets> {
  const vault = await ports.vault();
  const secrets = unread ? { tokens: undefined, credentials: undefined } : await readSecrets(vault, integration);
  const isToken = ({ kind }: VaultKey): boolean =>
    kind === 'tokens' || (kind === 'header' && !hasKeysInAddress(integration));
  await vault.delete(...(await vault.keysOf(integration.id)).filter(isToken));
  await ports.catalog.forget(integration.id);
  return secrets;
}

export async function revoke(
  ports: Pick<EnginePorts, 'http'>,
  { url, options }: Integration,
  { tokens, credentials }: SignInSecrets,
  signal: AbortSignal,
): Promise<RevocationOutcome> {
  if (!tokens || !credentials) return 'nothing-to-revoke';
  return await revokeTokens(ports.http, { tokens, credentials, policy: integrationPolicy(url, options), signal });
}

/** As `revoke`, but `failed` if the tokens were deleted unread, so the service could not be notified. */
export async function revokeSignIn(
  ports: Pick<EnginePorts, 'http'>,
  integration: Integration,
  secrets: SignInSecrets,
  signal: AbortSignal,
): Promise<RevocationOutcome> {
  const wasSignedIn = integration.state === 'integrated' && integration.issuerKey !== undefined;
  if (wasSignedIn && !secrets.tokens) return 'failed';
  return await revoke(ports, integration, secrets, signal);
}
