import { isAbout } from '../../../shared/error-facts.ts';
import type { PendingDeletion } from '../../../shared/pending-deletion.ts';
import { withoutServers } from '../../../shared/program-record.ts';
import { PosternError } from '../../errors/postern-error.ts';
import type { ProgramRecords } from '../../gateway-ports.ts';
import { deadline, revocationsAtOnce } from '../../limits.ts';
import type { EnginePorts } from '../engine-ports.ts';
import { isSignedIn } from '../kept/api-key.ts';
import { createWorkQueue } from '../work-queue.ts';
import { inGroups, isSame, underLocks } from './pending-deletions.ts';
import { hasSecrets, noSecrets, takeAll, unregister } from './remove-integration.ts';
import type { ForgottenSecrets } from './remove-integration.ts';
import { endAccess, takeTokens } from './sign-out.ts';

/** What finishing needs beside the engine: the rights of programs go with a server. */
export interface DeletionPorts extends EnginePorts {
  readonly programs: Pick<ProgramRecords, 'change'>;
}

/** What became of a deletion. */
export type FinishedDeletion =
  /** With what its services are to be told. */
  | { readonly kind: 'deleted'; readonly secrets: ForgottenSecrets }
  /** Somebody has made something new of it: what is there now was not to be deleted. */
  | { readonly kind: 'kept' }
  /** It was taken back, or another process has finished it. */
  | { readonly kind: 'over' }
  /** CFG_*, KC_*: it is still to be done. */
  | { readonly kind: 'failed'; readonly error: unknown };

/**
 * Deletes their secrets for good; answers what became of each. A run that was interrupted is taken up by the next.
 * Secrets that cannot be read are deleted unread. The settings are written for many together: first that none of them
 * can be taken back any more, then, with their secrets gone, the programs without them and the list. Never rejects.
 */
export async function finishDeletions(
  ports: DeletionPorts,
  deletions: readonly PendingDeletion[],
): Promise<readonly FinishedDeletion[]> {
  const finished: FinishedDeletion[] = [];
  for (const group of inGroups(deletions)) {
    const ids = group.map(({ integration }) => integration.id);
    const together = underLocks(ports.locks, ids, () => finishTogether(ports, group));
    finished.push(...(await together.catch((error: unknown) => group.map(() => ({ kind: 'failed', error }) as const))));
  }
  return finished;
}

async function finishTogether(
  ports: DeletionPorts,
  deletions: readonly PendingDeletion[],
): Promise<FinishedDeletion[]> {
  const pending = await makeFinal(ports, deletions);
  const listed = await ports.store.list();
  const finished: FinishedDeletion[] = [];
  const gone: PendingDeletion[] = [];
  for (const deletion of deletions) {
    const now = listed.find(({ id }) => id === deletion.integration.id);
    const isNew = now !== undefined && (deletion.kind === 'remove' || isSignedIn(now));
    if (!pending.has(deletion)) finished.push({ kind: 'over' });
    else if (isNew) finished.push({ kind: 'kept' });
    else finished.push(await takeSecrets(ports, deletion, gone));
    if (finished.at(-1)?.kind === 'deleted') gone.push(deletion);
  }
  const done = deletions.filter((deletion, index) => pending.has(deletion) && finished[index]?.kind !== 'failed');
  const removed = gone.filter(({ kind }) => kind === 'remove').map(({ integration }) => integration.id);
  if (removed.length > 0) await ports.programs.change((records) => withoutServers(records, removed));
  if (done.length > 0)
    await ports.store.changeList((list) => ({
      ...list,
      pendingDeletions: list.pendingDeletions.filter((each) => !done.some((one) => isSame(one)(each))),
    }));
  await ports.pins.sweep();
  return finished;
}

/** From here on nobody can take them back. Answers those that are still to be done. */
async function makeFinal(
  { store }: Pick<EnginePorts, 'store'>,
  deletions: readonly PendingDeletion[],
): Promise<ReadonlySet<PendingDeletion>> {
  let pending: ReadonlySet<PendingDeletion> = new Set();
  await store.changeList((list) => {
    pending = new Set(deletions.filter((deletion) => list.pendingDeletions.some(isSame(deletion))));
    if (pending.size === 0) return list;
    const mark = (each: PendingDeletion): PendingDeletion =>
      deletions.some((one) => isSame(one)(each)) ? { ...each, isFinal: true } : each;
    return { ...list, pendingDeletions: list.pendingDeletions.map(mark) };
  });
  return pending;
}

