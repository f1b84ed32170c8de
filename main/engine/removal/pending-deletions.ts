import { undoSeconds } from '../../../shared/bounds.ts';
import type { Integration } from '../../../shared/integration.ts';
import type { PendingDeletion } from '../../../shared/pending-deletion.ts';
import type { Clock, Random } from '../../ports.ts';
import type { EnginePorts } from '../engine-ports.ts';
import { isSignedIn, unusedSignIn } from '../records/api-key.ts';
import { integrationLock } from '../records/stored-secrets.ts';
import { withSignedOut } from './sign-out.ts';

type Kind = Exclude<PendingDeletion['kind'], 'back'>;

/** Locks held at once; the kernel counts each as an open file. */
const lockedAtOnce = 50;

/**
 * Signs out of servers or removes them for every process at once, undoably: their secrets stay until the deletion is
 * finished. The list is written once per group. Returns the deletions of servers that were in the list. `changes`: IDs
 * of app file changes to undo with them. `onBegun`: gets each group, even if a later one fails. Errors: CFG_*.
 */
export async function beginDeletions(
  ports: EnginePorts,
  ids: readonly string[],
  kind: Kind,
  {
    changes = [],
    onBegun = () => {},
  }: {
    readonly changes?: readonly string[];
    readonly onBegun?: (begun: readonly PendingDeletion[]) => void;
  } = {},
): Promise<readonly PendingDeletion[]> {
  const all: PendingDeletion[] = [];
  const fields: BatchFields = {
    kind,
    batch: newBatchId(ports.random),
    ...(changes.length > 0 && { changes: [...changes] }),
  };
  for (const group of lockGroups(ids)) {
    const begun = await beginGroup(ports, group, fields);
    all.push(...begun);
    onBegun(begun);
  }
  return all;
}

/**
 * ID of a batch that is undone as a whole; as short as the ID of an app file change, since users type it in the same
 * place.
 */
export function newBatchId(random: Random): string {
  return Buffer.from(random.bytes(6)).toString('hex');
}

type BatchFields = Pick<PendingDeletion, 'batch' | 'changes'> & { readonly kind: Kind };

async function beginGroup(
  { store, locks, clock }: EnginePorts,
  ids: readonly string[],
  fields: BatchFields,
): Promise<readonly PendingDeletion[]> {
  const begun: PendingDeletion[] = [];
  const write = (): Promise<void> =>
    store.changeList((list) => {
      let { integrations } = list;
      for (const id of ids) {
        const integration = integrations.find((each) => each.id === id);
        if (!integration) continue;
        begun.push({ ...fields, since: Math.trunc(clock.now()), integration });
        integrations = applyDeletion(integrations, id, fields.kind);
      }
      return begun.length === 0 ? list : { integrations, pendingDeletions: [...list.pendingDeletions, ...begun] };
    });
  // Under the locks, so that a sign-in being stored cannot bring one back.
  await withLocks(locks, ids, write);
  return begun;
}

/** Groups small enough to lock at once. */
export function lockGroups<Each>(all: readonly Each[]): readonly (readonly Each[])[] {
  return Array.from({ length: Math.ceil(all.length / lockedAtOnce) }, (_, index) =>
    all.slice(index * lockedAtOnce, (index + 1) * lockedAtOnce),
  );
}

/** Locks in the same order in every process, to avoid deadlocks. */
export async function withLocks<Result>(
  locks: EnginePorts['locks'],
  ids: readonly string[],
  work: () => Promise<Result>,
): Promise<Result> {
  const hold = ([id, ...others]: readonly string[]): Promise<Result> =>
    id === undefined ? work() : locks.hold(integrationLock(id), () => hold(others));
  return await hold([...new Set(ids)].toSorted());
}

function applyDeletion(integrations: readonly Integration[], id: string, kind: Kind): readonly Integration[] {
  if (kind === 'remove') return integrations.filter((each) => each.id !== id);
  return withSignedOut(integrations, id);
}

