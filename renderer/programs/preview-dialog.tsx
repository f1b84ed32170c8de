import type { ProgramOutcomes, ProgramPreviews } from '../../shared/program-view.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { postern } from '../postern.ts';
import { useCall } from '../use-call.ts';
import { words } from '../words.ts';
import { ChangePart } from './change-part.tsx';

interface PreviewDialogProps {
  readonly title: string;
  readonly shown: ProgramPreviews;
  readonly onClose: () => void;
  readonly onDone: (outcomes: ProgramOutcomes) => void;
}

/** Every line of the changes before they are made, and one yes to all of them. */
export function PreviewDialog({ title, shown: { previews, refused }, onClose, onDone }: PreviewDialogProps) {
  const call = useCall<ProgramOutcomes>();
  const make = async (): Promise<void> => {
    const outcomes = await call.run(() => postern.program.change({ tokens: previews.map(({ token }) => token) }));
    if (outcomes) onDone(outcomes);
  };
  const [first] = previews;
  const isOne = previews.length === 1 && refused.length === 0;
  return (
    <Dialog
      wide
      isText
      open
      title={title}
      description={isOne && first ? words.programs.actions[first.action] : words.programs.severalText(previews.length)}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{words.common.cancel}</Button>
          {first && !call.error && (
            <Button kind="primary" busy={call.busy} onClick={() => void make()}>
              {previews.length === 1
                ? words.programs.confirm[first.action]
                : words.programs.confirmSeveral(previews.length)}
            </Button>
          )}
        </>
      }
    >
      {isOne && first ? (
        <ChangePart change={first} />
      ) : (
        previews.map((change) => (
          <section className="program-change" key={change.program} aria-labelledby={`change-${change.program}`}>
            <h3 id={`change-${change.program}`}>{change.name}</h3>
            <p>{words.programs.actions[change.action]}</p>
            <ChangePart change={change} />
            {change.action !== 'none' && <p className="soft">{words.programs.notices[change.notice](change.name)}</p>}
          </section>
        ))
      )}
      {refused.map(({ program, name, error }) => (
        <section className="program-change" key={program} aria-labelledby={`refused-${program}`}>
          <h3 id={`refused-${program}`}>{words.programs.leftAlone(name)}</h3>
          <ErrorNotice error={error} tone="ask" />
        </section>
      ))}
      {call.error && <ErrorNotice error={call.error} />}
    </Dialog>
  );
}
