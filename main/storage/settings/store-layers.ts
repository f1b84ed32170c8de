import { withAliases } from '../../../shared/entry-name.ts';
import type { Integration } from '../../../shared/integration.ts';
import type { PendingDeletion } from '../../../shared/pending-deletion.ts';
import type { ServerEvent } from '../../../shared/trace.ts';
import type { ChangeCause, HistoryStore, IntegrationStore } from '../../ports.ts';

/**
 * Wraps a store so that every change is recorded in the server's history. Everything that happens to a server changes
 * its entry, so no other code has to record events.
 */
export function withHistory<Store extends IntegrationStore>(
  store: Store,
  openHistory: () => Promise<HistoryStore>,
): Store {
  const record = async (changes: readonly EntryUpdate[], cause?: ChangeCause): Promise<void> => {
    const now = Date.now();
    const events = changes.flatMap(([before, after]) => {
      const entryEvents = after && [...(cause ? [{ ...cause, at: now }] : []), ...eventsBetween(before, after, now)];
      return entryEvents && entryEvents.length > 0 ? [[after.id, entryEvents] as const] : [];
    });
    if (events.length > 0) await (await openHistory()).recordAll(new Map(events));
  };
  return {
    ...store,
    async write(integration) {
      const before = await store.read(integration.id);
      const stored = await store.write(integration);
      await record([[before, stored]]);
      return stored;
    },
    async update(id, change, cause) {
      let before: Integration | undefined;
      const stored = await store.update(id, (integration) => {
        before = integration;
        return change(integration);
      });
      await record([[before, stored]], cause);
      return stored;
    },
    async changeList(change) {
      let before: readonly Integration[] = [];
      let after: readonly Integration[] = [];
      let pending: readonly PendingDeletion[] = [];
      await store.changeList((list) => {
        const changed = change(list);
        before = list.integrations;
        after = changed.integrations;
        pending = list.pendingDeletions;
        return changed;
      });
      // A server that an undo restores already has its history.
      const afterById = new Map(after.map((entry) => [entry.id, entry]));
      await record(before.map((entry) => [entry, afterById.get(entry.id)]));
      const undone = pending.filter(
        ({ kind, integration: { id } }) => kind === 'signOut' && isRestored(id, [before, after]),
      );
      const event = { kind: 'signOutUndone', at: Date.now() } as const;
      if (undone.length > 0)
        await (await openHistory()).recordAll(new Map(undone.map(({ integration }) => [integration.id, [event]])));
    },
    async delete(...ids) {
      await store.delete(...ids);
      await (await openHistory()).forget(...ids);
    },
  };
}

/** Whether a signed-out server is usable again. */
function isRestored(id: string, lists: readonly (readonly Integration[])[]): boolean {
  const [before, after] = lists.map((list) => list.find((entry) => entry.id === id)?.state);
  return before === 'signedOut' && after !== undefined && after !== 'signedOut';
}

/** `undefined`: the entry is not in the list. */
type EntryUpdate = readonly [before: Integration | undefined, after: Integration | undefined];

function eventsBetween(before: Integration | undefined, after: Integration, now: number): readonly ServerEvent[] {
  const { createdAt, signedInAt, refreshedAt, state } = after;
  const isNewly = (value: Integration['state']): boolean => state === value && before?.state === 'integrated';
  return [
    ...(before ? [] : [{ kind: 'added' as const, at: createdAt }]),
    ...(signedInAt === undefined || signedInAt === before?.signedInAt
      ? []
      : [{ kind: 'signedIn' as const, at: signedInAt }]),
    ...(refreshedAt === undefined || refreshedAt === before?.refreshedAt
      ? []
      : [{ kind: 'renewed' as const, at: refreshedAt }]),
    ...renewalFailures(before, after, now),
    ...(isNewly('reauthenticationRequired') ? [{ kind: 'accessLost' as const, at: now }] : []),
    ...(isNewly('signedOut') ? [{ kind: 'signedOut' as const, at: now }] : []),
  ];
}

/** Records the first failure in a row, and the first refusal among them. Only failed renewals set these members. */
function renewalFailures(before: Integration | undefined, after: Integration, now: number): readonly ServerEvent[] {
  const failed = { kind: 'renewalFailed', at: now } as const;
  if (after.renewalRefused && !before?.renewalRefused) return [{ ...failed, code: 'REFRESH_REFUSED' }];
  return after.retryAt !== undefined && before?.retryAt === undefined ? [{ ...failed, code: 'REFRESH_TRANSIENT' }] : [];
}

/**
 * The integration list while secrets are in memory only: additions and changes end with this process, as its tokens do.
 * Settings still go to `persisted`, because the callback port may be registered with a service.
 */
export function createMemoryStore(persisted: IntegrationStore): IntegrationStore {
  const changed = new Map<string, Integration | undefined>();
  let pendingDeletions: readonly PendingDeletion[] = [];

  async function read(id: string): Promise<Integration | undefined> {
    return changed.has(id) ? changed.get(id) : await persisted.read(id);
  }

  async function list(): Promise<readonly Integration[]> {
    const others = (await persisted.list()).filter(({ id }) => !changed.has(id));
    return withAliases([...others, ...Array.from(changed.values()).filter((integration) => integration !== undefined)]);
  }

  return {
    ...persisted,
    read,
    list,
    async write(integration) {
      changed.set(integration.id, integration);
      return (await list()).find(({ id }) => id === integration.id) ?? integration;
    },
    async update(id, change) {
      const before = await read(id);
      if (before === undefined) return undefined;
      const after = change(before);
      changed.set(id, after);
      return after;
    },
    async delete(...ids) {
      for (const id of ids) changed.set(id, undefined);
      pendingDeletions = pendingDeletions.filter(({ integration }) => !ids.includes(integration.id));
    },
    pendingDeletions: async () => pendingDeletions,
    async changeList(change) {
      const before = { integrations: await list(), pendingDeletions };
      const after = change(before);
      pendingDeletions = after.pendingDeletions;
      for (const { id } of before.integrations) changed.set(id, undefined);
      for (const integration of after.integrations) changed.set(integration.id, integration);
    },
  };
}

interface SwitchableStore extends IntegrationStore {
  /** All later calls go to `next`. */
  switchTo(next: IntegrationStore): void;
}

/** A store that can be replaced while in use: Postern may learn later that nothing can be saved. */
export function createSwitchableStore(first: IntegrationStore): SwitchableStore {
  let current = first;
  return {
    list: () => current.list(),
    isListComplete: () => current.isListComplete(),
    read: (id) => current.read(id),
    write: (integration) => current.write(integration),
    update: (...changed) => current.update(...changed),
    delete: (...ids) => current.delete(...ids),
    pendingDeletions: () => current.pendingDeletions(),
    changeList: (change) => current.changeList(change),
    settings: () => current.settings(),
    updateSettings: (change) => current.updateSettings(change),
    resetSetting: (name) => current.resetSetting(name),
    switchTo(next) {
      current = next;
    },
  };
}
