import type { CompatibilityNote } from '../../../shared/compatibility-notes.ts';
import type { Integration, IntegrationOptions, WireEra } from '../../../shared/integration.ts';
import { PosternError } from '../../errors/postern-error.ts';
import type { ClientCredentials } from '../../oauth/client/client-credentials.ts';
import { otherAuthenticationNote } from '../../oauth/token/token-request.ts';
import { canRenew } from '../../oauth/token/token-set.ts';
import type { TokenSet } from '../../oauth/token/token-set.ts';
import type { Vault } from '../../ports.ts';
import { withoutKeys } from '../../secret.ts';
import type { EnginePorts } from '../engine-ports.ts';
import { integrationLock, loadRegistration, saveRegistration, saveSignIn, tokensKey } from '../kept/stored-secrets.ts';
import type { SignedIn } from './sign-in-interaction.ts';

export interface InstallRequest {
  readonly id: string;
  readonly name: string;
  /** The integration as it is now: signing in again keeps its age and its wire era. */
  readonly existing?: Integration | undefined;
  /** The wire that the server speaks, once that is known: the entry is written with it then. */
  readonly era?: (() => WireEra | undefined) | undefined;
  /** Throws FLOW_SUPERSEDED when another process has started a newer sign-in, whose tokens are to stay. */
  readonly assertNewest: () => void;
}

/**
 * Ends an installation (spec 3.2: tokens stored for that user): tokens and their client in one step and read back,
 * then the list entry, so that no entry is ever signed in without its tokens, and no tokens meet another client.
 * Errors: NOT_FOUND when it was removed meanwhile, FLOW_SUPERSEDED, KC_*, CFG_*.
 */
export async function install(
  ports: EnginePorts,
  { id, name, existing, assertNewest, era: knownEra }: InstallRequest,
  { discovery, credentials, tokens: given, request, notes, options }: SignedIn,
): Promise<Integration> {
  const tokens = keepIdentity(given, options, discovery.url);
  return await ports.locks.hold(integrationLock(id), async () => {
    const kept = await ports.store.read(id);
    // Removed while the person signed in again: that was their last word.
    if (existing && !kept) throw new PosternError('NOT_FOUND', { stage: 'install' });
    const now = ports.clock.now();
    const integration: Integration = {
      id,
      name: kept?.name ?? name,
      url: options.isIdentityProvider ? discovery.url : withoutKeys(discovery.url),
      // A typed client stays the person's own, even if the server would register one (spec 3.1).
      method: credentials.source === 'typed' ? 'OAuth' : discovery.method,
      state: 'integrated',
      issuerKey: tokens.issuerKey,
      ...(discovery.authorizationServer !== undefined && { authorizationServer: discovery.authorizationServer }),
      ...(discovery.issuerFallback && { issuerFallback: discovery.issuerFallback }),
      ...(request.resource !== undefined && { resource: withoutKeys(request.resource) }),
      redirectUri: request.redirectUri,
      ...(tokens.scope !== undefined && { scope: tokens.scope }),
      ...(request.scope !== undefined && { scopeRequested: request.scope }),
      ...(tokens.account !== undefined && { account: tokens.account }),
      ...(tokens.person && { person: tokens.person }),
      ...(credentials.secretExpiresAt !== undefined && { clientSecretExpiresAt: credentials.secretExpiresAt }),
      ...(tokens.expiresAt !== undefined && { expiresAt: tokens.expiresAt }),
      hasRefreshToken: canRenew(tokens),
      ...(tokens.binding?.bindsAccess && { boundToKey: true }),
      signedInAt: now,
      createdAt: kept?.createdAt ?? now,
      ...(kept?.era && { era: kept.era }),
      notes: [...new Set([...discovery.notes, ...notes, ...tokens.notes])],
      options,
    };
    const vault = await ports.vault();
    // Under the lock: a newer sign-in stores its tokens under it too.
    assertNewest();
    await rememberAuthentication(vault, credentials, integration.notes);
    await saveSignIn(vault, integration, credentials, tokens);
    const era = knownEra?.();
    const written = await ports.store.write(era ? { ...integration, era } : integration);
    // The issuer has changed: what the old one gave is of no use, and is not sent anywhere any more.
    if (kept?.issuerKey !== undefined && kept.issuerKey !== tokens.issuerKey)
      await vault.delete(tokensKey(id, kept.issuerKey));
    return written;
  });
}

/** Who is signed in is kept for identity providers alone. Errors: IDENTITY_INVALID. */
function keepIdentity(given: TokenSet, { isIdentityProvider }: IntegrationOptions, url: string): TokenSet {
  if (isIdentityProvider) {
    if (given.identity) return given;
    throw new PosternError('IDENTITY_INVALID', {
      stage: 'install',
      detail: { host: new URL(url).host, fault: 'missing' },
    });
  }
  const { identity: _, ...tokens } = given;
  return tokens;
}

/** Which way of authenticating worked was learned with this integration; the next one begins with it. */
async function rememberAuthentication(
  vault: Vault,
  credentials: ClientCredentials,
  notes: readonly CompatibilityNote[],
): Promise<void> {
  if (credentials.source !== 'registered') return;
  const registration = await loadRegistration(vault, credentials.redirectUri, credentials.issuerKey);
  const known = registration?.credentials;
  if (!registration || known?.clientId !== credentials.clientId) return;
  const isKnown = (['authentication', 'rawBasic', 'settled'] as const).every(
    (name) => known[name] === credentials[name],
  );
  if (isKnown) return;
  const learned = notes.filter((note) => note === otherAuthenticationNote);
  const kept = [...new Set([...registration.notes, ...learned])];
  await saveRegistration(vault, { ...registration, credentials, notes: kept });
}
