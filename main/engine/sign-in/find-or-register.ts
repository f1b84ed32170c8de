import { noteIf } from '../../../shared/compatibility-notes.ts';
import type { CompatibilityNote } from '../../../shared/compatibility-notes.ts';
import type { Integration } from '../../../shared/integration.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { updateRegistration } from '../../oauth/client/client-configuration.ts';
import type { ClientCredentials } from '../../oauth/client/client-credentials.ts';
import { registerClient } from '../../oauth/client/client-registration.ts';
import type { RegistrationResult } from '../../oauth/client/client-registration.ts';
import type { RegistrationRequest } from '../../oauth/client/registration-request.ts';
import type { ClientRegistration } from '../../oauth/client/registration-response.ts';
import type { Discovery } from '../../oauth/discovery/discovery.ts';
import type { EnginePorts } from '../engine-ports.ts';
import {
  integrationLock,
  isUnanswered,
  loadCredentials,
  loadRegistration,
  registrationKey,
  saveCredentials,
  saveRegistration,
} from '../records/stored-secrets.ts';
import { issuerKeyOf } from './ask-for-credentials.ts';
import type { CredentialsContext } from './ask-for-credentials.ts';
import { callbackAddress, callbackPath, callbackUrl } from './callback-address.ts';

/** A client for this sign-in. `reused`: it already existed; only then can the service have forgotten it. */
export interface Client {
  readonly credentials: ClientCredentials;
  readonly reused: boolean;
  /** The credentials as typed or registered, while another authentication method is tried. */
  readonly original?: ClientCredentials;
  /** Notes on what its registration response had to be tolerated for. */
  readonly notes?: readonly CompatibilityNote[];
  /** Settles once its registration is stored; await it before opening the sign-in page. Errors: KC_*, CFG_*. */
  readonly saved?: Promise<void>;
}

export type FailedRegistration = Exclude<RegistrationResult, { readonly kind: 'registered' }>;
type LookupResult = { readonly kind: 'found'; readonly client: Client } | FailedRegistration;

/**
 * Returns the registration stored for this issuer and redirect URI, unless the service no longer knows it (`forgotten`)
 * or its last sign-in page brought no response; else one moved here from a redirect URI that is no longer in use; else
 * a new one. Errors: those of `registerClient`, KC_*, CFG_*.
 */
export async function findOrRegister(
  context: CredentialsContext,
  discovery: Discovery,
  scope: string | undefined,
  forgotten: ClientCredentials | undefined,
): Promise<LookupResult> {
  const { ports, flow, interaction, policy, integrationId, redirectUri, forDevices, registrationToken, signal } =
    context;
  const { metadata } = discovery;
  const issuerKey = issuerKeyOf(discovery);
  if (!metadata) return { kind: 'refused', error: new PosternError('ASM_MISSING', { stage: 'registration' }) };
  const vault = await ports.vault();
  let unanswered: ClientRegistration | undefined;
  const isUsable = (stored: ClientRegistration): boolean => {
    if (stored.credentials.clientId === forgotten?.clientId || hasExpired(stored, ports.clock.now())) return false;
    if (forDevices === true || !isUnanswered(stored, integrationId, ports.clock.now())) return true;
    if (stored.credentials.redirectUri === redirectUri) unanswered = stored;
    return false;
  };
  const loadUsable = async (): Promise<ClientRegistration | undefined> => {
    const stored = await loadRegistration(vault, redirectUri, issuerKey);
    // A client registered without the device grant would get `unauthorized_client` (RFC 6749 section 5.2).
    return stored && isUsable(stored) && (forDevices !== true || stored.forDevices === true) ? stored : undefined;
  };
  const stored = await loadUsable();
  if (stored) return { kind: 'found', client: reuse(stored) };

  flow.advance({ type: 'register' });
  const found = Promise.withResolvers<LookupResult>();
  const request = { metadata, issuerKey, redirectUri, scope, forDevices, policy, signal };
  // One registration per issuer and redirect URI, however many sign-ins start at once.
  const saved = ports.locks.hold(
    `registration ${issuerKey}`,
    async () => {
      const existing = (await loadUsable()) ?? (await moveRegistration(context, request, isUsable));
      if (existing) {
        found.resolve({ kind: 'found', client: reuse(existing) });
        return;
      }
      const initialAccessToken = flow.findings.firstIssuerKey === issuerKey ? registrationToken : undefined;
      const registered = await registerClient(ports, { ...request, initialAccessToken });
      if (registered.kind !== 'registered') {
        // The user may just have left its page, so it may still work.
        found.resolve(unanswered ? { kind: 'found', client: reuse(unanswered) } : registered);
        return;
      }
      const { registration } = registered;
      const { credentials } = registration;
      const notes = [...registration.notes, ...noteIf(unanswered !== undefined, 'registered-again')];
      if (unanswered) interaction.onEvent({ event: 'note', note: 'registered-again' });
      // Stored in parallel: the sign-in need not wait for the disk.
      found.resolve({ kind: 'found', client: { credentials, reused: false, notes } });
      await saveRegistration(vault, registration);
    },
    signal,
  );
  saved.catch(found.reject);
  const result = await found.promise;
  return result.kind === 'found' ? { kind: 'found', client: { ...result.client, saved } } : result;
}

