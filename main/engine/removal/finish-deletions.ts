import { hasTrait } from '../../../shared/error-traits.ts';
import type { PendingDeletion } from '../../../shared/pending-deletion.ts';
import { withoutServers } from '../../../shared/app-record.ts';
import { PosternError } from '../../errors/postern-error.ts';
import type { AppRecords } from '../../gateway-ports.ts';
import { deadline, concurrentRevocations } from '../../limits.ts';
import type { EnginePorts } from '../engine-ports.ts';
import { isSignedIn } from '../records/api-key.ts';
import { createWorkQueue } from '../work-queue.ts';
import { lockGroups, isSameDeletion, withLocks } from './pending-deletions.ts';
import { hasSecrets, noSecrets, readAndDeleteSecrets, unregister } from './remove-integration.ts';
import type { DeletedSecrets } from './remove-integration.ts';
import { revokeSignIn, readAndDeleteTokens } from './sign-out.ts';

/** Engine ports plus app records: an app's rights end with the server. */
export interface DeletionPorts extends EnginePorts {
  readonly apps: Pick<AppRecords, 'change'>;
}

type DeletionOutcome =
  /** `secrets`: what is needed to revoke them at the service. */
  | { readonly kind: 'deleted'; readonly secrets: DeletedSecrets }
  /** The server was added or signed in to again meanwhile, so nothing was deleted. */
  | { readonly kind: 'superseded' }
  /** It was undone, or another process has finished it. */
  | { readonly kind: 'no-longer-pending' }
  /** CFG_*, KC_*: still pending. */
  | { readonly kind: 'failed'; readonly error: unknown };

/**
 * Deletes their secrets for good, and returns the outcome of each. An interrupted run is continued by the next. Secrets
 * that cannot be read are deleted unread. Settings are written for many at once: first deletions are marked as final;
 * then, with their secrets gone, app records and the list are updated. Never rejects.
 */
export async function finishDeletions(
  ports: DeletionPorts,
  deletions: readonly PendingDeletion[],
): Promise<readonly DeletionOutcome[]> {
  const finished: DeletionOutcome[] = [];
  for (const group of lockGroups(deletions)) {
    const ids = group.map(({ integration }) => integration.id);
    const finishing = withLocks(ports.locks, ids, () => finishGroup(ports, group));
    finished.push(
      ...(await finishing.catch((error: unknown) => group.map(() => ({ kind: 'failed', error }) as const))),
    );
  }
  return finished;
}

async function finishGroup(ports: DeletionPorts, deletions: readonly PendingDeletion[]): Promise<DeletionOutcome[]> {
  const pending = await markFinal(ports, deletions);
  const listed = await ports.store.list();
  const finished: DeletionOutcome[] = [];
  const deleted: PendingDeletion[] = [];
  for (const deletion of deletions) {
    const now = listed.find(({ id }) => id === deletion.integration.id);
    const isReused = now !== undefined && (deletion.kind === 'remove' || isSignedIn(now));
    if (!pending.has(deletion)) finished.push({ kind: 'no-longer-pending' });
    else if (isReused) finished.push({ kind: 'superseded' });
    else finished.push(await deleteSecretsOf(ports, deletion, deleted));
    if (finished.at(-1)?.kind === 'deleted') deleted.push(deletion);
  }
  const done = deletions.filter((deletion, index) => pending.has(deletion) && finished[index]?.kind !== 'failed');
  const removed = deleted.filter(({ kind }) => kind === 'remove').map(({ integration }) => integration.id);
  if (removed.length > 0) await ports.apps.change((records) => withoutServers(records, removed));
  if (done.length > 0)
    await ports.store.changeList((list) => ({
      ...list,
      pendingDeletions: list.pendingDeletions.filter((each) => !done.some((one) => isSameDeletion(one)(each))),
    }));
  await ports.pins.sweep();
  return finished;
}

/** Marks them as final, so that they can no longer be undone. Returns those still pending. */
async function markFinal(
  { store }: Pick<EnginePorts, 'store'>,
  deletions: readonly PendingDeletion[],
): Promise<ReadonlySet<PendingDeletion>> {
  let pending: ReadonlySet<PendingDeletion> = new Set();
  await store.changeList((list) => {
    pending = new Set(deletions.filter((deletion) => list.pendingDeletions.some(isSameDeletion(deletion))));
    if (pending.size === 0) return list;
    const mark = (each: PendingDeletion): PendingDeletion =>
      deletions.some((one) => isSameDeletion(one)(each)) ? { ...each, isFinal: true } : each;
    return { ...list, pendingDeletions: list.pendingDeletions.map(mark) };
  });
  return pending;
}

