import { useEffect, useRef } from 'react';
import type { IpcOutput } from '../../shared/ipc-contract.ts';
import type { ProgramEntry, ProgramView } from '../../shared/program-view.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { UnreadEntries } from '../connect/import-list.tsx';
import { useListedCommand } from '../connect/use-local-draft.ts';
import { Button } from '../parts/button.tsx';
import { postern } from '../postern.ts';
import { useCall } from '../use-call.ts';
import { show } from '../view.ts';
import { words } from '../words.ts';

interface OtherEntriesProps {
  readonly program: ProgramView;
  readonly onTakeOver: (entry: ProgramEntry) => void;
}

/** What else stands in a program's file, once a person wants to know. */
export function OtherEntries({ program: { id, lastChange }, onTakeOver }: OtherEntriesProps) {
  const look = useCall<IpcOutput<'program:look'>>();
  const hasLooked = useRef(false);
  const ask = (): void => {
    hasLooked.current = true;
    void look.run(() => postern.program.look({ program: id }));
  };
  useEffect(() => {
    // An entry may have come, or gone.
    if (hasLooked.current) ask();
  }, [lastChange?.id]);
  const { entries, unread = [] } = look.value ?? {};
  return (
    <section className="section" aria-labelledby="program-others">
      <h2 id="program-others">{words.programs.others}</h2>
      {!entries && <p className="soft">{words.programs.othersText}</p>}
      {look.error && <ErrorNotice error={look.error} actions={{ retry: ask, dismiss: look.clear }} />}
      {entries?.length === 0 && unread.length === 0 && <p role="status">{words.programs.noOthers}</p>}
      {entries && entries.length > 0 && (
        <ul className="program-list">
          {entries.map((entry) => (
            <OtherEntry key={entry.id} entry={entry} onTakeOver={() => onTakeOver(entry)} />
          ))}
        </ul>
      )}
      <UnreadEntries entries={unread} />
      {!entries && (
        <div>
          <Button busy={look.busy} onClick={ask}>
            {words.programs.lookInside}
          </Button>
        </div>
      )}
    </section>
  );
}

function OtherEntry({ entry, onTakeOver }: { readonly entry: ProgramEntry; readonly onTakeOver: () => void }) {
  const { id, name, project, kind, url, command, secrets, notes, connectedAs, headerNames, lacksCredential } = entry;
  const begin = useCall<IpcOutput<'connection:discover'>>();
  const listed = useListedCommand(id);
  const remarks = [
    project !== undefined && words.programs.ofProject(project),
    secrets.length > 0 && words.programs.withSecrets(secrets),
    ...notes.map((note) => words.connect.importNotes[note]),
    kind === 'local' && words.programs.isCommand,
    connectedAs !== undefined && words.programs.isConnected,
    connectedAs !== undefined &&
      headerNames !== undefined &&
      words.programs.keyOfConnected[lacksCredential ? 'kept' : 'existing'],
  ].filter(Boolean);
  const connect = async (): Promise<void> => {
    const options = {};
    const found = await begin.run(() => postern.connection.discover({ url: url ?? '', options, importEntry: id }));
    if (found) show({ name: 'connect', connectionId: found.id });
  };
  return (
    <li className="program-entry">
      <div>
        <p className="program-name">{name}</p>
        <p className={`${url === undefined ? 'mono' : 'address'} soft small`}>{url ?? command}</p>
        {remarks.length > 0 && <p className="soft small">{remarks.join(' · ')}</p>}
        {begin.error && <ErrorNotice error={begin.error} />}
        {listed.error && <ErrorNotice error={listed.error} />}
      </div>
      {kind === 'remote' && connectedAs === undefined && (
        <Button aria-label={`${words.programs.import}: ${name}`} busy={begin.busy} onClick={() => void connect()}>
          {words.programs.import}
        </Button>
      )}
      {kind === 'local' && connectedAs === undefined && !notes.includes('command-unusable') && (
        <Button aria-label={`${words.local.lookAt}: ${name}`} busy={listed.busy} onClick={() => void listed.open()}>
          {words.local.lookAt}
        </Button>
      )}
      {connectedAs !== undefined && project === undefined && (
        <Button aria-label={`${words.programs.takeOver} ${name}`} onClick={onTakeOver}>
          {words.programs.takeOver}
        </Button>
      )}
    </li>
  );
}
