import { useEffect, useRef } from 'react';
import { create } from 'zustand';
import type { ConnectionView } from '../../shared/connection-view.ts';
import type { PlainError } from '../../shared/error-codes.ts';
import { isAddressPart } from '../../shared/header-name.ts';
import type { IntegrationView } from '../../shared/integration-view.ts';
import type { IpcOutput } from '../../shared/ipc-contract.ts';
import type { Snapshots } from '../../shared/ipc-event.ts';
import type { UnreadableEntryView } from '../../shared/list-calls.ts';
import { needsUserInput } from '../../shared/pasted/read-pasted.ts';
import { isLoopbackHost } from '../../shared/web-address.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { describeProgress } from '../integrations/server-icon.tsx';
import { Button } from '../components/button.tsx';
import { CheckBox } from '../components/check-box.tsx';
import { postern, useCall } from '../postern.ts';
import { isCheck, useSnapshots } from '../store.ts';
import { show, showIntegration } from '../view.ts';
import { words } from '../words.ts';
import { useListedCommand } from './use-local-draft.ts';

/** Servers of a pasted `mcp.json`. Each becomes its own connection; each command needs its own consent. */
export function ImportList({ entries, more = 0, unreadable = [] }: ImportedList) {
  return (
    <section className="section" aria-labelledby="import-title">
      <h2 id="import-title">{words.connect.importTitle(entries.length + more)}</h2>
      <p className="soft">{words.connect.importText}</p>
      <AllowLocal entries={entries} />
      <ConnectAll entries={entries} />
      <ul className="import-list">
        {entries.map((entry) => (
          <ImportRow key={entry.id} entry={entry} />
        ))}
      </ul>
      {more > 0 && <p>{words.connect.importMore(more)}</p>}
      <UnreadableEntries entries={unreadable} />
      <div>
        <Button kind="quiet" className="at-edge" onClick={() => setImported({ entries: [] })}>
          {words.common.dismiss}
        </Button>
      </div>
    </section>
  );
}

/** One question for all listed servers at loopback addresses. `ConnectAll` skips them until it is answered. */
function AllowLocal({ entries }: { readonly entries: readonly ImportEntry[] }) {
  const allowed = useConnectAll(({ allowsLocal }) => allowsLocal);
  const snapshots = useSnapshots();
  const local = entries.filter((entry) => isOnThisComputer(entry) && isUntouched(snapshots, entry));
  if (local.length === 0) return null;
  return (
    <CheckBox
      checked={allowed}
      onChange={(allowsLocal) => useConnectAll.setState({ allowsLocal })}
      label={words.connect.importLocal(local.length)}
      hint={words.connect.importLocalHint}
    />
  );
}

/** One button that connects everything it can and cancels while running, with progress and a summary. */
function ConnectAll({ entries }: { readonly entries: readonly ImportEntry[] }) {
  const { entries: included, done, failed, error, call } = useConnectAll();
  const snapshots = useSnapshots();
  const ready = entries.filter((entry) => canConnect(snapshots, entry) && !failed[entry.id]);
  const summary = useRef<HTMLParagraphElement>(null);
  const hadFocus = useRef(false);
  const isRunning = call !== undefined;
  const hasButton = isRunning || ready.length > 1;
  // The button disappears once no entry is left to connect; focus moves on to the summary.
  useEffect(() => {
    if (!hasButton && hadFocus.current) summary.current?.focus();
  }, [hasButton]);
  if (included.length === 0 && !hasButton) return null;
  const results = entries
    .filter(({ id }) => included.includes(id))
    .map((entry) => turnOf(outcomeOf(snapshots, entry)) ?? (failed[entry.id] ? 'stopped' : 'none'));
  const count = (turn: string): number => results.filter((each) => each === turn).length;
  return (
    <div className="import-all">
      {hasButton && (
        <Button
          onClick={isRunning ? stop : () => void connectAll(ready)}
          onFocus={() => (hadFocus.current = true)}
          onBlur={() => (hadFocus.current = false)}
        >
          {isRunning ? words.common.cancel : words.connect.importAll(ready.length)}
        </Button>
      )}
      {isRunning && <progress max={included.length} value={done} aria-label={words.connect.importAllProgress} />}
      <p className="small" role="status" tabIndex={-1} ref={summary}>
        {isRunning && words.connect.importAllDone(done, included.length)}
        {!isRunning &&
          included.length > 0 &&
          words.connect.importAllSummary({
            connected: count('over'),
            waiting: count('user'),
            failed: count('stopped'),
            left: count('none'),
          })}
      </p>
      {error && <ErrorNotice error={error} />}
    </div>
  );
}

function turnOf(outcome: ReturnType<typeof outcomeOf>): string | undefined {
  return outcome && ('turn' in outcome ? outcome.turn : 'over');
}

