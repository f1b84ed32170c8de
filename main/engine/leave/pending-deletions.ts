import { undoSeconds } from '../../../shared/bounds.ts';
import type { PendingDeletion } from '../../../shared/deletion-view.ts';
import type { Integration } from '../../../shared/integration.ts';
import type { Clock } from '../../ports.ts';
import type { EnginePorts } from '../engine-ports.ts';
import { integrationLock } from '../kept/stored-secrets.ts';
import { withSignedOut } from './sign-out.ts';

type Kind = PendingDeletion['kind'];

/** So many locks are held at once; the kernel counts each as an open file. */
const lockedAtOnce = 50;

/**
 * Signs out of servers or takes them off the list, for every process at once, so that it can still be taken back: their
 * secrets stay until the deletion is finished. The list is written once for many. Answers those that are in the list;
 * `onBegun`: some of them, also where a later one fails. Errors: CFG_*.
 */
export async function beginDeletions(
  ports: EnginePorts,
  ids: readonly string[],
  kind: Kind,
  onBegun: (begun: readonly PendingDeletion[]) => void = () => {},
): Promise<readonly PendingDeletion[]> {
  const all: PendingDeletion[] = [];
  for (const group of inGroups(ids)) {
    const begun = await beginTogether(ports, group, kind);
    all.push(...begun);
    onBegun(begun);
  }
  return all;
}

async function beginTogether(
  { store, locks, clock }: EnginePorts,
  ids: readonly string[],
  kind: Kind,
): Promise<readonly PendingDeletion[]> {
  const begun: PendingDeletion[] = [];
  const write = (): Promise<void> =>
    store.changeList((list) => {
      let { integrations } = list;
      for (const id of ids) {
        const integration = integrations.find((each) => each.id === id);
        if (!integration) continue;
        begun.push({ kind, since: Math.trunc(clock.now()), integration });
        integrations = leave(integrations, id, kind);
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

/** Takes them back, all or none; answers how many are back. The rest came too late. Errors: CFG_*. */
export async function undoDeletions(
  { store }: Pick<EnginePorts, 'store'>,
  deletions: readonly PendingDeletion[],
): Promise<number> {
  let restored = 0;
  await store.changeList((list) => {
    const canComeBack = (each: PendingDeletion): boolean => !each.isFinal && deletions.some(isSame(each));
    const ours = list.pendingDeletions.filter(canComeBack);
    if (ours.length === 0) return list;
    let { integrations } = list;
    for (const pending of ours) {
      const before = integrations;
      integrations = putBack(before, pending);
      if (integrations !== before) restored += 1;
    }
    return { integrations, pendingDeletions: list.pendingDeletions.filter((each) => !canComeBack(each)) };
  });
  return restored;
}

function putBack(
  integrations: readonly Integration[],
  { kind, integration: was }: PendingDeletion,
): readonly Integration[] {
  const now = integrations.find(({ id }) => id === was.id);
  if (kind === 'remove') {
    if (now) return integrations;
    const later = integrations.findIndex(({ createdAt }) => createdAt > was.createdAt);
    return integrations.toSpliced(later === -1 ? integrations.length : later, 0, was);
  }
  // Somebody has signed in meanwhile, or removed it.
  if (now?.state !== 'signedOut') return integrations;
  const { state, expiresAt } = was;
  const back = { ...now, state, ...(expiresAt !== undefined && { expiresAt }) };
  return integrations.map((each) => (each === now ? back : each));
}

/**
 * Begins the time anew in which they can be taken back, for every process; answers them as they stand then. Errors:
 * CFG_*.
 */
export async function extendDeletions(
  { store, clock }: Pick<EnginePorts, 'store' | 'clock'>,
  deletions: readonly PendingDeletion[],
): Promise<readonly PendingDeletion[]> {
  const since = Math.trunc(clock.now());
  await store.changeList((list) => ({
    ...list,
    pendingDeletions: list.pendingDeletions.map((each) =>
      deletions.some(isSame(each)) && !each.isFinal ? { ...each, since } : each,
    ),
  }));
  return deletions.map((each) => ({ ...each, since }));
}

export function isSame(one: PendingDeletion): (other: PendingDeletion) => boolean {
  return (other) => other.kind === one.kind && other.since === one.since && other.integration.id === one.integration.id;
}

/** Whether nobody waits any more for it to be taken back. */
export function isOverdue({ isFinal, since }: PendingDeletion, clock: Pick<Clock, 'now'>): boolean {
  const passed = clock.now() - since;
  // A wall clock that was set back must not keep secrets for a year.
  return isFinal === true || passed >= undoSeconds * 1_000 || passed < 0;
}
