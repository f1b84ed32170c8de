import type { Integration } from '../../../shared/integration.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { deleteRegistration } from '../../oauth/client/client-configuration.ts';
import type { RegistrationDeletionOutcome } from '../../oauth/client/client-configuration.ts';
import type { ClientRegistration } from '../../oauth/client/registration-response.ts';
import type { RevocationOutcome } from '../../oauth/token/revocation.ts';
import type { VaultKey } from '../../ports.ts';
import type { EnginePorts } from '../engine-ports.ts';
import { hasKeysInAddress, hasSignIn, isSignedIn } from '../records/api-key.ts';
import { integrationPolicy } from '../records/integration-policy.ts';
import { integrationLock, loadRegistration, registrationKey } from '../records/stored-secrets.ts';
import { readSecrets, revoke } from './sign-out.ts';
import type { SignInSecrets } from './sign-out.ts';

export interface RemovalResult {
  readonly integration: Integration;
  readonly revocation: RevocationOutcome;
  /** Also `nothing-to-delete` if another integration uses the registration. */
  readonly registration: RegistrationDeletionOutcome;
}

/**
 * Removes an integration: first everything local, even offline; then, best effort, revokes its tokens (RFC 7009) and
 * deletes its registration (RFC 7592) unless another integration uses it. Errors: KC_*, CFG_*.
 */
export async function removeIntegration(
  ports: EnginePorts,
  integration: Integration,
  signal: AbortSignal,
): Promise<RemovalResult> {
  const secrets = await forgetIntegration(ports, integration);
  await sweepOrphans(ports);
  const revocation = await revoke(ports, integration, secrets, signal);
  return { integration, revocation, registration: await unregister(ports, integration, secrets, signal) };
}

/** Deletes the registration at its authorization server, best effort. Never throws. */
export async function unregister(
  ports: Pick<EnginePorts, 'http'>,
  { url, options }: Integration,
  { registration }: Pick<DeletedSecrets, 'registration'>,
  signal: AbortSignal,
): Promise<RegistrationDeletionOutcome> {
  if (!registration) return 'nothing-to-delete';
  const policy = integrationPolicy(url, options);
  return await deleteRegistration(ports.http, { registration, policy, signal });
}

/** What notifying its authorization server needs, read before the deletion. */
export interface DeletedSecrets extends SignInSecrets {
  /** Absent also where another integration signs in with it. */
  readonly registration: ClientRegistration | undefined;
}

export const noSecrets: DeletedSecrets = { tokens: undefined, credentials: undefined, registration: undefined };

/**
 * Reads secrets before they are deleted; `undefined`: delete them unread, without a key to read them. Errors: those of
 * `read` that must stop the deletion.
 */
export type SecretsReader = <Read>(read: () => Promise<Read>) => Promise<Read | undefined>;

const readAll: SecretsReader = (read) => read();

/**
 * Deletes an integration locally, secrets before the entry, and notifies no service. Errors: KC_* (then the entry
 * remains, signed out), CFG_*.
 */
export async function forgetIntegration(ports: EnginePorts, integration: Integration): Promise<DeletedSecrets> {
  return await ports.locks.hold(integrationLock(integration.id), async () => {
    await markSignedOut(ports, [integration]);
    const secrets = await forgetSignedOut(ports, [integration]);
    return secrets.get(integration.id) ?? noSecrets;
  });
}

/** Done first, so that after a crash no entry is signed in without its tokens. Errors: CFG_*. */
export async function markSignedOut(
  { store }: Pick<EnginePorts, 'store'>,
  integrations: readonly Integration[],
): Promise<void> {
  const marked = new Set(integrations.filter(hasSecrets).map(({ id }) => id));
  if (marked.size === 0) return;
  await store.changeList((list) => ({
    ...list,
    integrations: list.integrations.map((each) => (marked.has(each.id) ? { ...each, state: 'signedOut' } : each)),
  }));
}

/** Deletes integrations marked as signed out, all in one step. Errors: KC_*, CFG_*. */
export async function forgetSignedOut(
  ports: EnginePorts,
  integrations: readonly Integration[],
  read: SecretsReader = readAll,
): Promise<ReadonlyMap<string, DeletedSecrets>> {
  // Do not read the list for nothing: a damaged one must still be deletable.
  if (integrations.length === 0) return new Map();
  const secrets = await readAndDeleteSecrets(ports, integrations.filter(hasSecrets), { read });
  const ids = integrations.map(({ id }) => id);
  await ports.store.delete(...ids);
  await ports.pins.forget(...ids);
  return secrets;
}

