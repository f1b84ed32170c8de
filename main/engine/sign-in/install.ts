import type { CompatibilityNote } from '../../../shared/compatibility-notes.ts';
import type { Integration, IntegrationOptions, ServerProtocol } from '../../../shared/integration.ts';
import { PosternError } from '../../errors/postern-error.ts';
import type { ClientCredentials } from '../../oauth/client/client-credentials.ts';
import { otherAuthenticationNote } from '../../oauth/token/code-exchange.ts';
import { canRenew } from '../../oauth/token/token-set.ts';
import type { TokenSet } from '../../oauth/token/token-set.ts';
import type { Vault } from '../../ports.ts';
import { withoutKeys } from '../../secret.ts';
import type { EnginePorts } from '../engine-ports.ts';
import {
  integrationLock,
  loadRegistration,
  saveRegistration,
  saveSignIn,
  tokensKey,
} from '../records/stored-secrets.ts';
import type { CompletedSignIn } from './sign-in-interaction.ts';

interface InstallRequest {
  readonly id: string;
  readonly name: string;
  /** The current entry: signing in again preserves its age and its protocol revision. */
  readonly existing?: Integration | undefined;
  /** The protocol form that the server speaks, once that is known: the entry is written with it then. */
  readonly protocol?: (() => ServerProtocol | undefined) | undefined;
  /** Throws FLOW_SUPERSEDED if another process started a newer sign-in, whose tokens must stay. */
  readonly assertNewest: () => void;
}

/**
 * Finishes an install (spec 3.2: tokens stored for that user): writes the tokens and their client in one step and reads
 * them back, then writes the list entry. So no entry is signed in without tokens, and no tokens meet another client.
 * Errors: NOT_FOUND when it was removed meanwhile, FLOW_SUPERSEDED, KC_*, CFG_*.
 */
export async function install(
  ports: EnginePorts,
  { id, name, existing, assertNewest, protocol: knownProtocol }: InstallRequest,
  { discovery, credentials, tokens: received, request, notes, options }: CompletedSignIn,
): Promise<Integration> {
  const tokens = retainIdentity(received, options, discovery.url);
  return await ports.locks.hold(integrationLock(id), async () => {
    const stored = await ports.store.read(id);
    // The user removed it while signing in: the removal wins.
    if (existing && !stored) throw new PosternError('NOT_FOUND', { stage: 'install' });
    const now = ports.clock.now();
    const integration: Integration = {
      id,
      name: stored?.name ?? name,
      url: options.isIdentityProvider ? discovery.url : withoutKeys(discovery.url),
      // A typed client stays the user's own, even if the server would register one (spec 3.1).
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
      ...(tokens.user && { user: tokens.user }),
      ...(credentials.secretExpiresAt !== undefined && { clientSecretExpiresAt: credentials.secretExpiresAt }),
      ...(tokens.expiresAt !== undefined && { expiresAt: tokens.expiresAt }),
      hasRefreshToken: canRenew(tokens),
      ...(tokens.binding?.bindsAccess && { boundToKey: true }),
      signedInAt: now,
      createdAt: stored?.createdAt ?? now,
      ...(stored?.protocol && { protocol: stored.protocol }),
      notes: [...new Set([...discovery.notes, ...notes, ...tokens.notes])],
      options,
    };
    const vault = await ports.vault();
    // Checked under the lock, under which a newer sign-in also stores its tokens.
    assertNewest();
    await saveLearnedAuthentication(vault, credentials, integration.notes);
    await saveSignIn(vault, integration, credentials, tokens);
    const protocol = knownProtocol?.();
    const written = await ports.store.write(protocol ? { ...integration, protocol } : integration);
    // The issuer has changed: tokens of the old one are useless and must not be sent anywhere.
    if (stored?.issuerKey !== undefined && stored.issuerKey !== tokens.issuerKey)
      await vault.delete(tokensKey(id, stored.issuerKey));
    return written;
  });
}

/** Stores the user's identity only for identity providers. Errors: IDENTITY_INVALID. */
function retainIdentity(received: TokenSet, { isIdentityProvider }: IntegrationOptions, url: string): TokenSet {
  if (isIdentityProvider) {
    if (received.identity) return received;
    throw new PosternError('IDENTITY_INVALID', {
      stage: 'install',
      detail: { host: new URL(url).host, fault: 'missing' },
    });
  }
  const { identity: _, ...tokens } = received;
  return tokens;
}

/** Stores the authentication method that worked with the registration, so that the next integration starts with it. */
async function saveLearnedAuthentication(
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
  const stored = [...new Set([...registration.notes, ...learned])];
  await saveRegistration(vault, { ...registration, credentials, notes: stored });
}
