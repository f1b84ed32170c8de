import { useEffect, useRef } from 'react';
import { create } from 'zustand';
import type { ConnectionView } from '../../shared/connection-view.ts';
import type { PlainError } from '../../shared/error-codes.ts';
import { isAddressPart } from '../../shared/header-name.ts';
import type { IntegrationView } from '../../shared/integration-view.ts';
import type { IpcOutput } from '../../shared/ipc-contract.ts';
import type { Snapshots } from '../../shared/ipc-event.ts';
import type { UnreadEntry } from '../../shared/list-calls.ts';
import { isToFillIn } from '../../shared/pasted/read-pasted.ts';
import { isLoopbackHost } from '../../shared/web-address.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { describeProgress } from '../integrations/server-icon.tsx';
import { Button } from '../parts/button.tsx';
import { CheckBox } from '../parts/check-box.tsx';
import { postern, useCall } from '../postern.ts';
import { isCheck, useSnapshots } from '../store.ts';
import { show, showIntegration } from '../view.ts';
import { words } from '../words.ts';
import { useListedCommand } from './use-local-draft.ts';

/** What a pasted `mcp.json` holds. Each server becomes a connection of its own; a command only after a yes of its own. */
export function ImportList({ entries, more = 0, unread = [] }: ImportedList) {
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
      <UnreadEntries entries={unread} />
      <div>
        <Button kind="quiet" className="at-edge" onClick={() => keepImported({ entries: [] })}>
          {words.common.dismiss}
        </Button>
      </div>
    </section>
  );
}

/** One question for all servers of the list at loopback addresses; until it is answered, `ConnectAll` leaves them out. */
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

/** One button for all that can be connected, which cancels while it works; how far it is, and what came of it. */
function ConnectAll({ entries }: { readonly entries: readonly ImportEntry[] }) {
  const { entries: own, done, failed, error, call } = useConnectAll();
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
  if (own.length === 0 && !hasButton) return null;
  const fates = entries
    .filter(({ id }) => own.includes(id))
    .map((entry) => fateTurn(fateOf(snapshots, entry)) ?? (failed[entry.id] ? 'stopped' : 'none'));
  const count = (turn: string): number => fates.filter((each) => each === turn).length;
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
      {isRunning && <progress max={own.length} value={done} aria-label={words.connect.importAllProgress} />}
      <p className="small" role="status" tabIndex={-1} ref={summary}>
        {isRunning && words.connect.importAllDone(done, own.length)}
        {!isRunning &&
          own.length > 0 &&
          words.connect.importAllCameTo({
            connected: count('over'),
            waiting: count('person'),
            failed: count('stopped'),
            left: count('none'),
          })}
      </p>
      {error && <ErrorNotice error={error} />}
    </div>
  );
}

function fateTurn(fate: ReturnType<typeof fateOf>): string | undefined {
  return fate && ('turn' in fate ? fate.turn : 'over');
}

/** Those that nothing can be done with here, and why. */
export function UnreadEntries({ entries }: { readonly entries: readonly UnreadEntry[] }) {
  if (entries.length === 0) return null;
  return (
    <ul className="import-list">
      {entries.map(({ name, member }) => (
        <li key={`${name} ${member}`} className="import-row">
          <p>{words.connect.importUnread(name, member)}</p>
        </li>
      ))}
    </ul>
  );
}