/** Entries that cannot be used, with the reason. */
export function UnreadableEntries({ entries }: { readonly entries: readonly UnreadableEntryView[] }) {
  if (entries.length === 0) return null;
  return (
    <ul className="import-list">
      {entries.map(({ name, member }) => (
        <li key={`${name} ${member}`} className="import-row">
          <p>{words.connect.unreadableEntry(name, member)}</p>
        </li>
      ))}
    </ul>
  );
}

function ImportRow({ entry }: { readonly entry: ImportEntry }) {
  const { id, name, url, headerNames, notes, command, remote } = entry;
  const listed = useListedCommand(id);
  const outcome = useSnapshots((snapshots) => outcomeOf(snapshots, entry));
  const notConnected = useConnectAll(({ failed: { [id]: error } }) => error);
  const failed = outcome && 'turn' in outcome && outcome.state.name === 'failed' ? outcome.state.error : undefined;
  const begin = useCall<{ id: string }>();
  const remarks = [
    ...(headerNames === undefined ? [] : [words.connect.importHeaders(headerNames)]),
    ...notes.map((note) => words.connect.importNotes[note]),
  ].filter((remark) => remark !== '');
  const open = (): void => {
    if (outcome && 'turn' in outcome) show({ name: 'connect', connectionId: outcome.id });
    else if (outcome) showIntegration(outcome.id);
  };
  return (
    <li className="import-row">
      <div>
        <p className="import-name">{name}</p>
        {url !== undefined && <p className="import-address small soft">{url}</p>}
        {remote && !outcome && <p className="small">{words.local.hasRemote(remote)}</p>}
        {command !== undefined && !outcome && (
          <p className="small soft import-address">{words.local.startsHere(command)}</p>
        )}
        {remarks.length > 0 && <p className="small soft">{remarks.join(' · ')}</p>}
        {outcome && !failed && (
          <p className="small">
            {'turn' in outcome ? describeProgress(outcome) : words.connect.importConnected(outcome.name)}
          </p>
        )}
        {failed && <EntryError error={failed} />}
        {begin.error && <ErrorNotice error={begin.error} />}
        {notConnected && !outcome && !begin.error && <EntryError error={notConnected} />}
        {listed.error && <ErrorNotice error={listed.error} />}
      </div>
      {outcome && (
        <Button onClick={open} aria-label={`${words.connect.importOpen}: ${name}`}>
          {words.connect.importOpen}
        </Button>
      )}
      {remote && !outcome && (
        <Button
          busy={begin.busy}
          onClick={() => void begin.run(() => postern.connection.discover({ url: remote.address, options: {} }))}
        >
          {words.local.connectRemote(remote.name)}
        </Button>
      )}
      {command !== undefined && !outcome && (
        <Button
          kind={remote ? 'quiet' : 'plain'}
          busy={listed.busy}
          onClick={() => void listed.open()}
          aria-label={`${words.local.reviewCommand}: ${name}`}
        >
          {words.local.reviewCommand}
        </Button>
      )}
      {url !== undefined && !outcome && (
        <Button
          busy={begin.busy}
          onClick={() =>
            void begin.run(() => postern.connection.discover({ url, options: optionsFor(entry), importEntry: id }))
          }
          aria-label={`${words.connect.importConnect}: ${name}`}
        >
          {words.connect.importConnect}
        </Button>
      )}
    </li>
  );
}

/** In a row: what went wrong, and the next step. */
function EntryError({ error }: { readonly error: PlainError }) {
  return (
    <p className="small">
      {words.errors.message(error)} <span className="soft">{words.errors.nextStep(error.remedy)}</span>
    </p>
  );
}

type ImportedList = IpcOutput<'import:read'>;
type ImportEntry = ImportedList['entries'][number];

/** The last pasted or dropped list, until dismissed. Connections opened from it link back to it. */
export const useImported = create<ImportedList>()(() => ({ entries: [] }));

/** Replaces the previous list and cancels its failed checks, which only its rows led to; not the `current` one. */
export function setImported(list: ImportedList, current?: ConnectionView): void {
  resetConnectAll();
  const before = useImported.getState().entries;
  for (const connection of useSnapshots.getState().connections ?? []) {
    const isFromPrevious = before.some(({ id }) => id === connection.importEntry);
    if (isFromPrevious && isCheck(connection) && connection.id !== current?.id)
      void postern.connection.cancel({ id: connection.id });
  }
  useImported.setState(list, true);
}

/** Marks an entry, and all entries for the same server, as connected. */
export function markConnected(entry: string, integration: string): void {
  useImported.setState(({ entries }) => {
    const connected = entries.find(({ id }) => id === entry);
    const isSameServer = ({ id, sameAs }: ImportEntry): boolean => (sameAs ?? id) === (connected?.sameAs ?? entry);
    return { entries: entries.map((each) => (isSameServer(each) ? { ...each, connectedAs: integration } : each)) };
  });
}

