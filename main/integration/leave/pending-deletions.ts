import { undoSeconds } from '../../../shared/deletion-bounds.ts';
import { isOneOf, keychainCodes } from '../../../shared/error-codes.ts';
import type { Integration } from '../../../shared/integration.ts';
import type { PendingDeletion } from '../../../shared/pending-deletion.ts';
import { withoutServer } from '../../../shared/program-record.ts';
import type { ProgramRecords } from '../../gateway-ports.ts';
import type { Clock } from '../../ports.ts';
import { PosternError } from '../../postern-error.ts';
import type { EnginePorts } from '../engine-ports.ts';
import { usesApiKey } from '../kept/api-key.ts';
import { integrationLock } from '../kept/integration-lock.ts';
import type { ForgottenSecrets } from './forget-integration.ts';
import { noSecrets, takeAll } from './forget-integration.ts';
import { takeTokens, withSignedOut } from './sign-out.ts';

type Kind = PendingDeletion['kind'];

/** What finishing needs beside the engine: the rights of programs go with a server. */
export interface DeletionPorts extends EnginePorts {
  readonly programs: Pick<ProgramRecords, 'change'>;
}

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
  for (let first = 0; first < ids.length; first += lockedAtOnce) {
    const begun = await beginTogether(ports, ids.slice(first, first + lockedAtOnce), kind);
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
  // Under their locks, so that no sign-in that is being stored brings one back. In one order for every process, so that
  // none waits for another that waits for it.
  const hold = ([id, ...others]: readonly string[]): Promise<void> =>
    id === undefined ? write() : locks.hold(integrationLock(id), () => hold(others));
  await hold([...new Set(ids)].toSorted());
  return begun;
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

/** What became of a deletion. */
export type FinishedDeletion =
  /** With what its services are to be told. */
  | { readonly kind: 'deleted'; readonly secrets: ForgottenSecrets }
  /** It is on the list again, or somebody has signed in again: what is there now was not to be deleted. */
  | { readonly kind: 'kept' }
  /** It was taken back, or another process has finished it. */
  | { readonly kind: 'over' };

/**
 * Deletes its secrets for good. A run that was interrupted is taken up by the next. Secrets that cannot be read are
 * deleted unread. Errors: CFG_*, KC_*; then it is still to be done.
 */
export async function finishDeletion(ports: DeletionPorts, deletion: PendingDeletion): Promise<FinishedDeletion> {
  const { store, locks, programs } = ports;
  const { kind, integration } = deletion;
  const { id } = integration;
  return await locks.hold(integrationLock(id), async () => {
    const isPending = await makeFinal(ports, deletion);
    const listed = await store.read(id);
    const isNew = listed !== undefined && (kind === 'remove' || listed.state !== 'signedOut');
    if (!isPending) return { kind: isNew ? 'kept' : 'over' };
    const secrets = isNew ? undefined : await takeSecrets(ports, deletion);
    if (kind === 'remove' && !isNew) await programs.change((records) => withoutServer(records, id));
    await store.changeList((list) => ({
      ...list,
      pendingDeletions: list.pendingDeletions.filter((each) => !isSame(deletion)(each)),
    }));
    return secrets ? { kind: 'deleted', secrets } : { kind: 'kept' };
  });
}

/** From here on nobody can take it back. Answers whether it is still to be done. */
async function makeFinal({ store }: Pick<EnginePorts, 'store'>, deletion: PendingDeletion): Promise<boolean> {
  let isPending = false;
  await store.changeList((list) => {
    isPending = list.pendingDeletions.some(isSame(deletion));
    const mark = (each: PendingDeletion): PendingDeletion =>
      isSame(deletion)(each) ? { ...each, isFinal: true } : each;
    return isPending ? { ...list, pendingDeletions: list.pendingDeletions.map(mark) } : list;
  });
  return isPending;
}

async function takeSecrets(ports: EnginePorts, { kind, integration }: PendingDeletion): Promise<ForgottenSecrets> {
  const hasSecrets = integration.method !== 'NoAuth' || usesApiKey(integration);
  if (!hasSecrets) return noSecrets;
  const take = async (unread: boolean): Promise<ForgottenSecrets> =>
    kind === 'remove'
      ? await takeAll(ports, integration, unread)
      : { ...(await takeTokens(ports, integration, unread)), registration: undefined };
  try {
    return await take(false);
  } catch (error) {
    if (!(error instanceof PosternError) || !isOneOf(keychainCodes, error)) throw error;
    return await take(true);
  }
}

function isSame(one: PendingDeletion): (other: PendingDeletion) => boolean {
  return (other) => other.kind === one.kind && other.since === one.since && other.integration.id === one.integration.id;
}

/** Whether nobody waits any more for it to be taken back. */
export function isOverdue({ isFinal, since }: PendingDeletion, clock: Pick<Clock, 'now'>): boolean {
  const passed = clock.now() - since;
  // A wall clock that was set back must not keep secrets for a year.
  return isFinal === true || passed >= undoSeconds * 1_000 || passed < 0;
}
