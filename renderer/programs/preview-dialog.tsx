import type { ProgramOutcomes, ProgramPreview, ProgramPreviews } from '../../shared/program-view.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { postern } from '../postern.ts';
import { useCall } from '../use-call.ts';
import { words } from '../words.ts';
import { ChangePart, type ChooseProfile } from './change-part.tsx';
import { describeNotice } from './describe-program.ts';

interface PreviewDialogProps {
  readonly title: string;
  readonly shown: ProgramPreviews;
  readonly onClose: () => void;
  readonly onDone: (outcomes: ProgramOutcomes) => void;
  readonly onProfile?: ChooseProfile;
}

/** Every line of the changes before they are made, and one yes to all of them. */
export function PreviewDialog({ title, shown: { previews, refused }, onClose, onDone, onProfile }: PreviewDialogProps) {
  const call = useCall<ProgramOutcomes>();
  const make = async (): Promise<void> => {
    const outcomes = await call.run(() => postern.program.change({ tokens: previews.map(({ token }) => token) }));
    if (outcomes) onDone(outcomes);
  };
  const [first] = previews;
  const ours = previews.filter(({ action }) => action !== 'paste');
  const isOne = previews.length === 1 && refused.length === 0;
  const isOfOne = new Set(previews.map(({ program }) => program)).size === 1;
  const goes = previews.length > 1 && previews.every(({ after }) => after.length === 0);
  return (
    <Dialog
      wide
      isText
      open
      title={title}
      description={
        isOne && first
          ? describeAction(first)
          : isOfOne && first && goes
            ? words.programs.filesText(first.name)
            : words.programs.severalText(previews.length, previews.length - ours.length)
      }
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{words.common.cancel}</Button>
          {first && !call.error && (
            <Button kind="primary" busy={call.busy} onClick={() => void make()}>
              {previews.length === 1 || ours.length === 0
                ? words.programs.confirm[first.action]
                : words.programs[isOfOne ? 'confirmFiles' : 'confirmSeveral'](ours.length)}
            </Button>
          )}
        </>
      }
    >
      <ShownPreviews shown={{ previews, refused }} onProfile={onProfile} />
      {call.error && <ErrorNotice error={call.error} />}
    </Dialog>
  );
}

interface ShownPreviewsProps {
  readonly shown: ProgramPreviews;
  readonly keepsCopies?: boolean;
  readonly onProfile?: ChooseProfile | undefined;
}

/** The changes themselves; of several each under the name of its program. */
export function ShownPreviews({ shown: { previews, refused }, keepsCopies = true, onProfile }: ShownPreviewsProps) {
  const [first] = previews;
  return (
    <>
      {first && previews.length === 1 && refused.length === 0 ? (
        <ChangePart change={first} keepsCopy={keepsCopies} onProfile={onProfile} />
      ) : (
        previews.map((change) => (
          // A program may have several files.
          <section className="program-change" key={change.token} aria-label={`${change.name}: ${change.path}`}>
            <h3>{change.name}</h3>
            <p>{describeAction(change)}</p>
            <ChangePart change={change} keepsCopy={keepsCopies} onProfile={onProfile} />
            {change.action !== 'none' && <p className="soft">{describeNotice(change)}</p>}
          </section>
        ))
      )}
      {refused.map(({ name, error }, index) => (
        <section className="program-change" key={index} aria-labelledby={`refused-${index}`}>
          <h3 id={`refused-${index}`}>{words.programs.leftAlone(name)}</h3>
          <ErrorNotice error={error} tone="ask" />
        </section>
      ))}
    </>
  );
}

/** What is done, in one sentence before the lines. */
function describeAction({ action, after, fault }: ProgramPreview): string {
  if (fault && after.length > 0) return words.programs.pasteInstead(words.errors.message(fault));
  return action === 'paste' && after.length === 0 ? words.programs.takeOut : words.programs.actions[action];
}
