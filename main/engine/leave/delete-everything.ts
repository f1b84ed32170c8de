import { isAbout } from '../../../shared/error-facts.ts';
import type { Integration } from '../../../shared/integration.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { deadline, revocationsAtOnce } from '../../limits.ts';
import type { RegistrationDeletionOutcome } from '../../oauth/client/client-configuration.ts';
import type { RevocationOutcome } from '../../oauth/token/revocation.ts';
import type { KeptData, VaultKey } from '../../ports.ts';
import type { EnginePorts } from '../engine-ports.ts';
import { isSignedIn } from '../kept/api-key.ts';
import { integrationLock } from '../kept/stored-secrets.ts';
import { createWorkQueue } from '../work-queue.ts';
import { forgetSignedOut, markSignedOut, noSecrets, unregister } from './remove-integration.ts';
import type { ForgottenSecrets, SecretsReader } from './remove-integration.ts';
import { endAccess } from './sign-out.ts';

export interface Deleted {
  /** Servers that were taken off the list. */
  readonly integrations: number;
  /** Sign-ins and API keys whose secrets are gone. */
  readonly signIns: number;
  /** Entries that the keychain has let go. */
  readonly keychainEntries: number;
  /** How often each came of telling a service. */
  readonly revocations: Readonly<Partial<Record<RevocationOutcome, number>>>;
  readonly registrations: Readonly<Partial<Record<RegistrationDeletionOutcome, number>>>;
  /** Why something is still here. Doing it again goes on from there. */
  readonly failure?: PosternError;
}

interface Forgotten {
  readonly integration: Integration;
  readonly secrets: ForgottenSecrets;
}

/**
 * Deletes all that is kept of a person here: each integration as `removeIntegration` does, then the keychain's entries
 * and the files. Nothing here waits for a service; those are told meanwhile, best effort and within a bound. Secrets
 * that cannot be read (a locked keychain, a list that is no valid JSON) are deleted unread, and their access ends by
 * itself. An integration that
 * cannot be deleted stays in the list, and with it the key, settings and the rest.
 * Errors: CFG_NEWER, CFG_* before anything was deleted; later ones stand in `failure`.
 */
export async function deleteEverything(
  ports: EnginePorts,
  kept: KeptData,
  { signal, onForgotten = () => {} }: { signal: AbortSignal; onForgotten?: (id: string) => void },
): Promise<Deleted> {
  await kept.prepare();
  const patience = new AbortController();
  let stopWaiting = (): void => {};
  const bounded = AbortSignal.any([signal, patience.signal]);
  const telling = createWorkQueue(revocationsAtOnce);
  const signIns = await keysOfSignIns(ports);
  const listed = await readList(ports);
  const forgotten: Forgotten[] = [];
  const revocations: RevocationOutcome[] = [];
  const failures: PosternError[] = [];
  try {
    const all = await withPending(ports, listed ?? []);
    forgotten.push(...((await forgetAll(ports, all, failures).catch(note(failures))) ?? []));
    for (const { integration, secrets } of forgotten) {
      telling.add(
        integration.id,
        async () => void revocations.push(await endAccess(ports, integration, secrets, bounded)),
      );
      onForgotten(integration.id);
    }
    const left = new Set((await readList(ports))?.map(({ id }) => id));
    // Where secrets stay, the key that opens them has to stay too.
    const keychainEntries = failures.length > 0 ? 0 : await kept.deleteSecrets().catch(note(failures));
    // From here on nothing but services is waited for; an unlock prompt has taken none of their time.
    stopWaiting = ports.clock.after(deadline.everyRevocation, () => patience.abort());
    await telling.idle();
    // Without the list nobody knows which services were to be told.
    if (!listed) for (const { kind } of signIns) if (kind === 'tokens') revocations.push('failed');
    const registrations: RegistrationDeletionOutcome[] = [];
    // After every revocation: a service may refuse a client that it does not know any more.
    for (const { integration, secrets } of forgotten)
      telling.add(
        integration.id,
        async () => void registrations.push(await unregister(ports, integration, secrets, bounded)),
      );
    await telling.idle();
    if (left.size === 0) await kept.deleteRest().catch(note(failures));
    const [failure] = failures;
    return {
      integrations: forgotten.length,
      signIns: new Set(signIns.map(({ owner }) => owner).filter((owner) => !left.has(owner))).size,
      keychainEntries: keychainEntries ?? 0,
      revocations: count(revocations),
      registrations: count(registrations),
      ...(failure && { failure }),
    };
  } finally {
    stopWaiting();
  }
}