// Main forgets finished connections; the list stays until dismissed, so record them here.
useSnapshots.subscribe(({ connections = [] }, before) => {
  if (connections === before.connections) return;
  for (const { importEntry, state } of connections) {
    const entry = useImported.getState().entries.find(({ id }) => id === importEntry);
    if (entry && state.name === 'integrated' && entry.connectedAs !== state.integrationId)
      markConnected(entry.id, state.integrationId);
  }
});

/** State of `ConnectAll` for the current list. */
interface ConnectAllState {
  /** Entry IDs; empty before the first click. */
  readonly entries: readonly string[];
  readonly done: number;
  /** The user confirmed that the servers at loopback addresses run on this computer. */
  readonly allowsLocal: boolean;
  /** Why an entry could not be connected, by entry ID. */
  readonly failed: Readonly<Record<string, PlainError>>;
  /** Why the whole run stopped early. */
  readonly error?: PlainError | undefined;
  /** Absent if the run finished or was cancelled. */
  readonly call?: string | undefined;
}

const nothing: ConnectAllState = { entries: [], done: 0, allowsLocal: false, failed: {} };

const useConnectAll = create<ConnectAllState>()(() => nothing);

/**
 * What an entry led to: its integration, or else the check or sign-in started from it. An entry without keys also
 * matches an integration at the same address that uses no key.
 */
function outcomeOf(
  { integrations, connections }: Partial<Snapshots>,
  { id, url, hasKeys, connectedAs }: ImportEntry,
): IntegrationView | ConnectionView | undefined {
  const address = hasKeys ? undefined : URL.parse(url ?? '')?.href;
  const isAtAddress = ({ url: used, options }: IntegrationView): boolean =>
    URL.parse(used)?.href === address && !options.furtherHeaders?.some(isAddressPart);
  const isConnected = (integration: IntegrationView): boolean =>
    integration.id === connectedAs || (address !== undefined && isAtAddress(integration));
  const startedFromEntry = ({ importEntry, state }: ConnectionView): boolean =>
    importEntry === id || (state.name === 'integrated' && state.integrationId === connectedAs);
  return integrations?.find(isConnected) ?? connections?.findLast(startedFromEntry);
}

const isOnThisComputer = ({ url }: ImportEntry): boolean => isLoopbackHost(URL.parse(url ?? '')?.host ?? '');

/** Local access only as far as the user confirmed it for the list. */
const optionsFor = (entry: ImportEntry): { readonly local?: true } =>
  isOnThisComputer(entry) && useConnectAll.getState().allowsLocal ? { local: true } : {};

function canConnect(snapshots: Partial<Snapshots>, entry: ImportEntry): boolean {
  return isUntouched(snapshots, entry) && (!isOnThisComputer(entry) || useConnectAll.getState().allowsLocal);
}

/** Has an address, lacks nothing only the user knows, and was not started yet. */
function isUntouched(snapshots: Partial<Snapshots>, entry: ImportEntry): boolean {
  return entry.url !== undefined && !needsUserInput(entry.notes) && !outcomeOf(snapshots, entry);
}

/** Connects entries that need neither a sign-in nor a decision, and reports progress. */
async function connectAll(entries: readonly ImportEntry[]): Promise<void> {
  const call = crypto.randomUUID();
  const ids = entries.map(({ id }) => id);
  const isCurrent = (): boolean => useConnectAll.getState().call === call;
  const { allowsLocal } = useConnectAll.getState();
  useConnectAll.setState({ call, entries: ids, done: 0, failed: {}, error: undefined });
  const unsubscribe = postern.onEvent((event) => {
    if (event.event === 'progress' && event.call === call && isCurrent())
      useConnectAll.setState({ done: event.progress });
  });
  const result = await postern.import.connectAll({ call, entries: ids, local: allowsLocal });
  unsubscribe();
  if (!isCurrent()) return;
  const finished = result.ok ? result.value.entries : [];
  for (const { id, connectedAs } of finished) if (connectedAs !== undefined) markConnected(id, connectedAs);
  useConnectAll.setState({
    call: undefined,
    failed: Object.fromEntries(finished.flatMap(({ id, error }) => (error ? [[id, error]] : []))),
    error: result.ok ? undefined : result.error,
  });
}

/** Main finishes what it has started, then returns the results. */
function stop(): void {
  const { call } = useConnectAll.getState();
  if (call !== undefined) void postern.import.stop({ call });
}

/** Another list, or none, is shown. */
function resetConnectAll(): void {
  stop();
  useConnectAll.setState(nothing, true);
}