/** `gone`: those whose secrets are deleted already, and which share a registration with nobody any more. */
async function takeSecrets(
  ports: DeletionPorts,
  { kind, integration }: PendingDeletion,
  gone: readonly PendingDeletion[],
): Promise<FinishedDeletion> {
  if (!hasSecrets(integration)) return { kind: 'deleted', secrets: noSecrets };
  const ids = gone.flatMap((each) => (each.kind === 'remove' ? each.integration.id : []));
  const take = async (unread: boolean): Promise<ForgottenSecrets> => {
    if (kind !== 'remove') return { ...(await takeTokens(ports, integration, unread)), registration: undefined };
    const taken = await takeAll(ports, [integration], { gone: ids, ...(unread && { read: async () => undefined }) });
    return taken.get(integration.id) ?? noSecrets;
  };
  try {
    const secrets = await take(false).catch((error: unknown) => {
      if (!(error instanceof PosternError) || !isAbout(error, 'keychain')) throw error;
      return take(true);
    });
    return { kind: 'deleted', secrets };
  } catch (error) {
    return { kind: 'failed', error };
  }
}

/** Deleted here, with what its services are told by. */
export type TakenDeletion = readonly [PendingDeletion, ForgottenSecrets];

/** How telling its services went. */
export interface ToldServices {
  readonly revocation: Awaited<ReturnType<typeof endAccess>>;
  readonly registration: Awaited<ReturnType<typeof unregister>>;
}

/**
 * Deletes here what a process that has ended, or was killed, had begun to delete. Never rejects: what cannot be deleted
 * is tried again at the next occasion. Answers the promise that the services have been told.
 */
export async function finishLeftDeletions(
  ports: DeletionPorts,
  isLeft: (deletion: PendingDeletion) => boolean,
  signal: AbortSignal,
): Promise<{ readonly telling: Promise<unknown> }> {
  const note = (error: unknown): undefined => {
    ports.log.write('deletion-failed', { code: error instanceof PosternError ? error.code : 'INTERNAL' });
    return undefined;
  };
  const left = (await ports.store.pendingDeletions().catch(note)) ?? [];
  const mine = left.filter((deletion) => deletion.kind !== 'back' && isLeft(deletion));
  const finished = await finishDeletions(ports, mine);
  for (const each of finished) if (each.kind === 'failed') note(each.error);
  const taken = takenOf(mine, finished);
  return { telling: tellServices(ports, taken, signal) };
}

/** Those of `deletions` that are deleted here now. */
export function takenOf(
  deletions: readonly PendingDeletion[],
  finished: readonly FinishedDeletion[],
): readonly TakenDeletion[] {
  return deletions.flatMap((deletion, index) => {
    const each = finished[index];
    return each?.kind === 'deleted' ? [[deletion, each.secrets] as const] : [];
  });
}

/**
 * Ends the access and deletes the registration at the service of each, best effort, a few at once and all of them in a
 * bounded time. Never rejects.
 */
export async function tellServices(
  ports: Pick<DeletionPorts, 'http' | 'clock'>,
  taken: readonly TakenDeletion[],
  signal: AbortSignal,
): Promise<readonly ToldServices[]> {
  const patience = new AbortController();
  const bounded = AbortSignal.any([signal, patience.signal]);
  const stopWaiting = ports.clock.after(deadline.everyRevocation, () => patience.abort());
  const queue = createWorkQueue(revocationsAtOnce);
  const told: ToldServices[] = [];
  for (const [index, [{ integration }, secrets]] of taken.entries())
    queue.add(`${index}`, async () => {
      const revocation = await endAccess(ports, integration, secrets, bounded);
      // After the revocation: a service may refuse a client that it does not know any more.
      told.push({ revocation, registration: await unregister(ports, integration, secrets, bounded) });
    });
  await queue.idle();
  stopWaiting();
  return told;
}
