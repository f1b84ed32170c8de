import { ArrowLeft, Pause, Play } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { IpcOutput } from '../../shared/ipc-contract.ts';
import type { ProgramEntry, ProgramOutcomes, ProgramPreviews, ProgramView } from '../../shared/program-view.ts';
import { UnreadEntries } from '../connect/import-list.tsx';
import { useListedCommand } from '../connect/use-local-draft.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { Button, IconButton } from '../parts/button.tsx';
import { Notice } from '../parts/notice.tsx';
import { ServiceIcon } from '../parts/service-icon.tsx';
import { postern, useCall, usePause } from '../postern.ts';
import { useCounts, useSnapshots } from '../store.ts';
import type { Used } from '../store.ts';
import { flash, show } from '../view.ts';
import type { Said } from '../view.ts';
import { locale, useNow, words } from '../words.ts';
import { describeNotice, describeProgram, PreviewDialog } from './preview-dialog.tsx';
import type { ChooseProfile } from './preview-dialog.tsx';
import { ProgramServers } from './program-servers.tsx';
import './programs.css';

export function ProgramPage({ id }: { readonly id: string }) {
  const program = useSnapshots((state) => state.programs?.find((each) => each.id === id));
  return (
    <div className="page">
      {program ? (
        <ProgramHead program={program} />
      ) : (
        <header className="page-head">
          <BackToPrograms />
          <h1>{words.programs.title}</h1>
        </header>
      )}
      {program ? <Found program={program} /> : <p>{words.programs.gone}</p>}
    </div>
  );
}

interface Question {
  readonly title: () => string;
  readonly shown: ProgramPreviews;
  /** The same in another profile of an editor. */
  readonly onProfile?: ChooseProfile | undefined;
}

function Found({ program }: { readonly program: ProgramView }) {
  const { id, name, path, fault, lastChange } = program;
  const [question, setQuestion] = useState<Question>();
  /** Of several files, those that were left alone. */
  const [leftAlone, setLeftAlone] = useState<ProgramOutcomes['refused']>([]);
  const preview = useCall<ProgramPreviews>();
  const ask = async (
    title: () => string,
    make: Parameters<typeof preview.run>[0],
    onProfile?: ChooseProfile,
  ): Promise<void> => {
    const shown = await preview.run(make);
    setQuestion(shown && { title, shown, onProfile });
  };
  const askForUse = async (server: Used, use: boolean, editorProfile?: string): Promise<void> => {
    const change = { program: id, integrations: [server.id], use };
    const changes = [{ ...change, ...(editorProfile !== undefined && { editorProfile }) }];
    await ask(
      () => words.programs.previewOf([name], use, server.name),
      () => postern.program.preview({ changes }),
      (_program, profile) => void askForUse(server, use, profile),
    );
  };
  return (
    <>
      {preview.error && <ErrorNotice error={preview.error} actions={{ dismiss: preview.clear }} />}
      {leftAlone.map(({ error }, index) => (
        <ErrorNotice key={index} error={error} actions={{ dismiss: () => setLeftAlone([]) }} />
      ))}
      <section className="section" aria-labelledby="program-servers">
        <h2 id="program-servers">{words.programs.servers}</h2>
        <ProgramServers program={program} onUse={(server, use) => void askForUse(server, use)} />
      </section>
      <section className="section" aria-labelledby="program-file">
        <h2 id="program-file">{words.programs.file}</h2>
        {path === '' ? (
          <p className="soft">{words.programs.other.place}</p>
        ) : (
          <p className="program-path mono">{path}</p>
        )}
        {fault && <ErrorNotice error={fault} tone="ask" actions={{ retry: () => void postern.program.find() }} />}
        {lastChange && (
          <div className="row">
            <span className="soft">
              {words.programs.change}: {words.programs.changed(lastChange.names, describeTime(lastChange.at))}
            </span>
            <Button
              kind="quiet"
              onClick={() =>
                void ask(
                  () => words.programs.previewUndo(name),
                  () => postern.program.previewUndo({ changes: [{ program: id, change: lastChange.id }] }),
                )
              }
            >
              {words.programs.undo}
            </Button>
          </div>
        )}
      </section>
      {path !== '' && (
        <OtherEntries
          program={program}
          onTakeOver={(entry) =>
            void ask(
              () => words.programs.previewTakeOver(entry.name, name),
              () => postern.program.previewTakeOver({ entry: entry.id }),
            )
          }
        />
      )}
      <ProgramAccess program={program} />
      {question && (
        <PreviewDialog
          title={question.title()}
          shown={question.shown}
          {...(question.onProfile && { onProfile: question.onProfile })}
          onClose={() => setQuestion(undefined)}
          onDone={({ made, refused }) => {
            setQuestion(undefined);
            setLeftAlone(refused);
            const written = made.find(({ change }) => change !== undefined);
            if (written) flash(() => [words.programs.done([name]), describeNotice(written)]);
          }}
        />
      )}
    </>
  );
}

