import { Pause, Play } from 'lucide-react';
import type { ProgramView } from '../../shared/program-view.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { Button } from '../parts/button.tsx';
import { Notice } from '../parts/notice.tsx';
import { usePause } from '../use-pause.ts';
import { words } from '../words.ts';

/** That a program is paused, with the button that lets it go on; else the button that pauses it. */
export function PausePart({ program }: { readonly program: ProgramView }) {
  const { name, isPaused } = program;
  const { pause, pauseText, isPausedTitle, isPausedText, resume } = words.programs.pausing;
  const pausing = usePause(program);
  const button = (
    <Button icon={isPaused ? Play : Pause} busy={pausing.busy} onClick={pausing.turn}>
      {isPaused ? resume : pause}
    </Button>
  );
  return (
    <>
      {isPaused ? (
        <Notice tone="ask" title={isPausedTitle(name)} actions={button}>
          <p>{isPausedText}</p>
        </Notice>
      ) : (
        <div className="row">
          <span className="soft">{pauseText(name)}</span>
          {button}
        </div>
      )}
      {pausing.error && <ErrorNotice error={pausing.error} actions={{ retry: pausing.turn, dismiss: pausing.clear }} />}
    </>
  );
}
