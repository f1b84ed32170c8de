import { ArrowLeft, Pause, Play } from 'lucide-react';
import type { ProgramView } from '../../shared/program-view.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { useNow } from '../moments.ts';
import { Button } from '../parts/button.tsx';
import { IconButton } from '../parts/icon-button.tsx';
import { Notice } from '../parts/notice.tsx';
import { ServiceIcon } from '../parts/service-icon.tsx';
import { usePause } from '../use-pause.ts';
import { show } from '../view.ts';
import { words } from '../words.ts';
import { describeProgram } from './describe-program.ts';
import { useCounts } from '../used-servers.ts';

/** The program, how it stands with it, and the button that pauses it; below, that it is paused or may do nothing. */
export function ProgramHead({ program }: { readonly program: ProgramView }) {
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

export function BackToPrograms() {
  return <IconButton icon={ArrowLeft} label={words.programs.title} onClick={() => show({ name: 'programs' })} />;
}
