import type { PendingDeletion } from '../../../shared/pending-deletion.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { deadline, revocationsAtOnce } from '../../limits.ts';
import { createWorkQueue } from '../work-queue.ts';
import { finishDeletions } from './finish-deletions.ts';
import type { DeletionPorts, FinishedDeletion } from './finish-deletions.ts';
import { unregister } from './remove-integration.ts';
import type { ForgottenSecrets } from './remove-integration.ts';
import { endAccess } from './sign-out.ts';

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