/** `deleted`: deletions whose secrets are already deleted, so they no longer share a registration. */
async function deleteSecretsOf(
  ports: DeletionPorts,
  { kind, integration }: PendingDeletion,
  deleted: readonly PendingDeletion[],
): Promise<DeletionOutcome> {
  if (!hasSecrets(integration)) return { kind: 'deleted', secrets: noSecrets };
  const ids = deleted.flatMap((each) => (each.kind === 'remove' ? each.integration.id : []));
  const readAndDelete = async (unread: boolean): Promise<DeletedSecrets> => {
    if (kind !== 'remove')
      return { ...(await readAndDeleteTokens(ports, integration, unread)), registration: undefined };
    const completed = await readAndDeleteSecrets(ports, [integration], {
      alreadyDeleted: ids,
      ...(unread && { read: async () => undefined }),
    });
    return completed.get(integration.id) ?? noSecrets;
  };
  try {
    const secrets = await readAndDelete(false).catch((error: unknown) => {
      if (!(error instanceof PosternError) || !hasTrait(error, 'keychain')) throw error;
      return readAndDelete(true);
    });
    return { kind: 'deleted', secrets };
  } catch (error) {
    return { kind: 'failed', error };
  }
}

/** A locally finished deletion, with the secrets for revoking it at the service. */
export type CompletedDeletion = readonly [PendingDeletion, DeletedSecrets];

/** Outcome of notifying a service. */
export interface ServiceNotification {
  readonly revocation: Awaited<ReturnType<typeof revokeSignIn>>;
  readonly registration: Awaited<ReturnType<typeof unregister>>;
}

/**
 * Finishes local deletions that a process left when it ended or was killed. Never rejects: failures are retried at the
 * next occasion. `notifying` resolves once the services have been notified.
 */
export async function finishLeftoverDeletions(
  ports: DeletionPorts,
  isLeftover: (deletion: PendingDeletion) => boolean,
  signal: AbortSignal,
): Promise<{ readonly notifying: Promise<unknown> }> {
  const logFailure = (error: unknown): undefined => {
    ports.log.write('deletion-failed', { code: error instanceof PosternError ? error.code : 'INTERNAL' });
    return undefined;
  };
  const pending = (await ports.store.pendingDeletions().catch(logFailure)) ?? [];
  const selected = pending.filter((deletion) => deletion.kind !== 'back' && isLeftover(deletion));
  const finished = await finishDeletions(ports, selected);
  for (const each of finished) if (each.kind === 'failed') logFailure(each.error);
  const completed = completedDeletions(selected, finished);
  return { notifying: notifyServices(ports, completed, signal) };
}

/** The deletions that were finished. */
export function completedDeletions(
  deletions: readonly PendingDeletion[],
  finished: readonly DeletionOutcome[],
): readonly CompletedDeletion[] {
  return deletions.flatMap((deletion, index) => {
    const each = finished[index];
    return each?.kind === 'deleted' ? [[deletion, each.secrets] as const] : [];
  });
}

/**
 * Revokes tokens and deletes registrations at the services: best effort, a few at once, and within a time limit for all
 * of them. Never rejects.
 */
export async function notifyServices(
  ports: Pick<DeletionPorts, 'http' | 'clock'>,
  completed: readonly CompletedDeletion[],
  signal: AbortSignal,
): Promise<readonly ServiceNotification[]> {
  const patience = new AbortController();
  const bounded = AbortSignal.any([signal, patience.signal]);
  const stopWaiting = ports.clock.after(deadline.allRevocations, () => patience.abort());
  const queue = createWorkQueue(concurrentRevocations);
  const notified: ServiceNotification[] = [];
  for (const [index, [{ integration }, secrets]] of completed.entries())
    queue.add(`${index}`, async () => {
      const revocation = await revokeSignIn(ports, integration, secrets, bounded);
      // After the revocation: a service may refuse a client that it no longer knows.
      notified.push({ revocation, registration: await unregister(ports, integration, secrets, bounded) });
    });
  await queue.idle();
  stopWaiting();
  return notified;
}
