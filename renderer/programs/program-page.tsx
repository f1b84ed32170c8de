import { useState } from 'react';
import type { ProgramOutcomes, ProgramPreviews, ProgramView } from '../../shared/program-view.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { Button } from '../parts/button.tsx';
import { locale } from '../locale.ts';
import { postern } from '../postern.ts';
import { useSnapshots } from '../store.ts';
import { useCall } from '../use-call.ts';
import { flash } from '../view.ts';
import { words } from '../words.ts';
import type { ChooseProfile } from './change-part.tsx';
import { OtherEntries } from './other-entries.tsx';
import { describeNotice } from './describe-program.ts';
import { PreviewDialog } from './preview-dialog.tsx';
import { ProgramAccess } from './program-access.tsx';
import { BackToPrograms, ProgramHead } from './program-head.tsx';
import { ProgramServers } from './program-servers.tsx';
import type { Used } from '../used-servers.ts';
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
