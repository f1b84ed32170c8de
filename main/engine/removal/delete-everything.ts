import { hasTrait } from '../../../shared/error-traits.ts';
import type { Integration } from '../../../shared/integration.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { deadline, concurrentRevocations } from '../../limits.ts';
import type { RegistrationDeletionOutcome } from '../../oauth/client/client-configuration.ts';
import type { RevocationOutcome } from '../../oauth/token/revocation.ts';
import type { StoredData, VaultKey } from '../../ports.ts';
import type { EnginePorts } from '../engine-ports.ts';
import { isSignedIn } from '../records/api-key.ts';
import { integrationLock } from '../records/stored-secrets.ts';
import { createWorkQueue } from '../work-queue.ts';
import { forgetSignedOut, markSignedOut, noSecrets, unregister } from './remove-integration.ts';
import type { DeletedSecrets, SecretsReader } from './remove-integration.ts';
import { revokeSignIn } from './sign-out.ts';

export interface DeletionReport {
  /** Removed servers. */
  readonly integrations: number;
  /** Deleted sign-ins and API keys. */
  readonly signIns: number;
  /** Deleted keychain entries. */
  readonly keychainEntries: number;
  /** Number of services by outcome. */
  readonly revocations: Readonly<Partial<Record<RevocationOutcome, number>>>;
  readonly registrations: Readonly<Partial<Record<RegistrationDeletionOutcome, number>>>;
  /** Why something remains. Running it again continues from there. */
  readonly failure?: PosternError;
}

interface ForgottenIntegration {
  readonly integration: Integration;
  readonly secrets: DeletedSecrets;
}

/**
 * Deletes everything Postern stores: each integration as `removeIntegration` does, then the keychain entries and the
 * files. Local deletion waits for no service; services are notified in parallel, best effort and within a time limit.
 * Secrets that cannot be read (a locked keychain, a list that is not valid JSON) are deleted unread, and their tokens
 * expire on their own. An integration that cannot be deleted stays in the list, and with it the key, the settings and
 * the rest. Errors: CFG_NEWER, CFG_* before anything was deleted; later errors are in `failure`.
 */
export async function deleteEverything(
  ports: EnginePorts,
  data: StoredData,
  { signal, onForgotten = () => {} }: { signal: AbortSignal; onForgotten?: (id: string) => void },
): Promise<DeletionReport> {
  await data.prepare();
  const patience = new AbortController();
  let stopWaiting = (): void => {};
  const bounded = AbortSignal.any([signal, patience.signal]);
  const notifications = createWorkQueue(concurrentRevocations);
  const signIns = await signInKeys(ports);
  const listed = await readList(ports);
  const forgotten: ForgottenIntegration[] = [];
  const revocations: RevocationOutcome[] = [];
  const failures: PosternError[] = [];
  try {
    const all = await withPending(ports, listed ?? []);
    forgotten.push(...((await forgetAll(ports, all, failures).catch(collectIn(failures))) ?? []));
    for (const { integration, secrets } of forgotten) {
      notifications.add(
        integration.id,
        async () => void revocations.push(await revokeSignIn(ports, integration, secrets, bounded)),
      );
      onForgotten(integration.id);
    }
    const remaining = new Set((await readList(ports))?.map(({ id }) => id));
    // While secrets remain, so must the key that opens them.
    const keychainEntries = failures.length > 0 ? 0 : await data.deleteSecrets().catch(collectIn(failures));
    // Only services are awaited from here; the time limit excludes an unlock prompt.
    stopWaiting = ports.clock.after(deadline.allRevocations, () => patience.abort());
    await notifications.idle();
    // Without the list it is unknown which services to notify.
    if (!listed) for (const { kind } of signIns) if (kind === 'tokens') revocations.push('failed');
    const registrations: RegistrationDeletionOutcome[] = [];
    // After all revocations: a service may refuse a client that it no longer knows.
    for (const { integration, secrets } of forgotten)
      notifications.add(
        integration.id,
        async () => void registrations.push(await unregister(ports, integration, secrets, bounded)),
      );
    await notifications.idle();
    if (remaining.size === 0) await data.deleteRest().catch(collectIn(failures));
    const [failure] = failures;
    return {
      integrations: forgotten.length,
      signIns: new Set(signIns.map(({ owner }) => owner).filter((owner) => !remaining.has(owner))).size,
      keychainEntries: keychainEntries ?? 0,
      revocations: countByOutcome(revocations),
      registrations: countByOutcome(registrations),
      ...(failure && { failure }),
    };
  } finally {
    stopWaiting();
  }
}