/** Result of undoing a batch. */
interface RestoreResult {
  /** IDs of the restored servers; empty if it was too late. */
  readonly servers: readonly string[];
  /** IDs of app file changes still to be undone; `finishUndo` records that they were. */
  readonly changes: readonly string[];
}

/**
 * Undoes the deletions of a batch that are not final yet. If a process ended before the app entries were restored,
 * another call returns their `changes` again. Errors: CFG_*.
 */
export async function undoDeletions({ store }: Pick<EnginePorts, 'store'>, batch: string): Promise<RestoreResult> {
  const servers: string[] = [];
  const changes = new Set<string>();
  await store.changeList((list) => {
    const batchEntries = new Set(list.pendingDeletions.filter((each) => each.batch === batch && !each.isFinal));
    if (batchEntries.size === 0) return list;
    let { integrations } = list;
    for (const pending of batchEntries) {
      const before = integrations;
      integrations = restore(before, pending);
      const isRestored = integrations !== before;
      if (isRestored) servers.push(pending.integration.id);
      if (isRestored || pending.kind === 'back') for (const change of pending.changes ?? []) changes.add(change);
    }
    const remaining = list.pendingDeletions.flatMap((each): PendingDeletion[] => {
      if (!batchEntries.has(each)) return [each];
      const isRestored = each.kind === 'back' || servers.includes(each.integration.id);
      return isRestored && changes.size > 0 ? [{ ...each, kind: 'back' }] : [];
    });
    return { integrations, pendingDeletions: remaining };
  });
  return { servers, changes: [...changes] };
}

/** Records that the app entries of a batch need no more undoing. Errors: CFG_*. */
export async function finishUndo({ store }: Pick<EnginePorts, 'store'>, batch: string): Promise<void> {
  await store.changeList((list) => {
    const remaining = list.pendingDeletions.filter((each) => each.batch !== batch || each.kind !== 'back');
    return remaining.length === list.pendingDeletions.length ? list : { ...list, pendingDeletions: remaining };
  });
}

function restore(
  integrations: readonly Integration[],
  { kind, integration: original }: PendingDeletion,
): readonly Integration[] {
  const current = integrations.find(({ id }) => id === original.id);
  if (kind === 'back') return integrations;
  if (kind === 'remove') {
    if (current) return integrations;
    const later = integrations.findIndex(({ createdAt }) => createdAt > original.createdAt);
    return integrations.toSpliced(later === -1 ? integrations.length : later, 0, original);
  }
  // The user has signed in again or removed it meanwhile.
  if (!current || isSignedIn(current)) return integrations;
  const { state, expiresAt } = original;
  // An open server's entry dropped its sign-in at the sign-out.
  const restored = { ...current, state, ...(expiresAt !== undefined && { expiresAt }), ...unusedSignIn(original) };
  return integrations.map((each) => (each === current ? restored : each));
}

/** Restarts the undo period of a batch, for every process. Errors: CFG_*. */
export async function extendDeletions(
  { store, clock }: Pick<EnginePorts, 'store' | 'clock'>,
  batch: string,
): Promise<void> {
  const since = Math.trunc(clock.now());
  await store.changeList((list) => ({
    ...list,
    pendingDeletions: list.pendingDeletions.map((each) =>
      each.batch === batch && each.kind !== 'back' && !each.isFinal ? { ...each, since } : each,
    ),
  }));
}

export function isSameDeletion(one: PendingDeletion): (other: PendingDeletion) => boolean {
  return (other) => other.kind === one.kind && other.batch === one.batch && other.integration.id === one.integration.id;
}

/** Milliseconds since 1970. */
export function undoableUntil({ since }: PendingDeletion): number {
  return since + undoSeconds * 1_000;
}

/** True if it can no longer be undone. */
export function isOverdue(deletion: PendingDeletion, clock: Pick<Clock, 'now'>): boolean {
  if (deletion.kind === 'back') return false;
  const now = clock.now();
  // A wall clock set back must not retain secrets for a year.
  return deletion.isFinal === true || now >= undoableUntil(deletion) || now < deletion.since;
}
