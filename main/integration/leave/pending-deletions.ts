import { undoSeconds } from '../../../shared/deletion-bounds.ts';
import { isOneOf, keychainCodes } from '../../../shared/error-codes.ts';
import type { Integration } from '../../../shared/integration.ts';
import type { PendingDeletion } from '../../../shared/pending-deletion.ts';
import { withoutServer } from '../../../shared/program-record.ts';
import type { ProgramRecords } from '../../gateway-ports.ts';
import type { Clock, ServerList } from '../../ports.ts';
import { PosternError } from '../../postern-error.ts';
import type { EnginePorts } from '../engine-ports.ts';
import { usesApiKey } from '../kept/api-key.ts';
import { integrationLock } from '../kept/integration-lock.ts';
import type { ForgottenSecrets } from './forget-integration.ts';
import { noSecrets, takeAll } from './forget-integration.ts';
import { takeTokens } from './sign-out.ts';

type Kind = PendingDeletion['kind'];

/** What finishing needs beside the engine: the rights of programs go with a server. */
export interface DeletionPorts extends EnginePorts {
  readonly programs: Pick<ProgramRecords, 'change'>;
}

/**
 * Signs out of a server or takes it off the list, for every process at once, so that it can still be taken back:
 * its secrets stay until the deletion is finished. `undefined`: it is not in the list. Errors: CFG_*.
 */
export async function beginDeletion(
  { store, locks, clock }: EnginePorts,
  id: string,
  kind: Kind,
): Promise<PendingDeletion | undefined> {
  let begun: PendingDeletion | undefined;
  // Under its lock, so that no sign-in that is being stored brings it back.
  await locks.hold(integrationLock(id), () =>
    store.changeList((list) => {
      const integration = list.integrations.find((each) => each.id === id);
      if (!integration) return list;
      begun = { kind, since: Math.trunc(clock.now()), integration };
      return { integrations: leave(list, id, kind), pendingDeletions: [...list.pendingDeletions, begun] };
    }),
  );
  return begun;
}

function leave({ integrations }: ServerList, id: string, kind: Kind): readonly Integration[] {
  if (kind === 'remove') return integrations.filter((each) => each.id !== id);
  return integrations.map((each) => {
    if (each.id !== id) return each;
    const { expiresAt: _ended, ...kept } = each;
    return { ...kept, state: 'signedOut' };
  });
}

/** Takes it back. False: it is too late, or nothing is left to be taken back. Errors: CFG_*. */
export async function undoDeletion({ store }: Pick<EnginePorts, 'store'>, deletion: PendingDeletion): Promise<boolean> {
  let isBack = false;
  await store.changeList((list) => {
    const pending = list.pendingDeletions.find(isSame(deletion));
    if (!pending || pending.isFinal) return list;
    const integrations = putBack(list.integrations, pending);
    isBack = integrations !== list.integrations;
    return { integrations, pendingDeletions: list.pendingDeletions.filter((each) => each !== pending) };
  });
  return isBack;
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
 * Deletes its secrets for good, and answers what its services are to be told with; `undefined`: it was taken back, or
 * another process has done it. A run that was interrupted is taken up by the next. Secrets that cannot be read are
 * deleted unread. Errors: CFG_*, KC_*; then it is still to be done.
 */
export async function finishDeletion(
  ports: DeletionPorts,
  deletion: PendingDeletion,
): Promise<ForgottenSecrets | undefined> {
  const { store, locks, programs } = ports;
  const { kind, integration } = deletion;
  const { id } = integration;
  return await locks.hold(integrationLock(id), async () => {
    if (!(await claim(ports, deletion))) return undefined;
    const secrets = await takeSecrets(ports, deletion, (await store.read(id))?.state);
    if (kind === 'remove') await programs.change((records) => withoutServer(records, id));
    await store.changeList((list) => ({
      ...list,
      pendingDeletions: list.pendingDeletions.filter((each) => !isSame(deletion)(each)),
    }));
    return secrets;
  });
}

/** From here on nobody can take it back. */
async function claim({ store }: Pick<EnginePorts, 'store'>, deletion: PendingDeletion): Promise<boolean> {
  let isOurs = false;
  await store.changeList((list) => {
    isOurs = list.pendingDeletions.some(isSame(deletion));
    const mark = (each: PendingDeletion): PendingDeletion =>
      isSame(deletion)(each) ? { ...each, isFinal: true } : each;
    return isOurs ? { ...list, pendingDeletions: list.pendingDeletions.map(mark) } : list;
  });
  return isOurs;
}

async function takeSecrets(
  ports: EnginePorts,
  { kind, integration }: PendingDeletion,
  state: Integration['state'] | undefined,
): Promise<ForgottenSecrets> {
  const hasSecrets = integration.method !== 'NoAuth' || usesApiKey(integration);
  // What is there after somebody has signed in again is theirs.
  if (!hasSecrets || (kind === 'signOut' && state !== 'signedOut')) return noSecrets;
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
