import type { Integration } from '../../../shared/integration.ts';
import { deleteRegistration } from '../../oauth/client/client-configuration.ts';
import type { RegistrationDeletionOutcome } from '../../oauth/client/client-configuration.ts';
import type { ClientRegistration } from '../../oauth/client/registration-response.ts';
import type { RevocationOutcome } from '../../oauth/token/revocation.ts';
import type { VaultKey } from '../../ports.ts';
import { PosternError } from '../../postern-error.ts';
import type { EnginePorts } from '../engine-ports.ts';
import { hasKeysInAddress, hasSignIn } from '../kept/api-key.ts';
import { integrationPolicy } from '../kept/integration-policy.ts';
import { integrationLock, loadRegistration, registrationKey } from '../kept/stored-secrets.ts';
import { readSecrets, revoke } from './sign-out.ts';
import type { TakenSecrets } from './sign-out.ts';

export interface Removed {
  readonly integration: Integration;
  readonly revocation: RevocationOutcome;
  /** `nothing-to-delete` also where another integration signs in with it. */
  readonly registration: RegistrationDeletionOutcome;
}

/**
 * Removes an integration: everything here first, offline too; then, best effort, its tokens are revoked (RFC 7009)
 * and its registration deleted (RFC 7592) unless another integration signs in with it. Errors: KC_*, CFG_*.
 */
export async function removeIntegration(
  ports: EnginePorts,
  integration: Integration,
  signal: AbortSignal,
): Promise<Removed> {
  const held = await forgetIntegration(ports, integration);
  await sweepOrphans(ports);
  const revocation = await revoke(ports, integration, held, signal);
  return { integration, revocation, registration: await unregister(ports, integration, held, signal) };
}

/** Deletes the registration that came with it at its authorization server, best effort. Never throws. */
export async function unregister(
  ports: Pick<EnginePorts, 'http'>,
  { url, options }: Integration,
  { registration }: Pick<ForgottenSecrets, 'registration'>,
  signal: AbortSignal,
): Promise<RegistrationDeletionOutcome> {
  if (!registration) return 'nothing-to-delete';
  const policy = integrationPolicy(url, options);
  return await deleteRegistration(ports.http, { registration, policy, signal });
}

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

/**
 * Deletes what a crash in the middle of an install, a sign-out or a removal has left in the vault: records that belong
 * to no entry of the list, where all of the list could be read. Each is judged under its integration's lock, so that an
 * install under way keeps its own. What may still be taken back is left to whoever finishes it.
 * Never throws: it is tried again at the next occasion.
 */
export async function sweepOrphans(ports: EnginePorts): Promise<void> {
  try {
    if (!(await ports.store.listIsWhole())) return;
    const vault = await ports.vault();
    const known = new Map((await ports.store.list()).map((entry) => [entry.id, entry]));
    const isPending = async (owner: string): Promise<boolean> =>
      (await ports.store.pendingDeletions()).some(({ integration }) => integration.id === owner);
    for (const owner of await vault.owners()) {
      const entry = known.get(owner);
      if (!isIntegrationId(owner) || (entry && entry.state !== 'signedOut' && hasSignIn(entry))) continue;
      if ((await vault.keysOf(owner)).every((key) => belongsTo(entry, key))) continue;
      await ports.locks.hold(integrationLock(owner), async () => {
        // Somebody may have edited it since.
        if (!(await ports.store.listIsWhole()) || (await isPending(owner))) return;
        const current = await ports.store.read(owner);
        await vault.delete(...(await vault.keysOf(owner)).filter((key) => !belongsTo(current, key)));
      });
    }
  } catch (error) {
    ports.log.write('sweep-failed', { code: error instanceof PosternError ? error.code : 'INTERNAL' });
  }
}

/** Registrations belong to a redirect URI, and the self-test to nobody. */
function isIntegrationId(owner: string): boolean {
  return /^[a-z0-9-]{1,64}$/.test(owner) && !owner.startsWith('self-test-');
}

/** A client stays for the next sign-in, also one at another issuer; tokens are those of the last one, or none. */
function belongsTo(entry: Integration | undefined, key: VaultKey): boolean {
  if (!entry) return false;
  if (key.kind === 'header') return entry.state !== 'signedOut' || hasKeysInAddress(entry);
  if (key.kind !== 'tokens') return true;
  return entry.state !== 'signedOut' && entry.issuerKey === key.issuerKey;
}