function reuse({ credentials, notes }: ClientRegistration): Client {
  return { credentials, reused: true, notes };
}

/** True if the secret expires within the sign-in's ten minutes (RFC 7591 3.2.1). */
function hasExpired({ credentials }: ClientRegistration, now: number): boolean {
  return credentials.secretExpiresAt !== undefined && credentials.secretExpiresAt - 600_000 < now;
}

/**
 * Changes a registration whose redirect URI is no longer in use to this sign-in's redirect URI (RFC 7592 section 2.2);
 * integrations that use it get the updated client. `undefined`: there is none, or it cannot be changed. Call it under
 * the lock of the issuer's registrations. Errors: USER_CANCELLED, KC_*, CFG_*.
 */
async function moveRegistration(
  { ports, integrationId }: Pick<CredentialsContext, 'ports' | 'integrationId'>,
  request: RegistrationRequest,
  isUsable: (stored: ClientRegistration) => boolean,
): Promise<ClientRegistration | undefined> {
  const { redirectUri, issuerKey } = request;
  const { callbackPort } = await ports.store.settings();
  // Our usual port is taken at the moment: the next sign-in would only move the registration back.
  if (new URL(redirectUri).port !== String(callbackPort)) return undefined;
  const vault = await ports.vault();
  for (const earlierUri of await vault.owners()) {
    if (!earlierUri.endsWith(callbackPath) || earlierUri === redirectUri) continue;
    const stored = await loadRegistration(vault, earlierUri, issuerKey);
    if (!stored || !isUsable(stored)) continue;
    const users = await integrationsUsing(ports, integrationId, earlierUri, issuerKey);
    const updated = users && (await updateRegistration(ports, stored, request));
    if (!updated) continue;
    // Store the newest response first, so that a crash cannot lose its registration access token.
    await saveRegistration(vault, updated);
    await vault.delete(registrationKey(earlierUri, issuerKey));
    for (const { id } of users) await adoptUpdatedClient(ports, id, updated);
    return updated;
  }
  return undefined;
}

/**
 * Integrations that use the client registered for `earlierUri`; `undefined` if one of them still uses that redirect
 * URI.
 */
async function integrationsUsing(
  ports: EnginePorts,
  integrationId: string,
  earlierUri: string,
  issuerKey: string,
): Promise<readonly Integration[] | undefined> {
  const usesClient = (entry: Integration): boolean => entry.issuerKey === issuerKey && entry.redirectUri === earlierUri;
  // An unreadable entry may use it, and so does one whose deletion can be undone.
  if (!(await ports.store.isListComplete())) return undefined;
  if ((await ports.store.pendingDeletions()).some(({ integration }) => usesClient(integration))) return undefined;
  const users = (await ports.store.list()).filter(usesClient);
  for (const { id, options } of users) {
    if (id === integrationId) continue;
    if (callbackUrl(await callbackAddress(ports, options.callbackHost)) === earlierUri) return undefined;
  }
  return users;
}

/** Stores the changed secret: without it the next refresh would fail, and a removal would not find the client. */
async function adoptUpdatedClient(
  ports: EnginePorts,
  id: string,
  { credentials: updated }: ClientRegistration,
): Promise<void> {
  const { redirectUri, issuerKey, clientId, clientSecret, secretExpiresAt } = updated;
  await ports.locks.hold(integrationLock(id), async () => {
    const vault = await ports.vault();
    const { secretExpiresAt: _expired, ...stored } = (await loadCredentials(vault, id, issuerKey)) ?? updated;
    if (stored.source !== 'registered' || stored.clientId !== clientId) return;
    await saveCredentials(vault, id, {
      ...stored,
      redirectUri,
      ...(clientSecret && { clientSecret }),
      ...(secretExpiresAt !== undefined && { secretExpiresAt }),
    });
    await ports.store.update(id, ({ clientSecretExpiresAt: _ended, ...entry }) => ({
      ...entry,
      redirectUri,
      ...(secretExpiresAt !== undefined && { clientSecretExpiresAt: secretExpiresAt }),
    }));
  });
}
