import type { Integration } from '../../../shared/integration.ts';
import type { ClientRegistration } from '../../oauth/client/registration-response.ts';
import { hasSignIn } from '../kept/api-key.ts';
import type { EnginePorts } from '../engine-ports.ts';
import { integrationLock } from '../kept/integration-lock.ts';
import type { TakenSecrets } from './sign-out.ts';
import { readSecrets } from './sign-out.ts';
import { loadRegistration, registrationKey } from '../kept/stored-secrets.ts';

/** What its authorization server has to be told with, read before it was deleted. */
export interface ForgottenSecrets extends TakenSecrets {
  /** Absent also where another integration signs in with it. */
  readonly registration: ClientRegistration | undefined;
}

export const noSecrets: ForgottenSecrets = { tokens: undefined, credentials: undefined, registration: undefined };

/**
 * Deletes an integration here, its secrets before its entry, and tells nobody. With `unread` its secrets are deleted
 * without a key to read them with. Errors: KC_* (then it is still there, signed out), CFG_*.
 */
export async function forgetIntegration(
  ports: EnginePorts,
  integration: Integration,
  { unread = false } = {},
): Promise<ForgottenSecrets> {
  const { id } = integration;
  return await ports.locks.hold(integrationLock(id), async () => {
    const hasSecrets = hasSignIn(integration) || integration.command !== undefined;
    // First, so that after a crash in between no entry is signed in without its tokens.
    if (hasSecrets) await ports.store.update(id, (kept) => ({ ...kept, state: 'signedOut' }));
    const secrets = hasSecrets ? await takeAll(ports, integration, unread) : noSecrets;
    await ports.store.delete(id);
    await ports.pins.forget(id);
    return secrets;
  });
}

/**
 * Deletes its secrets, with the registration that nobody else signs in with, and hands them out. `gone`: ids of those
 * that sign in with nothing any more, though they are still noted. Errors: KC_*, CFG_*.
 */
export async function takeAll(
  ports: EnginePorts,
  integration: Integration,
  unread: boolean,
  gone: readonly string[] = [],
): Promise<ForgottenSecrets> {
  const { id, issuerKey, redirectUri } = integration;
  const vault = await ports.vault();
  const secrets = unread ? noSecrets : await readSecrets(vault, integration);
  // Those too that may still be taken back.
  const leaving = (await ports.store.pendingDeletions()).map((deletion) => deletion.integration);
  const others = [...(await ports.store.list()), ...leaving].filter(
    (other) => other.id !== id && !gone.includes(other.id),
  );
  // An integration that cannot be read may sign in with it too.
  const isWhole = await ports.store.listIsWhole();
  const isShared =
    !isWhole || others.some((other) => other.issuerKey === issuerKey && other.redirectUri === redirectUri);
  const keys = await vault.keysOf(id);
  if (issuerKey === undefined || redirectUri === undefined || isShared) {
    await vault.delete(...keys);
    return { ...secrets, registration: undefined };
  }
  const registration = unread ? undefined : await loadRegistration(vault, redirectUri, issuerKey);
  await vault.delete(...keys, registrationKey(redirectUri, issuerKey));
  return { ...secrets, registration };
}
