import { create } from 'zustand';
import { useShallow } from 'zustand/shallow';
import type { ConnectionView } from '../shared/connection-view.ts';
import type { IntegrationView } from '../shared/integration-view.ts';
import type { IpcEvent, PosternLink, Snapshots } from '../shared/ipc-event.ts';
import type { AppView } from '../shared/app-view.ts';
import { postern } from './postern.ts';
import { forgetOwner } from './use-retained-state.ts';
import { flash, followCommand, show, useView } from './view.ts';
import { words } from './words.ts';

type ChangedSlices = Extract<IpcEvent, { event: 'snapshot' }>['slices'];

/**
 * Tracks which servers are removed for good, so that their unsaved input can be dropped. The server list and the
 * undoable removals arrive in separate slices, in either order.
 */
class RemovedServers {
  /** Servers that may have unsaved input. */
  readonly #known = new Set<string>();
  /** Removal requested, response pending: the list may change before the removal is reported. */
  readonly #requested = new Set<string>();
  /** In a removal that can still be undone or fail. */
  #pending: ReadonlySet<string> = new Set();
  /** Their removal vanished without completing: they are back, and the next list includes them. */
  readonly #returning = new Set<string>();
  #present: ReadonlySet<string> = new Set();
  #isReadable = true;

  markRequested(ids: readonly string[]): void {
    for (const id of ids) this.#requested.add(id);
  }

  /** `isBegun`: the removal has been or will be reported. */
  settleRequest(ids: readonly string[], isBegun: boolean): void {
    for (const id of ids) this.#requested.delete(id);
    if (isBegun) this.#pending = new Set([...this.#pending, ...ids]);
  }

  /** Returns the servers removed since the last call. */
  update({ desktop, integrations, deletions }: ChangedSlices): readonly string[] {
    if (desktop) this.#isReadable = !desktop.settingsTrouble;
    if (deletions) {
      const removals = deletions.filter(({ kind }) => kind === 'remove');
      const idsOf = (some: typeof removals): Set<string> => new Set(some.flatMap(({ servers }) => servers));
      const over = idsOf(removals.filter(({ state }) => state === 'done'));
      const pending = idsOf(removals.filter(({ state }) => state !== 'done'));
      for (const id of this.#pending) if (!pending.has(id) && !over.has(id)) this.#returning.add(id);
      this.#pending = pending;
    }
    if (integrations) {
      this.#present = new Set(integrations.map(({ id }) => id));
      for (const id of this.#present) this.#known.add(id);
      this.#returning.clear();
    }
    if (!this.#isReadable) return [];
    const retained = [this.#present, this.#requested, this.#pending, this.#returning];
    const removed = [...this.#known].filter((id) => !retained.some((each) => each.has(id)));
    for (const id of removed) this.#known.delete(id);
    return removed;
  }
}

type Slices = Parameters<RemovedServers['update']>[0];

/** The latest snapshot from main, slice by slice; `undefined` until received. Never updated optimistically. */
export const useSnapshots = create<Partial<Snapshots>>()(() => ({}));

/** Subscribes first, then asks, so that nothing is missed. Slices arrive in the order in which they were made. */
export async function mirrorMain({ onLink }: { readonly onLink: (link: PosternLink) => void }): Promise<void> {
  postern.onEvent((event) => {
    if (event.event === 'command') followCommand(event);
    else if (event.event === 'link') onLink(event.link);
    else if (event.event === 'entries-not-restored') flash(() => [words.deletion.entriesNotRestored(event.apps)]);
    else if (event.event === 'snapshot') {
      forgetEndedConnections(event.slices);
      useSnapshots.setState(Object.fromEntries(Object.entries(event.slices).filter(([, slice]) => slice)));
      forgetRemovedServers(event.slices);
    }
  });
  const result = await postern.desktop.snapshots();
  if (!result.ok) return;
  useSnapshots.setState(result.value);
  forgetRemovedServers(result.value);
  // An unfinished check is only reachable on the connect page.
  if (checkOf(result.value) && useView.getState().view.name === 'home') show({ name: 'connect' });
}

/** Unsaved input for a connection goes with it. */
function forgetEndedConnections(next: Slices): void {
  if (!next.connections) return;
  const remaining = new Set(next.connections.map(({ id }) => id));
  for (const { id } of useSnapshots.getState().connections ?? []) if (!remaining.has(id)) forgetOwner(id);
}

export const removedServers = new RemovedServers();

/**
 * Unsaved input for a server goes once it is removed for good: not while the list is unreadable or the removal can be
 * undone.
 */
function forgetRemovedServers(next: Slices): void {
  for (const id of removedServers.update(next)) forgetOwner(id);
}

export const useIntegration = (id: string | undefined) =>
  useSnapshots((state) => state.integrations?.find((integration) => integration.id === id));

/** A check of an address without a verdict, running or failed. It is in no list, only on the connect page. */
export const isCheck = ({ kind, verdict, state }: ConnectionView): boolean =>
  kind === 'connect' && !verdict && state.name !== 'integrated';

/** A check that found nothing or was stopped. */
export const isFailedCheck = (connection: ConnectionView): boolean => {
  const { state } = connection;
  return isCheck(connection) && (state.name === 'failed' || (state.name === 'urlEntered' && Boolean(state.cancelled)));
};

/** The latest check; checks from an imported list belong to that list. */
export const checkOf = ({ connections }: Partial<Snapshots>): ConnectionView | undefined =>
  connections?.findLast((connection) => isCheck(connection) && connection.importEntry === undefined);

export const useConnection = (id: string | undefined) =>
  useSnapshots((state) => state.connections?.find((connection) => connection.id === id));

/** What apps may use: a server, or a collection, whose ID starts with `+`. */
export type ServerOrCollection = Pick<IntegrationView, 'id' | 'name'>;

export const useServersAndCollections = (ids: readonly string[] | undefined): readonly ServerOrCollection[] =>
  useSnapshots(
    useShallow(({ integrations = [], collections = [] }) =>
      [...integrations, ...collections].filter(({ id }) => ids?.includes(id)),
    ),
  );

export const isCollection = (id: string): boolean => id.startsWith('+');

/** Whether an app uses a server, directly or through a collection. */
export function useAppUses(): (app: Pick<AppView, 'uses'>, server: string) => boolean {
  const collections = useSnapshots((state) => state.collections) ?? [];
  return ({ uses }, server) =>
    uses.includes(server) || collections.some(({ id, members }) => uses.includes(id) && members.includes(server));
}

/** Enabled for the app, even if the user has not pasted the lines yet. */
export function mayUse({ uses, waiting = [] }: Pick<AppView, 'uses' | 'waiting'>, server: string): boolean {
  return uses.includes(server) || waiting.includes(server);
}

/** How many servers an app uses, and how many there are. */
export function useServerCounts(): (app: AppView) => readonly [number, number] {
  const servers = useSnapshots((state) => state.integrations) ?? [];
  const isUsed = useAppUses();
  return (app) => [servers.filter(({ id }) => isUsed(app, id)).length, servers.length];
}

interface ListedTool {
  readonly name: string;
  readonly title: string;
}

/** Tools by server ID, as last listed, so that searching and naming them needs no request. */
export const useListedTools = create<Readonly<Record<string, readonly ListedTool[]>>>()(() => ({}));

export function recordTools(id: string, tools: readonly ListedTool[]): void {
  useListedTools.setState({ [id]: tools });
}
