import { create } from 'zustand';
import type { ConnectionView } from '../../shared/connection-view.ts';
import type { IntegrationView } from '../../shared/integration-view.ts';
import type { IpcOutput } from '../../shared/ipc-contract.ts';
import type { UnreadEntry } from '../../shared/list-calls.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { Button } from '../parts/button.tsx';
import { postern } from '../postern.ts';
import { isCheck, useSnapshots } from '../store.ts';
import { useCall } from '../use-call.ts';
import { show, showIntegration } from '../view.ts';
import { words } from '../words.ts';
import { useListedCommand } from './use-local-draft.ts';

/** What a pasted `mcp.json` holds. Each server becomes a connection of its own; a command only after a yes of its own. */
export function ImportList({ entries, more = 0, unread = [] }: ImportedList) {
  return (
    <section className="section" aria-labelledby="import-title">
      <h2 id="import-title">{words.connect.importTitle(entries.length + more)}</h2>
      <p className="soft">{words.connect.importText}</p>
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
  const fate = useFate(entry);
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
        {fate && (
          <p className="small">
            {'turn' in fate ? words.connect.importFate(fate) : words.connect.importConnected(fate.name)}
          </p>
        )}
        {begin.error && <ErrorNotice error={begin.error} />}
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
          onClick={() => void begin.run(() => postern.connection.discover({ url, options: {}, importEntry: id }))}
          aria-label={`${words.connect.importConnect}: ${name}`}
        >
          {words.connect.importConnect}
        </Button>
      )}
    </li>
  );
}

type ImportedList = IpcOutput<'import:read'>;
type ImportEntry = ImportedList['entries'][number];

/** The list that was pasted or dropped last, until it is dismissed: what is opened from it leads back to it. */
export const useImported = create<ImportedList>()(() => ({ entries: [] }));

/** Takes the place of the list before. Its checks that found nothing go with it, since only their rows led to them. */
export function keepImported(list: ImportedList): void {
  const before = useImported.getState().entries;
  for (const connection of useSnapshots.getState().connections ?? []) {
    const isOfBefore = before.some(({ id }) => id === connection.importEntry);
    if (isOfBefore && isCheck(connection)) void postern.connection.cancel({ id: connection.id });
  }
  useImported.setState(list, true);
}

/** The command of an entry was connected. */
export function noteConnected(entry: string, integration: string): void {
  useImported.setState(({ entries }) => ({
    entries: entries.map((each) => (each.id === entry ? { ...each, connectedAs: integration } : each)),
  }));
}

/** What became of an entry: what it is connected as, or else the check or sign-in that was begun with it. */
function useFate({ id, url, connectedAs }: ImportEntry): IntegrationView | ConnectionView | undefined {
  return useSnapshots(({ integrations, connections }) => {
    const address = URL.parse(url ?? '')?.href;
    const isIt = (integration: IntegrationView): boolean =>
      integration.id === connectedAs || URL.parse(integration.url)?.href === address;
    const known = integrations?.find(isIt);
    return known ?? connections?.findLast(({ importEntry }) => importEntry === id);
  });
}
