import type { UnreadEntry } from '../../shared/import-note.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { Button } from '../parts/button.tsx';
import { postern } from '../postern.ts';
import { useCall } from '../use-call.ts';
import { show, showIntegration } from '../view.ts';
import { words } from '../words.ts';
import { keepImported, useFate } from './imported-list.ts';
import type { ImportedList, ImportEntry } from './imported-list.ts';
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