function describeTime(at: number): string {
  return new Date(at).toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'short' });
}

/** The program, how it stands with it, and the button that pauses it; below, that it is paused or may do nothing. */
function ProgramHead({ program }: { readonly program: ProgramView }) {
  const { name, isPaused, isRevoked, uses } = program;
  const { pause, pauseText, isPausedTitle, isPausedText, resume } = words.programs.pausing;
  const countsOf = useCounts();
  const now = useNow(60_000);
  const pausing = usePause(program);
  return (
    <>
      <header className="page-head">
        <BackToPrograms />
        <ServiceIcon name={name} size="large" />
        <div className="page-titles">
          <h1 title={name}>{name}</h1>
          <p className="soft small" role="status">
            {describeProgram(program, countsOf(program), now)}
          </p>
        </div>
        {!isPaused && uses.length > 0 && (
          <Button icon={Pause} title={pauseText(name)} busy={pausing.busy} onClick={pausing.turn}>
            {pause}
          </Button>
        )}
      </header>
      {isRevoked && <p className="soft">{words.programs.revokedText(name)}</p>}
      {isPaused && (
        <Notice
          tone="ask"
          title={isPausedTitle(name)}
          actions={
            <Button icon={Play} busy={pausing.busy} onClick={pausing.turn}>
              {resume}
            </Button>
          }
        >
          <p>{isPausedText}</p>
        </Notice>
      )}
      {pausing.error && <ErrorNotice error={pausing.error} actions={{ retry: pausing.turn, dismiss: pausing.clear }} />}
    </>
  );
}

function BackToPrograms() {
  return <IconButton icon={ArrowLeft} label={words.programs.title} onClick={() => show({ name: 'programs' })} />;
}

/** Takes everything away from a program, of which main asks first, and then its entries. */
function ProgramAccess({ program: { id, name, path, uses, waiting, isRevoked } }: { readonly program: ProgramView }) {
  const isOther = path === '';
  const hasNone = uses.length === 0 && waiting === undefined;
  const revoking = useCall<IpcOutput<'program:revoke'>>();
  const looking = useCall<ProgramPreviews>();
  const [shown, setShown] = useState<ProgramPreviews>();
  const look = async (said?: Said): Promise<void> => {
    const found = await looking.run(() => postern.program.previewLeaving({ program: id }));
    if (found && (found.previews.length > 0 || found.refused.length > 0)) setShown(found);
    else if (found) flash(() => [...(said?.() ?? []), words.programs.noEntries(name)]);
  };
  const revoke = async (): Promise<void> => {
    if (!(await revoking.run(() => postern.program.revoke({ program: id })))) return;
    if (isOther) {
      show({ name: 'programs' });
      return flash(() => [words.programs.other.revoked(name)]);
    }
    const said: Said = () => [words.programs.revokeDone(name)];
    flash(said);
    await look(said);
  };
  const done = ({ made }: ProgramOutcomes): void => {
    setShown(undefined);
    const [first] = made;
    if (first) flash(() => [words.programs.done([name]), describeNotice(first)]);
  };
  if (hasNone && !isRevoked && !isOther) return null;
  const isOver = hasNone && !isOther;
  const begin = isOver ? look : revoke;
  const error = revoking.error ?? looking.error;
  return (
    <section className="section" aria-labelledby="program-access">
      <h2 id="program-access">{words.programs.access}</h2>
      <p className="soft">
        {isOther
          ? words.programs.other.accessText(name)
          : isOver
            ? words.programs.entriesStay(name)
            : words.programs.accessText(name)}
      </p>
      {error && <ErrorNotice error={error} actions={{ retry: () => void begin() }} />}
      <div>
        <Button kind={isOver ? 'plain' : 'danger'} busy={revoking.busy || looking.busy} onClick={() => void begin()}>
          {isOver ? words.programs.takeEntriesOut : words.programs.revoke}
        </Button>
      </div>
      {shown && (
        <PreviewDialog
          title={words.programs.previewEntries(name)}
          shown={shown}
          onClose={() => setShown(undefined)}
          onDone={done}
        />
      )}
    </section>
  );
}

interface OtherEntriesProps {
  readonly program: ProgramView;
  readonly onTakeOver: (entry: ProgramEntry) => void;
}

/** What else stands in a program's file, once a person wants to know. */
function OtherEntries({ program: { id, lastChange }, onTakeOver }: OtherEntriesProps) {
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
  const { entries, unread = [], keptOut = [] } = look.value ?? {};
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
      {keptOut.map((each) => (
        <Notice key={each.name} tone="ask" title={words.programs.entryKeptOut(each.name, each.setting)} />
      ))}
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
      {kind === 'local' &&
        connectedAs === undefined &&
        !notes.includes('command-unusable') &&
        !notes.includes('command-empty') && (
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
