import { noteIf } from '../../../shared/compatibility-notes.ts';
import type { CompatibilityNote } from '../../../shared/compatibility-notes.ts';
import type { Integration } from '../../../shared/integration.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { updateRegistration } from '../../oauth/client/client-configuration.ts';
import type { ClientCredentials } from '../../oauth/client/client-credentials.ts';
import { registerClient } from '../../oauth/client/client-registration.ts';
import type { RegistrationAnswer } from '../../oauth/client/client-registration.ts';
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
} from '../kept/stored-secrets.ts';
import { issuerKeyOf } from './ask-for-credentials.ts';
import type { CredentialsContext } from './ask-for-credentials.ts';
import { callbackAddress, callbackPath, callbackUrl } from './callback-address.ts';

/** A client for this sign-in, and whether it was there already: only a reused one can have been forgotten. */
export interface Client {
  readonly credentials: ClientCredentials;
  readonly reused: boolean;
  /** As they were typed or registered, while another way of authenticating is tried. */
  readonly agreed?: ClientCredentials;
  /** What its registration had to be tolerated, by name. */
  readonly notes?: readonly CompatibilityNote[];
  /**
   * Its registration is being stored: to be awaited before a person is sent to sign in with it. Errors: KC_*, CFG_*.
   */
  readonly saved?: Promise<void>;
}

export type FailedRegistration = Exclude<RegistrationAnswer, { readonly kind: 'registered' }>;
type Found = { readonly kind: 'found'; readonly client: Client } | FailedRegistration;

/**
 * The registration that is kept for the issuer and this redirect URI, unless it is `forgotten` there or its last sign-
 * in page brought no answer; one of another redirect URI that is no longer of use, brought here; or a new one. Errors:
 * those of `registerClient`, KC_*, CFG_*.
 */
export async function findOrRegister(
  context: CredentialsContext,
  discovery: Discovery,
  scope: string | undefined,
  forgotten: ClientCredentials | undefined,
): Promise<Found> {
  const { ports, flow, interaction, policy, integrationId, redirectUri, forDevices, registrationToken, signal } =
    context;
  const { metadata } = discovery;
  const issuerKey = issuerKeyOf(discovery);
  if (!metadata) return { kind: 'refused', error: new PosternError('ASM_MISSING', { stage: 'registration' }) };
  const vault = await ports.vault();
  let doubted: ClientRegistration | undefined;
  const isKnown = (kept: ClientRegistration): boolean => {
    if (kept.credentials.clientId === forgotten?.clientId || hasExpired(kept, ports.clock.now())) return false;
    if (forDevices === true || !isUnanswered(kept, integrationId, ports.clock.now())) return true;
    if (kept.credentials.redirectUri === redirectUri) doubted = kept;
    return false;
  };
  const usable = async (): Promise<ClientRegistration | undefined> => {
    const kept = await loadRegistration(vault, redirectUri, issuerKey);
    // A client that was registered without that grant would be refused it (RFC 6749 section 5.2, unauthorized_client).
    return kept && isKnown(kept) && (forDevices !== true || kept.forDevices === true) ? kept : undefined;
  };
  const kept = await usable();
  if (kept) return { kind: 'found', client: reuse(kept) };

  flow.advance({ type: 'register' });
  const found = Promise.withResolvers<Found>();
  const request = { metadata, issuerKey, redirectUri, scope, forDevices, policy, signal };
  // One registration for one issuer and redirect URI, however many sign-ins start at once.
  const saved = ports.locks.hold(
    `registration ${issuerKey}`,
    async () => {
      const meanwhile = (await usable()) ?? (await moveRegistration(context, request, isKnown));
      if (meanwhile) {
        found.resolve({ kind: 'found', client: reuse(meanwhile) });
        return;
      }
      const initialAccessToken = flow.found.firstIssuerKey === issuerKey ? registrationToken : undefined;
      const answer = await registerClient(ports, { ...request, initialAccessToken });
      if (answer.kind !== 'registered') {
        // Its page may have been left by the user, and be all right.
        found.resolve(doubted ? { kind: 'found', client: reuse(doubted) } : answer);
        return;
      }
      const { registration } = answer;
      const { credentials } = registration;
      const notes = [...registration.notes, ...noteIf(doubted !== undefined, 'registered-again')];
      if (doubted) interaction.onEvent({ event: 'note', note: 'registered-again' });
      // Saved while the sign-in goes on, which need not wait for the disk.
      found.resolve({ kind: 'found', client: { credentials, reused: false, notes } });
      await saveRegistration(vault, registration);
    },
    signal,
  );
  saved.catch(found.reject);
  const answer = await found.promise;
  return answer.kind === 'found' ? { kind: 'found', client: { ...answer.client, saved } } : answer;
}

