import type { DeletionView } from '../../../shared/deletion-view.ts';
import type { PendingDeletion } from '../../../shared/pending-deletion.ts';
import { count } from '../../integration/leave/delete-everything.ts';
import type { TakenDeletion, ToldServices } from '../../integration/leave/finish-left-deletions.ts';
import { takenOf, tellServices } from '../../integration/leave/finish-left-deletions.ts';
import type { DeletionPorts } from '../../integration/leave/finish-deletions.ts';
import { finishDeletions } from '../../integration/leave/finish-deletions.ts';
import { summariseServices } from '../../integration/leave/summarise-deleted.ts';
import { toPlainError } from '../../plain-error.ts';

/** Those that are deleted together. */
export interface Batch {
  readonly id: string;
  readonly kind: PendingDeletion['kind'];
  /** As they stand in the settings. */
  deletions: readonly PendingDeletion[];
  /** What else comes back with them; answers the programs whose entries do not. */
  readonly takeBack: () => Promise<readonly string[]>;
  stopWaiting: () => void;
  /** Resolves when it is known whether they are back. A second click has nothing to take back. */
  undoing?: Promise<void> | undefined;
  state: DeletionView['state'];
  outcome?: DeletionView['outcome'] | undefined;
  /** Those of `deletions` that are deleted here. */
  readonly over: Set<PendingDeletion>;
  /** What their services have said so far. */
  told: readonly ToldServices[];
  /** How many were not to be deleted any more. */
  kept: number;
  /** Resolves when nothing of it is here any more. */
  deleting?: Promise<void> | undefined;
  /** And when its services have been told, as far as they can be. */
  telling?: Promise<void>;
}

/** What could not be deleted is not forgotten for what is deleted next. */
export const hasFailed = ({ outcome }: Pick<Batch, 'outcome'>): boolean => outcome?.failure !== undefined;

export function describeBatch({ id, kind, deletions, state, outcome }: Batch): DeletionView {
  const servers = deletions.map(({ integration }) => integration);
  const about = { id, kind, name: servers[0]?.name ?? '', servers: servers.map((each) => each.id), state };
  return outcome ? { ...about, outcome } : about;
}

/** What is left of them, here: those that fail are left for another try. */
export async function deleteHere(
  ports: DeletionPorts,
  batch: Batch,
): Promise<{ readonly taken: readonly TakenDeletion[]; readonly failure: unknown }> {
  const open = batch.deletions.filter((deletion) => !batch.over.has(deletion));
  const finished = await finishDeletions(ports, open);
  for (const [index, deletion] of open.entries()) if (finished[index]?.kind !== 'failed') batch.over.add(deletion);
  batch.kept += finished.filter(({ kind }) => kind === 'kept').length;
  return { taken: takenOf(open, finished), failure: finished.find((each) => each.kind === 'failed')?.error };
}

/** Tells the services, and notes how each deletion ended. Never rejects. */
export async function tellOf(
  ports: DeletionPorts,
  batch: Batch,
  { taken, failure }: Awaited<ReturnType<typeof deleteHere>>,
  signal: AbortSignal,
): Promise<void> {
  batch.told = [...batch.told, ...(await tellServices(ports, taken, signal))];
  const [only] = batch.deletions.length === 1 ? batch.told : [];
  batch.outcome = {
    ...summariseServices({
      revocations: count(batch.told.map(({ revocation }) => revocation)),
      registrations: count(batch.told.map(({ registration }) => registration)),
    }),
    ...only,
    kept: batch.kept,
    ...(failure !== undefined && { failure: toPlainError(failure) }),
  };
  batch.state = 'done';
}
