import { create } from 'zustand';
import { useShallow } from 'zustand/shallow';
import type { ConnectionView } from '../shared/connection-view.ts';
import type { IntegrationView } from '../shared/integration-view.ts';
import type { IpcEvent, PosternLink, Snapshots } from '../shared/ipc-event.ts';
import type { ProgramView } from '../shared/program-view.ts';
import { postern } from './postern.ts';
import { forgetAllOf } from './use-kept.ts';
import { flash, followCommand, show, useView } from './view.ts';
import { words } from './words.ts';

type ChangedSlices = Extract<IpcEvent, { event: 'snapshot' }>['slices'];

/**
 * Which servers are gone for good, so that what was typed for them is of no use any more. The list of servers and the
 * removals that can still be undone come slice by slice, in either order.
 */
class GoneServers {
  /** Those for which something may have been typed. */
  readonly #known = new Set<string>();
  /** Main was asked to remove them, and has not answered: the list may tell of it before the removal does. */
  readonly #asked = new Set<string>();
  /** In a removal that is not over. */
  #leaving: ReadonlySet<string> = new Set();
  /** Their removal has gone without having ended: they are back, and the next list shows it. */
  readonly #returning = new Set<string>();
  #there: ReadonlySet<string> = new Set();
  #isReadable = true;

  ask(ids: readonly string[]): void {
    for (const id of ids) this.#asked.add(id);
  }

  /** `isBegun`: a removal of them will be told, or is told already. */
  answer(ids: readonly string[], isBegun: boolean): void {
    for (const id of ids) this.#asked.delete(id);
    if (isBegun) this.#leaving = new Set([...this.#leaving, ...ids]);
  }

  /** Answers those that have gone since the last time. */
  next({ app, integrations, deletions }: ChangedSlices): readonly string[] {
    if (app) this.#isReadable = !app.settingsTrouble;
    if (deletions) {
      const removals = deletions.filter(({ kind }) => kind === 'remove');
      const idsOf = (some: typeof removals): Set<string> => new Set(some.flatMap(({ servers }) => servers));
      const over = idsOf(removals.filter(({ state }) => state === 'done'));
      const leaving = idsOf(removals.filter(({ state }) => state !== 'done'));
      for (const id of this.#leaving) if (!leaving.has(id) && !over.has(id)) this.#returning.add(id);
      this.#leaving = leaving;
    }
    if (integrations) {
      this.#there = new Set(integrations.map(({ id }) => id));
      for (const id of this.#there) this.#known.add(id);
      this.#returning.clear();
    }
    if (!this.#isReadable) return [];
    const stays = [this.#there, this.#asked, this.#leaving, this.#returning];
    const gone = [...this.#known].filter((id) => !stays.some((each) => each.has(id)));
    for (const id of gone) this.#known.delete(id);
    return gone;
  }
}

type Slices = Parameters<GoneServers['next']>[0];

/** What main last said, slice by slice; `undefined` until it first has. Nothing here is ever predicted. */
export const useSnapshots = create<Partial<Snapshots>>()(() => ({}));

/**
 * Listens first, then asks, so that nothing falls between; whole slices arrive in the order in which they were made.
 */
export async function mirrorMain({ onLink }: { readonly onLink: (link: PosternLink) => void }): Promise<void> {
  postern.onEvent((event) => {
    if (event.event === 'command') followCommand(event);
    else if (event.event === 'link') onLink(event.link);
    else if (event.event === 'entries-left') flash(() => [words.deletion.entriesLeft(event.programs)]);
    else if (event.event === 'snapshot') {
      forgetGoneConnections(event.slices);
      useSnapshots.setState(Object.fromEntries(Object.entries(event.slices).filter(([, slice]) => slice)));
      forgetGoneServers(event.slices);
    }
  });
  const answer = await postern.app.snapshots();
  if (!answer.ok) return;
  useSnapshots.setState(answer.value);
  forgetGoneServers(answer.value);
  // A check that is not over has no other place than the connect page.
  if (checkOf(answer.value) && useView.getState().view.name === 'home') show({ name: 'connect' });
}

/** What was typed for a connection goes with it. */
function forgetGoneConnections(next: Slices): void {
  if (!next.connections) return;
  const left = new Set(next.connections.map(({ id }) => id));
  for (const { id } of useSnapshots.getState().connections ?? []) if (!left.has(id)) forgetAllOf(id);
}

export const goneServers = new GoneServers();

/** The same for a server, once it is gone for good: not while the list cannot be read, or a removal can be undone. */
function forgetGoneServers(next: Slices): void {
  for (const id of goneServers.next(next)) forgetAllOf(id);
}

export const useIntegration = (id: string | undefined) =>
  useSnapshots((state) => state.integrations?.find((integration) => integration.id === id));

/** A check of an address that has no verdict so far, or ended without one. It is in no list: the connect page has it. */
export const isCheck = ({ kind, verdict, state }: ConnectionView): boolean =>
  kind === 'connect' && !verdict && state.name !== 'integrated';

/** A check that found nothing, or was stopped. */
export const isFailedCheck = (connection: ConnectionView): boolean => {
  const { state } = connection;
  return isCheck(connection) && (state.name === 'failed' || (state.name === 'urlEntered' && Boolean(state.cancelled)));
};

/** The check that was begun last; those of an imported list are in that list. */
export const checkOf = ({ connections }: Partial<Snapshots>): ConnectionView | undefined =>
  connections?.findLast((connection) => isCheck(connection) && connection.importEntry === undefined);

export const useCheck = () => useSnapshots(checkOf);

export const useConnection = (id: string | undefined) =>
  useSnapshots((state) => state.connections?.find((connection) => connection.id === id));

/** What programs may use: a server, or a collection, whose id is its name behind a `+`. */
export type Used = Pick<IntegrationView, 'id' | 'name'>;

/** Those of `ids` that are there. */
export const useUsed = (ids: readonly string[] | undefined): readonly Used[] =>
  useSnapshots(
    useShallow(({ integrations = [], collections = [] }) =>
      [...integrations, ...collections].filter(({ id }) => ids?.includes(id)),
    ),
  );

export const isCollection = (id: string): boolean => id.startsWith('+');

/** Whether a program uses a server, by an entry of its own or of a collection. */
export function useUses(): (program: Pick<ProgramView, 'uses'>, server: string) => boolean {
  const collections = useSnapshots((state) => state.collections) ?? [];
  return ({ uses }, server) =>
    uses.includes(server) || collections.some(({ id, members }) => uses.includes(id) && members.includes(server));
}

/** The switch is on: it may use it, though it may still wait for its lines. */
export function mayUse({ uses, waiting = [] }: Pick<ProgramView, 'uses' | 'waiting'>, server: string): boolean {
  return uses.includes(server) || waiting.includes(server);
}

/** How many servers a program uses, of how many. */
export function useCounts(): (program: ProgramView) => readonly [number, number] {
  const servers = useSnapshots((state) => state.integrations) ?? [];
  const isUsed = useUses();
  return (program) => [servers.filter(({ id }) => isUsed(program, id)).length, servers.length];
}