function reuse({ credentials, notes }: ClientRegistration): Client {
  return { credentials, reused: true, notes };
}

/** A secret that ends within the sign-in's own ten minutes is as good as ended (RFC 7591 3.2.1). */
function hasExpired({ credentials }: ClientRegistration, now: number): boolean {
  return credentials.secretExpiresAt !== undefined && credentials.secretExpiresAt - 600_000 < now;
}

/**
 * Brings a registration at the same issuer, whose callback nobody comes back to any more, to the one of this sign-in:
 * the service changes it (RFC 7592 section 2.2), and whoever signs in with it follows. `undefined`: there is none, or it
 * cannot be changed. To be called under the lock of the issuer's registrations. Errors: USER_CANCELLED, KC_*, CFG_*.
 */
async function moveRegistration(
  { ports, integrationId }: Pick<CredentialsContext, 'ports' | 'integrationId'>,
  request: RegistrationRequest,
  isKnown: (kept: ClientRegistration) => boolean,
): Promise<ClientRegistration | undefined> {
  const { redirectUri, issuerKey } = request;
  const { callbackPort } = await ports.store.settings();
  // The usual port is taken just now: the next sign-in would only change the registration back.
  if (new URL(redirectUri).port !== String(callbackPort)) return undefined;
  const vault = await ports.vault();
  for (const earlier of await vault.owners()) {
    if (!earlier.endsWith(callbackPath) || earlier === redirectUri) continue;
    const kept = await loadRegistration(vault, earlier, issuerKey);
    if (!kept || !isKnown(kept)) continue;
    const holders = await holdersOf(ports, integrationId, earlier, issuerKey);
    const updated = holders && (await updateRegistration(ports, kept, request));
    if (!updated) continue;
    // The newest answer is saved first, so that a crash in between loses no token of the registration.
    await saveRegistration(vault, updated);
    await vault.delete(registrationKey(earlier, issuerKey));
    for (const { id } of holders) await follow(ports, id, updated);
    return updated;
  }
  return undefined;
}

/** Who signs in with what was registered for `earlier`; `undefined` where one of them still comes back there. */
async function holdersOf(
  ports: EnginePorts,
  integrationId: string,
  earlier: string,
  issuerKey: string,
): Promise<readonly Integration[] | undefined> {
  const isHolder = (entry: Integration): boolean => entry.issuerKey === issuerKey && entry.redirectUri === earlier;
  // One that cannot be read may sign in with it, and so does one that may still be taken back.
  if (!(await ports.store.listIsWhole())) return undefined;
  if ((await ports.store.pendingDeletions()).some(({ integration }) => isHolder(integration))) return undefined;
  const holders = (await ports.store.list()).filter(isHolder);
  for (const { id, options } of holders) {
    if (id === integrationId) continue;
    if (callbackUrl(await callbackAddress(ports, options.callbackHost)) === earlier) return undefined;
  }
  return holders;
}

/** Takes a changed secret over, without which the next refresh would fail and a removal would not find the client. */
async function follow(ports: EnginePorts, id: string, { credentials: updated }: ClientRegistration): Promise<void> {
  const { redirectUri, issuerKey, clientId, clientSecret, secretExpiresAt } = updated;
  await ports.locks.hold(integrationLock(id), async () => {
    const vault = await ports.vault();
    const { secretExpiresAt: _expired, ...held } = (await loadCredentials(vault, id, issuerKey)) ?? updated;
    if (held.source !== 'registered' || held.clientId !== clientId) return;
    await saveCredentials(vault, id, {
      ...held,
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
