import type { Integration } from '../../../shared/integration.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { deleteRegistration } from '../../oauth/client/client-configuration.ts';
import type { RegistrationDeletionOutcome } from '../../oauth/client/client-configuration.ts';
import type { ClientRegistration } from '../../oauth/client/registration-response.ts';
import type { RevocationOutcome } from '../../oauth/token/revocation.ts';
import type { VaultKey } from '../../ports.ts';
import type { EnginePorts } from '../engine-ports.ts';
import { hasKeysInAddress, hasSignIn, isSignedIn } from '../kept/api-key.ts';
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
 * Reads secrets before they are deleted; `undefined`: they are deleted unread, without a key to read them with. Errors:
 * those of `read` that keep what it reads from being deleted.
 */
export type SecretsReader = <Read>(read: () => Promise<Read>) => Promise<Read | undefined>;

const readAll: SecretsReader = (read) => read();

/**
 * Deletes an integration here, its secrets before its entry, and tells nobody. Errors: KC_* (then it is still there,
 * signed out), CFG_*.
 */
export async function forgetIntegration(ports: EnginePorts, integration: Integration): Promise<ForgottenSecrets> {
  return await ports.locks.hold(integrationLock(integration.id), async () => {
    await markSignedOut(ports, [integration]);
    const secrets = await forgetSignedOut(ports, [integration]);
    return secrets.get(integration.id) ?? noSecrets;
  });
}

/** First, so that after a crash in between no entry is signed in without its tokens. Errors: CFG_*. */
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

/** Deletes integrations that are marked as signed out, all of them in one step. Errors: KC_*, CFG_*. */
export async function forgetSignedOut(
  ports: EnginePorts,
  integrations: readonly Integration[],
  read: SecretsReader = readAll,
): Promise<ReadonlyMap<string, ForgottenSecrets>> {
  // A list that cannot be read can still be deleted with everything else.
  if (integrations.length === 0) return new Map();
  const secrets = await takeAll(ports, integrations.filter(hasSecrets), { read });
  const ids = integrations.map(({ id }) => id);
  await ports.store.delete(...ids);
  await ports.pins.forget(...ids);
  return secrets;
}

/** Whether the vault may hold anything of it: of a server on this computer the values of its variables, and the consent. */
export function hasSecrets(integration: Integration): boolean {
  return hasSignIn(integration) || integration.command !== undefined;
}

/**
 * Deletes their secrets, with the registrations that nobody else signs in with, and hands them out by id. The vault is
 * read once. `gone`: ids of those that sign in with nothing any more, though they are still noted. Errors: KC_*, CFG_*.
 */
export async function takeAll(
  ports: EnginePorts,
  integrations: readonly Integration[],
  { read = readAll, gone = [] }: { readonly read?: SecretsReader; readonly gone?: readonly string[] } = {},
): Promise<ReadonlyMap<string, ForgottenSecrets>> {
  const taken = new Map<string, ForgottenSecrets>();
  if (integrations.length === 0) return taken;
  const kept = await ports.vault();
  const snapshot = await read(() => kept.snapshot());
  const vault = { ...kept, ...(snapshot && { read: snapshot }) };
  // Those too that may still be taken back.
  const leaving = (await ports.store.pendingDeletions()).map((deletion) => deletion.integration);
  const without = new Set([...integrations.map(({ id }) => id), ...gone]);
  const others = [...(await ports.store.list()), ...leaving].filter(({ id }) => !without.has(id));
  // An integration that cannot be read may sign in with it too.
  const isWhole = await ports.store.listIsWhole();
  /** Registrations that go, by their names: the first that signs in with one hands it out. */
  const registrations = new Map<string, VaultKey>();
  for (const integration of integrations) {
    const { id, issuerKey, redirectUri } = integration;
    const isShared =
      !isWhole || others.some((other) => other.issuerKey === issuerKey && other.redirectUri === redirectUri);
    const isLast = issuerKey !== undefined && redirectUri !== undefined && !isShared;
    const key = isLast ? registrationKey(redirectUri, issuerKey) : undefined;
    const name = JSON.stringify(key);
    const hasOwn = isLast && !registrations.has(name);
    if (key) registrations.set(name, key);
    const secrets = await read(async () => ({
      ...(await readSecrets(vault, integration)),
      registration: hasOwn ? await loadRegistration(vault, redirectUri, issuerKey) : undefined,
    }));
    taken.set(id, secrets ?? noSecrets);
  }
  await kept.delete(...(await kept.keysOf(...taken.keys())), ...registrations.values());
  return taken;
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
    const keys = Map.groupBy(await vault.keysOf(...(await vault.owners())), ({ owner }) => owner);
    for (const [owner, own] of keys) {
      const entry = known.get(owner);
      if (!isIntegrationId(owner) || (entry && isSignedIn(entry))) continue;
      if (own.every((key) => belongsTo(entry, key))) continue;
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
