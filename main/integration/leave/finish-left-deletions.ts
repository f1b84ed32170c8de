import type { PendingDeletion } from '../../../shared/pending-deletion.ts';
import { PosternError } from '../../postern-error.ts';
import type { DeletionPorts } from './pending-deletions.ts';
import { finishDeletion } from './pending-deletions.ts';
import { unregister } from './remove-integration.ts';
import { endAccess } from './sign-out.ts';

/**
 * Finishes what a process that has ended, or was killed, had begun: here first, then at the services. Never rejects: it
 * is tried again at the next occasion.
 */
export async function finishLeftDeletions(
  ports: DeletionPorts,
  isLeft: (deletion: PendingDeletion) => boolean,
  signal: AbortSignal,
): Promise<void> {
  try {
    const left = (await ports.store.pendingDeletions()).filter(isLeft);
    const telling: Promise<unknown>[] = [];
    for (const deletion of left) {
      const secrets = await finishDeletion(ports, deletion);
      if (secrets) telling.push(tellServices(ports, deletion, secrets, signal));
    }
    await Promise.all(telling);
  } catch (error) {
    ports.log.write('deletion-failed', { code: error instanceof PosternError ? error.code : 'INTERNAL' });
  }
}

/** Ends the access and deletes the registration at the service, best effort. Never rejects. */
export async function tellServices(
  ports: Pick<DeletionPorts, 'http'>,
  { integration }: PendingDeletion,
  secrets: NonNullable<Awaited<ReturnType<typeof finishDeletion>>>,
  signal: AbortSignal,
) {
  const revocation = await endAccess(ports, integration, secrets, signal);
  // After the revocation: a service may refuse a client that it does not know any more.
  return { revocation, registration: await unregister(ports, integration, secrets, signal) };
}
