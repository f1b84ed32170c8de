import { create } from 'zustand';
import type { ConnectionView } from '../../shared/connection-view.ts';
import type { IntegrationView } from '../../shared/integration-view.ts';
import type { IpcOutput } from '../../shared/ipc-contract.ts';
import type { PlainError } from '../../shared/error-codes.ts';
import type { Snapshots } from '../../shared/ipc-event.ts';
import { postern } from '../postern.ts';
import { useSnapshots } from '../store.ts';

export type ImportEntry = IpcOutput<'import:read'>['entries'][number];

/** Entries that are checked at one time. */
const atOnce = 4;

/** *Connect all* of the list that is shown. */
interface ConnectAll {
  /** Ids of its entries; none before the first press. */
  readonly entries: readonly string[];
  readonly done: number;
  /** Why main refused to begin with an entry, by its id. */
  readonly refused: Readonly<Record<string, PlainError>>;
  /** Absent: it is over, or was cancelled. */
  readonly cancel?: () => void;
}

const nothing: ConnectAll = { entries: [], done: 0, refused: {} };

export const useConnectAll = create<ConnectAll>()(() => nothing);

/** What became of an entry: what it is connected as, or else the check or sign-in that was begun with it. */
export function fateOf(
  { integrations, connections }: Partial<Snapshots>,
  { id, url, connectedAs }: ImportEntry,
): IntegrationView | ConnectionView | undefined {
  const address = URL.parse(url ?? '')?.href;
  const isIt = (integration: IntegrationView): boolean =>
    integration.id === connectedAs || URL.parse(integration.url)?.href === address;
  return integrations?.find(isIt) ?? connections?.findLast(({ importEntry }) => importEntry === id);
}

/** Whether nothing is missing that only the user has, and nothing was done with it yet. */
export function canConnect(snapshots: Partial<Snapshots>, entry: ImportEntry): boolean {
  const hasGap = entry.notes.some((note) => note === 'url-to-fill-in' || note === 'header-to-fill-in');
  return entry.url !== undefined && !hasGap && !fateOf(snapshots, entry);
}

/**
 * Checks all of them, a few at a time, and connects those that need neither a sign-in nor a decision. Entries with the
 * same address take turns, since the first may be what the next leads to.
 */
export async function connectAll(entries: readonly ImportEntry[]): Promise<void> {
  const ending = new AbortController();
  const { signal } = ending;
  const isOurs = (): boolean => !signal.aborted;
  useConnectAll.setState({ ...nothing, entries: entries.map(({ id }) => id), cancel: () => stop(ending) }, true);
  const groups = [...Map.groupBy(entries, ({ url }) => url).values()];
  const work = async (): Promise<void> => {
    for (let group = groups.shift(); group; group = groups.shift())
      for (const entry of group) {
        if (!isOurs()) return;
        if (canConnect(useSnapshots.getState(), entry)) await connectOne(entry, signal);
        if (isOurs()) useConnectAll.setState(({ done }) => ({ done: done + 1 }));
      }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  if (isOurs()) stop(ending);
}

function stop(ending: AbortController): void {
  ending.abort();
  useConnectAll.setState(({ cancel: _over, ...all }) => all, true);
}

/** Another list, or none, is shown. */
export function forgetConnectAll(): void {
  useConnectAll.getState().cancel?.();
  useConnectAll.setState(nothing, true);
}

async function connectOne({ id: entry, url = '' }: ImportEntry, signal: AbortSignal): Promise<void> {
  const begun = await postern.connection.discover({ url, options: {}, importEntry: entry });
  if (!begun.ok) return refuse(entry, begun.error, signal);
  const { id } = begun.value;
  const cancel = (): void => void postern.connection.cancel({ id });
  if (signal.aborted) return cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const checked = await whenAtRest(id, signal, ({ state }) => state.name !== 'urlEntered' || !!state.cancelled);
    if (!checked || !needsNobody(checked)) return;
    const started = await postern.connection.start({ id });
    if (!started.ok) return refuse(entry, started.error, signal);
    await whenAtRest(id, signal, ({ state }) => state.name !== 'discovered');
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

function refuse(entry: string, error: PlainError, { aborted }: AbortSignal): void {
  if (!aborted) useConnectAll.setState(({ refused }) => ({ refused: { ...refused, [entry]: error } }));
}

/** No sign-in, and nothing on the trust card to decide about. */
function needsNobody({ state, verdict }: ConnectionView): boolean {
  if (state.name !== 'discovered' || !verdict) return false;
  const isOpen = verdict.kind === 'noSignIn' || verdict.kind === 'usesKey';
  return isOpen && !verdict.hosts && !verdict.exception && !verdict.notes.includes('host-confusable');
}

/** The connection once it waits for the user or has failed; `undefined`: it is gone, or the wait was cancelled. */
async function whenAtRest(
  id: string,
  signal: AbortSignal,
  isNews: (connection: ConnectionView) => boolean,
): Promise<ConnectionView | undefined> {
  const { promise, resolve } = Promise.withResolvers<ConnectionView | undefined>();
  let wasThere = false;
  const look = ({ connections }: Partial<Snapshots>): void => {
    const found = connections?.find((connection) => connection.id === id);
    if (found ? found.turn !== 'postern' && isNews(found) : wasThere) resolve(found);
    wasThere ||= found !== undefined;
  };
  const end = (): void => resolve(undefined);
  signal.addEventListener('abort', end, { once: true });
  const unsubscribe = useSnapshots.subscribe(look);
  look(useSnapshots.getState());
  try {
    return await promise;
  } finally {
    unsubscribe();
    signal.removeEventListener('abort', end);
  }
}
