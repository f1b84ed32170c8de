import { undoSeconds } from '../../../shared/bounds.ts';
import type { Integration } from '../../../shared/integration.ts';
import type { PendingDeletion } from '../../../shared/pending-deletion.ts';
import type { Clock, Random } from '../../ports.ts';
import type { EnginePorts } from '../engine-ports.ts';
import { isSignedIn, unusedSignIn } from '../kept/api-key.ts';
import { integrationLock } from '../kept/stored-secrets.ts';
import { withSignedOut } from './sign-out.ts';

type Kind = Exclude<PendingDeletion['kind'], 'back'>;

/** So many locks are held at once; the kernel counts each as an open file. */
const lockedAtOnce = 50;

/**
 * Signs out of servers or takes them off the list, for every process at once, so that it can still be taken back: their
 * secrets stay until the deletion is finished. The list is written once for many. Answers those that are in the list;
 * `changes`: ids of changes of app files that come back with them; `onBegun`: some of them, also where a later one fails.
 * Errors: CFG_*.
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
  const facts: BatchFacts = {
    kind,
    batch: newBatchId(ports.random),
    ...(changes.length > 0 && { changes: [...changes] }),
  };
  for (const group of inGroups(ids)) {
    const begun = await beginTogether(ports, group, facts);
    all.push(...begun);
    onBegun(begun);
  }
  return all;
}

/** Of those that come back by one act; as short as a change of an app's file, since it is typed as one. */
export function newBatchId(random: Random): string {
  return Buffer.from(random.bytes(6)).toString('hex');
}

type BatchFacts = Pick<PendingDeletion, 'batch' | 'changes'> & { readonly kind: Kind };

async function beginTogether(
  { store, locks, clock }: EnginePorts,
  ids: readonly string[],
  facts: BatchFacts,
): Promise<readonly PendingDeletion[]> {
  const begun: PendingDeletion[] = [];
  const write = (): Promise<void> =>
    store.changeList((list) => {
      let { integrations } = list;
      for (const id of ids) {
        const integration = integrations.find((each) => each.id === id);
        if (!integration) continue;
        begun.push({ ...facts, since: Math.trunc(clock.now()), integration });
        integrations = leave(integrations, id, facts.kind);
      }
      return begun.length === 0 ? list : { integrations, pendingDeletions: [...list.pendingDeletions, ...begun] };
    });
  // So that no sign-in that is being stored brings one back.
  await underLocks(locks, ids, write);
  return begun;
}

/** As many as may be under their locks at once. */
export function inGroups<Each>(all: readonly Each[]): readonly (readonly Each[])[] {
  return Array.from({ length: Math.ceil(all.length / lockedAtOnce) }, (_, index) =>
    all.slice(index * lockedAtOnce, (index + 1) * lockedAtOnce),
  );
}

/** In one order for every process, so that none waits for another that waits for it. */
export async function underLocks<Result>(
  locks: EnginePorts['locks'],
  ids: readonly string[],
  work: () => Promise<Result>,
): Promise<Result> {
  const hold = ([id, ...others]: readonly string[]): Promise<Result> =>
    id === undefined ? work() : locks.hold(integrationLock(id), () => hold(others));
  return await hold([...new Set(ids)].toSorted());
}

function leave(integrations: readonly Integration[], id: string, kind: Kind): readonly Integration[] {
  if (kind === 'remove') return integrations.filter((each) => each.id !== id);
  return withSignedOut(integrations, id);
}

/** What came back of a batch. */
export interface Restored {
  /** Ids of the servers that this has brought back; none where it came too late. */
  readonly servers: readonly string[];
  /** Ids of changes of app files that are still to be taken back; `endUndo` notes that they are. */
  readonly changes: readonly string[];
}

/**
 * Takes a batch back, all or none; the rest came too late. Once more where a process ended before the entries of apps
 * were back: then `changes` names them again. Errors: CFG_*.
 */
export async function undoDeletions({ store }: Pick<EnginePorts, 'store'>, batch: string): Promise<Restored> {
  const servers: string[] = [];
  const changes = new Set<string>();
  await store.changeList((list) => {
    const ours = new Set(list.pendingDeletions.filter((each) => each.batch === batch && !each.isFinal));
    if (ours.size === 0) return list;
    let { integrations } = list;
    for (const pending of ours) {
      const before = integrations;
      integrations = putBack(before, pending);
      const isBack = integrations !== before;
      if (isBack) servers.push(pending.integration.id);
      if (isBack || pending.kind === 'back') for (const change of pending.changes ?? []) changes.add(change);
    }
    const left = list.pendingDeletions.flatMap((each): PendingDeletion[] => {
      if (!ours.has(each)) return [each];
      const isBack = each.kind === 'back' || servers.includes(each.integration.id);
      return isBack && changes.size > 0 ? [{ ...each, kind: 'back' }] : [];
    });
    return { integrations, pendingDeletions: left };
  });
  return { servers, changes: [...changes] };
}

/** Nothing of a batch is to come back any more. Errors: CFG_*. */
export async function endUndo({ store }: Pick<EnginePorts, 'store'>, batch: string): Promise<void> {
  await store.changeList((list) => {
    const left = list.pendingDeletions.filter((each) => each.batch !== batch || each.kind !== 'back');
    return left.length === list.pendingDeletions.length ? list : { ...list, pendingDeletions: left };
  });
}

function putBack(
  integrations: readonly Integration[],
  { kind, integration: was }: PendingDeletion,
): readonly Integration[] {
  const now = integrations.find(({ id }) => id === was.id);
  if (kind === 'back') return integrations;
  if (kind === 'remove') {
    if (now) return integrations;
    const later = integrations.findIndex(({ createdAt }) => createdAt > was.createdAt);
    return integrations.toSpliced(later === -1 ? integrations.length : later, 0, was);
  }
  // The user has signed in meanwhile, or removed it.
  if (!now || isSignedIn(now)) return integrations;
  const { state, expiresAt } = was;
  // The entry of an open server did not keep its sign-in when the user signed out.
  const back = { ...now, state, ...(expiresAt !== undefined && { expiresAt }), ...unusedSignIn(was) };
  return integrations.map((each) => (each === now ? back : each));
}

/** Begins the time anew in which a batch can be taken back, for every process. Errors: CFG_*. */
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

export function isSame(one: PendingDeletion): (other: PendingDeletion) => boolean {
  return (other) => other.kind === one.kind && other.batch === one.batch && other.integration.id === one.integration.id;
}

/** Milliseconds since 1970. */
export function undoneUntil({ since }: PendingDeletion): number {
  return since + undoSeconds * 1_000;
}

/** Whether nobody waits any more for it to be taken back. */
export function isOverdue(deletion: PendingDeletion, clock: Pick<Clock, 'now'>): boolean {
  if (deletion.kind === 'back') return false;
  const now = clock.now();
  // A wall clock that was set back must not keep secrets for a year.
  return deletion.isFinal === true || now >= undoneUntil(deletion) || now < deletion.since;
}
