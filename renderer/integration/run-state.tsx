import { Square } from 'lucide-react';
import { formatCountdown, formatDuration, useNow } from '../moments.ts';
import { Button } from '../parts/button.tsx';
import { words } from '../words.ts';
import { stopTrial } from './trials.ts';
import type { CallProgress, TrialState } from './trials.ts';
import './run-bar.css';

/** Beside the button: how long it has taken, how far it is, and the way to stop it. */
export function RunState({ trial }: { readonly trial: TrialState }) {
  const now = useNow(1_000);
  const { startedAt, endedAt, progress, isStopping = false } = trial;
  if (endedAt !== undefined)
    return <span className="soft small push">{words.tools.took(formatDuration(endedAt - startedAt))}</span>;
  return (
    <>
      <Button icon={Square} busy={isStopping} onClick={() => stopTrial(trial)}>
        {words.tools.stop}
      </Button>
      <span className="soft small run-state">
        {progress && <ProgressPart progress={progress} />}
        {formatCountdown(now - startedAt)}
      </span>
    </>
  );
}

function ProgressPart({ progress: { progress, total, message } }: { readonly progress: CallProgress }) {
  const isPart = total !== undefined && total > 0 && progress >= 0 && progress <= total;
  return (
    <>
      {isPart && <progress max={total} value={progress} aria-label={words.tools.progress} />}
      {message !== undefined && <span>{message}</span>}
    </>
  );
}