/**
 * All of them in one step: nothing begins for one that is marked as signed out, and what is in flight is waited for
 * before their secrets go. One for which that does not end stays, and is among `failures`. Errors: KC_*, CFG_*.
 */
async function forgetAll(
  ports: EnginePorts,
  integrations: readonly Integration[],
  failures: PosternError[],
): Promise<readonly Forgotten[]> {
  await markSignedOut(ports, integrations);
  const quiet: Integration[] = [];
  for (const integration of integrations)
    await ports.locks
      .hold(integrationLock(integration.id), async () => void quiet.push(integration))
      .catch(note(failures));
  const secrets = await forgetSignedOut(ports, quiet, lenientReader());
  return quiet.map((integration) => ({ integration, secrets: secrets.get(integration.id) ?? noSecrets }));
}

/** A keychain that has refused once is not asked again. */
function lenientReader(): SecretsReader {
  let isRefused = false;
  return async (read) => {
    if (isRefused) return undefined;
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof PosternError) || !isAbout(error, 'keychain')) throw error;
      // Where one record is damaged, the others can still be read.
      isRefused = !isAbout(error, 'damaged-record');
      return undefined;
    }
  };
}

/** Tokens and API keys that are here, those too that a crash has left without an entry in the list. */
async function keysOfSignIns(ports: EnginePorts): Promise<readonly VaultKey[]> {
  const vault = await ports.vault();
  const keys = await vault.keysOf(...(await vault.owners()));
  return keys.filter(({ kind, owner }) => (kind === 'tokens' || kind === 'header') && !owner.startsWith('self-test-'));
}

/** `undefined` where the file is damaged: it can still be deleted. Errors: CFG_*, except CFG_CORRUPT. */
export async function readList(ports: EnginePorts): Promise<readonly Integration[] | undefined> {
  try {
    return await ports.store.list();
  } catch (error) {
    if (error instanceof PosternError && isAbout(error, 'settings-content')) return undefined;
    throw error;
  }
}

/** Servers whose removal or sign-out could still be undone are as they were: their secrets are still there. */
async function withPending(
  { store }: Pick<EnginePorts, 'store'>,
  listed: readonly Integration[],
): Promise<readonly Integration[]> {
  const pending = await store.pendingDeletions().catch(() => []);
  const entries = (of: 'remove' | 'signOut'): readonly Integration[] =>
    pending.flatMap(({ kind, integration }) => (kind === of ? [integration] : []));
  const signedOut = new Map(entries('signOut').map((each) => [each.id, each]));
  return [...entries('remove'), ...listed.map((each) => (isSignedIn(each) ? each : (signedOut.get(each.id) ?? each)))];
}

function note(failures: PosternError[]): (error: unknown) => undefined {
  return (error) => void failures.push(toPosternError(error));
}

function toPosternError(error: unknown): PosternError {
  return error instanceof PosternError ? error : new PosternError('INTERNAL', { stage: 'storage', cause: error });
}

/** How often each. */
export function count<Outcome extends string>(outcomes: readonly Outcome[]): Partial<Record<Outcome, number>> {
  const counts: Partial<Record<Outcome, number>> = {};
  for (const outcome of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

/** What a person wants to know of the services, in three numbers. */
interface ToldServices {
  /** Sign-ins whose access the service has ended. */
  readonly ended: number;
  /** Sign-ins whose service could not be told, or not wholly, or offers no way. */
  readonly endsByItself: number;
  readonly registrationsLeft: number;
}

export function summariseServices({
  revocations,
  registrations,
}: Pick<Deleted, 'revocations' | 'registrations'>): ToldServices {
  const { revoked = 0, failed = 0, 'partly-revoked': partly = 0, 'not-offered': notOffered = 0 } = revocations;
  const { refused = 0, failed: notReached = 0, 'not-offered': noMeans = 0 } = registrations;
  return {
    ended: revoked,
    endsByItself: failed + partly + notOffered,
    registrationsLeft: refused + notReached + noMeans,
  };
}