/** True if the vault may hold anything of it; for a local server, its values and the consent. */
export function hasSecrets(integration: Integration): boolean {
  return hasSignIn(integration) || integration.command !== undefined;
}

/**
 * Deletes their secrets and the registrations that no other integration uses, and returns them by ID. The vault is read
 * once. `alreadyDeleted`: IDs that no longer use a registration, though they are still recorded. Errors: KC_*, CFG_*.
 */
export async function readAndDeleteSecrets(
  ports: EnginePorts,
  integrations: readonly Integration[],
  {
    read = readAll,
    alreadyDeleted = [],
  }: { readonly read?: SecretsReader; readonly alreadyDeleted?: readonly string[] } = {},
): Promise<ReadonlyMap<string, DeletedSecrets>> {
  const secretsById = new Map<string, DeletedSecrets>();
  if (integrations.length === 0) return secretsById;
  const realVault = await ports.vault();
  const snapshot = await read(() => realVault.snapshot());
  const vault = { ...realVault, ...(snapshot && { read: snapshot }) };
  // Deletions that can be undone still use their registration.
  const deletions = (await ports.store.pendingDeletions()).map((deletion) => deletion.integration);
  const excluded = new Set([...integrations.map(({ id }) => id), ...alreadyDeleted]);
  const others = [...(await ports.store.list()), ...deletions].filter(({ id }) => !excluded.has(id));
  // An unreadable entry may use the registration too.
  const isListComplete = await ports.store.isListComplete();
  /** Registrations to delete, by key. The first integration that uses one returns it. */
  const registrations = new Map<string, VaultKey>();
  for (const integration of integrations) {
    const { id, issuerKey, redirectUri } = integration;
    const isShared =
      !isListComplete || others.some((other) => other.issuerKey === issuerKey && other.redirectUri === redirectUri);
    const isLast = issuerKey !== undefined && redirectUri !== undefined && !isShared;
    const key = isLast ? registrationKey(redirectUri, issuerKey) : undefined;
    const name = JSON.stringify(key);
    const hasOwn = isLast && !registrations.has(name);
    if (key) registrations.set(name, key);
    const secrets = await read(async () => ({
      ...(await readSecrets(vault, integration)),
      registration: hasOwn ? await loadRegistration(vault, redirectUri, issuerKey) : undefined,
    }));
    secretsById.set(id, secrets ?? noSecrets);
  }
  await realVault.delete(...(await realVault.keysOf(...secretsById.keys())), ...registrations.values());
  return secretsById;
}

/**
 * Deletes vault records without a list entry, left by a crash during an install, sign-out or removal, if the whole list
 * could be read. Each is checked under its integration's lock, so that a running install is left alone. Undoable
 * deletions are left to `finishDeletions`. Never throws: it is tried again at the next occasion.
 */
export async function sweepOrphans(ports: EnginePorts): Promise<void> {
  try {
    if (!(await ports.store.isListComplete())) return;
    const vault = await ports.vault();
    const known = new Map((await ports.store.list()).map((entry) => [entry.id, entry]));
    const isPending = async (owner: string): Promise<boolean> =>
      (await ports.store.pendingDeletions()).some(({ integration }) => integration.id === owner);
    const keys = Map.groupBy(await vault.keysOf(...(await vault.owners())), ({ owner }) => owner);
    for (const [owner, ownKeys] of keys) {
      const entry = known.get(owner);
      if (!isIntegrationId(owner) || (entry && isSignedIn(entry))) continue;
      if (ownKeys.every((key) => belongsTo(entry, key))) continue;
      await ports.locks.hold(integrationLock(owner), async () => {
        // The list may have changed since.
        if (!(await ports.store.isListComplete()) || (await isPending(owner))) return;
        const current = await ports.store.read(owner);
        await vault.delete(...(await vault.keysOf(owner)).filter((key) => !belongsTo(current, key)));
      });
    }
  } catch (error) {
    ports.log.write('sweep-failed', { code: error instanceof PosternError ? error.code : 'INTERNAL' });
  }
}

/** Registrations are owned by a redirect URI, and self-test records by no integration. */
function isIntegrationId(owner: string): boolean {
  return /^[a-z0-9-]{1,64}$/.test(owner) && !owner.startsWith('self-test-');
}

/** A client stays for the next sign-in, even one at another issuer; tokens only belong to the current issuer. */
function belongsTo(entry: Integration | undefined, key: VaultKey): boolean {
  if (!entry) return false;
  if (key.kind === 'header') return entry.state !== 'signedOut' || hasKeysInAddress(entry);
  if (key.kind !== 'tokens') return true;
  return entry.state !== 'signedOut' && entry.issuerKey === key.issuerKey;
}