function ImportRow({ entry }: { readonly entry: ImportEntry }) {
  const { id, name, url, headerNames, notes, command, remote } = entry;
  const listed = useListedCommand(id);
  const fate = useSnapshots((snapshots) => fateOf(snapshots, entry));
  const notConnected = useConnectAll(({ failed: { [id]: error } }) => error);
  const failed = fate && 'turn' in fate && fate.state.name === 'failed' ? fate.state.error : undefined;
  const begin = useCall<{ id: string }>();
  const remarks = [
    ...(headerNames === undefined ? [] : [words.connect.importHeaders(headerNames)]),
    ...notes.map((note) => words.connect.importNotes[note]),
  ].filter((remark) => remark !== '');
  const open = (): void => {
    if (fate && 'turn' in fate) show({ name: 'connect', connectionId: fate.id });
    else if (fate) showIntegration(fate.id);
  };
  return (
    <li className="import-row">
      <div>
        <p className="import-name">{name}</p>
        {url !== undefined && <p className="import-address small soft">{url}</p>}
        {remote && !fate && <p className="small">{words.local.hasRemote(remote)}</p>}
        {command !== undefined && !fate && (
          <p className="small soft import-address">{words.local.startsHere(command)}</p>
        )}
        {remarks.length > 0 && <p className="small soft">{remarks.join(' · ')}</p>}
        {fate && !failed && (
          <p className="small">{'turn' in fate ? describeProgress(fate) : words.connect.importConnected(fate.name)}</p>
        )}
        {failed && <WhyNot error={failed} />}
        {begin.error && <ErrorNotice error={begin.error} />}
        {notConnected && !fate && !begin.error && <WhyNot error={notConnected} />}
        {listed.error && <ErrorNotice error={listed.error} />}
      </div>
      {fate && (
        <Button onClick={open} aria-label={`${words.connect.importOpen}: ${name}`}>
          {words.connect.importOpen}
        </Button>
      )}
      {remote && !fate && (
        <Button
          busy={begin.busy}
          onClick={() => void begin.run(() => postern.connection.discover({ url: remote.address, options: {} }))}
        >
          {words.local.connectRemote(remote.name)}
        </Button>
      )}
      {command !== undefined && !fate && (
        <Button
          kind={remote ? 'quiet' : 'plain'}
          busy={listed.busy}
          onClick={() => void listed.open()}
          aria-label={`${words.local.lookAt}: ${name}`}
        >
          {words.local.lookAt}
        </Button>
      )}
      {url !== undefined && !fate && (
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
function WhyNot({ error }: { readonly error: PlainError }) {
  return (
    <p className="small">
      {words.errors.message(error)} <span className="soft">{words.errors.nextStep(error.remedy)}</span>
    </p>
  );
}

type ImportedList = IpcOutput<'import:read'>;
type ImportEntry = ImportedList['entries'][number];

/** The list that was pasted or dropped last, until it is dismissed: what is opened from it leads back to it. */
export const useImported = create<ImportedList>()(() => ({ entries: [] }));

/** Takes the place of the list before. Its checks that found nothing go with it, since only their rows led to them. */
export function keepImported(list: ImportedList): void {
  forgetConnectAll();
  const before = useImported.getState().entries;
  for (const connection of useSnapshots.getState().connections ?? []) {
    const isOfBefore = before.some(({ id }) => id === connection.importEntry);
    if (isOfBefore && isCheck(connection)) void postern.connection.cancel({ id: connection.id });
  }
  useImported.setState(list, true);
}

/** An entry was connected, and with it those that are the same server. */
export function noteConnected(entry: string, integration: string): void {
  useImported.setState(({ entries }) => {
    const connected = entries.find(({ id }) => id === entry);
    const isIt = ({ id, sameAs }: ImportEntry): boolean => (sameAs ?? id) === (connected?.sameAs ?? entry);
    return { entries: entries.map((each) => (isIt(each) ? { ...each, connectedAs: integration } : each)) };
  });
}

// Main forgets connections that are over; the list is there until it is dismissed.
useSnapshots.subscribe(({ connections = [] }, before) => {
  if (connections === before.connections) return;
  for (const { importEntry, state } of connections) {
    const entry = useImported.getState().entries.find(({ id }) => id === importEntry);
    if (entry && state.name === 'integrated' && entry.connectedAs !== state.integrationId)
      noteConnected(entry.id, state.integrationId);
  }
});

/** `ConnectAll` of the list that is shown. */
interface ConnectAllState {
  /** Ids of its entries; none before the first press. */
  readonly entries: readonly string[];
  readonly done: number;
  /** The user said that the servers at loopback addresses run on this computer. */
  readonly allowsLocal: boolean;
  /** Why an entry could not be connected, by its id. */
  readonly failed: Readonly<Record<string, PlainError>>;
  /** Why it ended before its time. */
  readonly error?: PlainError | undefined;
  /** Absent: it is over, or was cancelled. */
  readonly call?: string | undefined;
}

const nothing: ConnectAllState = { entries: [], done: 0, allowsLocal: false, failed: {} };

const useConnectAll = create<ConnectAllState>()(() => nothing);

/**
 * What became of an entry: what it is connected as, or else the check or sign-in that was begun with it. One without
 * keys is whatever is used at its address without a key there.
 */
function fateOf(
  { integrations, connections }: Partial<Snapshots>,
  { id, url, hasKeys, connectedAs }: ImportEntry,
): IntegrationView | ConnectionView | undefined {
  const address = hasKeys ? undefined : URL.parse(url ?? '')?.href;
  const isThere = ({ url: used, options }: IntegrationView): boolean =>
    URL.parse(used)?.href === address && !options.furtherHeaders?.some(isAddressPart);
  const isIt = (integration: IntegrationView): boolean =>
    integration.id === connectedAs || (address !== undefined && isThere(integration));
  const isOfIt = ({ importEntry, state }: ConnectionView): boolean =>
    importEntry === id || (state.name === 'integrated' && state.integrationId === connectedAs);
  return integrations?.find(isIt) ?? connections?.findLast(isOfIt);
}

const isOnThisComputer = ({ url }: ImportEntry): boolean => isLoopbackHost(URL.parse(url ?? '')?.host ?? '');

/** As far as the list has been answered for. */
const optionsFor = (entry: ImportEntry): { readonly local?: true } =>
  isOnThisComputer(entry) && useConnectAll.getState().allowsLocal ? { local: true } : {};

function canConnect(snapshots: Partial<Snapshots>, entry: ImportEntry): boolean {
  return isUntouched(snapshots, entry) && (!isOnThisComputer(entry) || useConnectAll.getState().allowsLocal);
}

/** Whether it has an address, nothing is missing that only the user has, and nothing was done with it yet. */
function isUntouched(snapshots: Partial<Snapshots>, entry: ImportEntry): boolean {
  return entry.url !== undefined && !isToFillIn(entry.notes) && !fateOf(snapshots, entry);
}

/** Connects those that need neither a sign-in nor a decision; each is shown as far as it is. */
async function connectAll(entries: readonly ImportEntry[]): Promise<void> {
  const call = crypto.randomUUID();
  const ids = entries.map(({ id }) => id);
  const isOurs = (): boolean => useConnectAll.getState().call === call;
  const { allowsLocal } = useConnectAll.getState();
  useConnectAll.setState({ call, entries: ids, done: 0, failed: {}, error: undefined });
  const unfollow = postern.onEvent((event) => {
    if (event.event === 'progress' && event.call === call && isOurs()) useConnectAll.setState({ done: event.progress });
  });
  const result = await postern.import.connectAll({ call, entries: ids, local: allowsLocal });
  unfollow();
  if (!isOurs()) return;
  const over = result.ok ? result.value.entries : [];
  for (const { id, connectedAs } of over) if (connectedAs !== undefined) noteConnected(id, connectedAs);
  useConnectAll.setState({
    call: undefined,
    failed: Object.fromEntries(over.flatMap(({ id, error }) => (error ? [[id, error]] : []))),
    error: result.ok ? undefined : result.error,
  });
}

/** Main ends what has begun, and then answers with the rest. */
function stop(): void {
  const { call } = useConnectAll.getState();
  if (call !== undefined) void postern.import.stop({ call });
}

/** Another list, or none, is shown. */
function forgetConnectAll(): void {
  stop();
  useConnectAll.setState(nothing, true);
}
