import type { Integration } from '../../../shared/integration.ts';
import type { RegistrationRequest } from '../../oauth/client/registration-request.ts';
import type { ClientRegistration } from '../../oauth/client/registration-response.ts';
import { updateRegistration } from '../../oauth/client/registration-update.ts';
import type { EnginePorts } from '../engine-ports.ts';
import { integrationLock } from '../kept/integration-lock.ts';
import {
  loadCredentials,
  loadRegistration,
  registrationKey,
  saveCredentials,
  saveRegistration,
} from '../kept/stored-secrets.ts';
import { callbackAddress, callbackPath, callbackUrl } from './callback-address.ts';
import type { CredentialsContext } from './credentials-context.ts';

/**
 * Brings a registration at the same issuer, whose callback nobody comes back to any more, to the one of this sign-in:
 * the service changes it (RFC 7592 section 2.2), and whoever signs in with it follows. `undefined`: there is none, or it
 * cannot be changed. To be called under the lock of the issuer's registrations. Errors: USER_CANCELLED, KC_*, CFG_*.
 */
export async function moveRegistration(
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