/**
 * Deletes all of them in one step. Marking them as signed out stops new work, and running work is awaited before their
 * secrets are deleted. One whose work does not end stays and is added to `failures`. Errors: KC_*, CFG_*.
 */
async function forgetAll(
  ports: EnginePorts,
  integrations: readonly Integration[],
  failures: PosternError[],
): Promise<readonly ForgottenIntegration[]> {
  await markSignedOut(ports, integrations);
  const idle: Integration[] = [];
  for (const integration of integrations)
    await ports.locks
      .hold(integrationLock(integration.id), async () => void idle.push(integration))
      .catch(collectIn(failures));
  const secrets = await forgetSignedOut(ports, idle, lenientReader());
  return idle.map((integration) => ({ integration, secrets: secrets.get(integration.id) ?? noSecrets }));
}

/** A keychain that refused once is not asked again. */
function lenientReader(): SecretsReader {
  let isRefused = false;
  return async (read) => {
    if (isRefused) return undefined;
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof PosternError) || !hasTrait(error, 'keychain')) throw error;
      // If only one record is damaged, the others can still be read.
      isRefused = !hasTrait(error, 'damaged-record');
      return undefined;
    }
  };
}

/** Keys of stored tokens and API keys, including those that a crash left without a list entry. */
async function signInKeys(ports: EnginePorts): Promise<readonly VaultKey[]> {
  const vault = await ports.vault();
  const keys = await vault.keysOf(...(await vault.owners()));
  return keys.filter(({ kind, owner }) => (kind === 'tokens' || kind === 'header') && !owner.startsWith('self-test-'));
}

/** `undefined` if the file is damaged, since it can still be deleted. Errors: CFG_*, except CFG_CORRUPT. */
export async function readList(ports: EnginePorts): Promise<readonly Integration[] | undefined> {
  try {
    return await ports.store.list();
  } catch (error) {
    if (error instanceof PosternError && hasTrait(error, 'settings-content')) return undefined;
    throw error;
  }
}

/** Adds servers whose removal or sign-out can still be undone, as they were: their secrets still exist. */
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

function collectIn(failures: PosternError[]): (error: unknown) => undefined {
  return (error) => void failures.push(toPosternError(error));
}

function toPosternError(error: unknown): PosternError {
  return error instanceof PosternError ? error : new PosternError('INTERNAL', { stage: 'storage', cause: error });
}

/** Number of each outcome. */
export function countByOutcome<Outcome extends string>(outcomes: readonly Outcome[]): Partial<Record<Outcome, number>> {
  const counts: Partial<Record<Outcome, number>> = {};
  for (const outcome of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

/** Summary for the user, as three counts. */
interface ServiceSummary {
  /** Sign-ins revoked at the service. */
  readonly ended: number;
  /**
   * Sign-ins that expire on their own: the service could not be reached, revoked only some tokens, or has no
   * revocation.
   */
  readonly endsByItself: number;
  readonly registrationsLeft: number;
}

export function summarizeServices({
  revocations,
  registrations,
}: Pick<DeletionReport, 'revocations' | 'registrations'>): ServiceSummary {
  const { revoked = 0, failed = 0, 'partly-revoked': partly = 0, 'not-offered': notOffered = 0 } = revocations;
  const { refused = 0, failed: notReached = 0, 'not-offered': noEndpoint = 0 } = registrations;
  return {
    ended: revoked,
    endsByItself: failed + partly + notOffered,
    registrationsLeft: refused + notReached + noEndpoint,
  };
}
