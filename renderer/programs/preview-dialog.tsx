import type { ProgramPreview } from '../../shared/program-view.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { postern } from '../postern.ts';
import { useCall } from '../use-call.ts';
import { words } from '../words.ts';

interface PreviewDialogProps {
  readonly title: string;
  readonly preview: ProgramPreview;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** The whole change of a program's file, before it is made. */
export function PreviewDialog({ title, preview, onClose, onDone }: PreviewDialogProps) {
  const { id, action, path, before, after, commands, restores } = preview;
  const call = useCall<null>();
  const make = async (): Promise<void> => {
    if ((await call.run(() => postern.program.change({ id }))) !== undefined) onDone();
  };
  return (
    <Dialog
      wide
      isText
      open
      title={title}
      description={words.programs.actions[action]}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{words.common.cancel}</Button>
          {!call.error && (
            <Button kind="primary" busy={call.busy} onClick={() => void make()}>
              {words.programs.confirm[action]}
            </Button>
          )}
        </>
      }
    >
      <p className="program-path mono">{path}</p>
      <Lines label={words.programs.goes} sign="−" kind="goes" lines={before} />
      <Lines label={words.programs.comes} sign="+" kind="comes" lines={after} />
      <Lines label={words.programs.commands} sign="$" kind="runs" lines={commands} />
      <p className="soft">
        {[after.length > 0 && !restores && words.programs.noSecret, isKept(action) && words.programs.copyKept]
          .filter(Boolean)
          .join(' ')}
      </p>
      {call.error && <ErrorNotice error={call.error} />}
    </Dialog>
  );
}

function isKept(action: ProgramPreview['action']): boolean {
  return action === 'updated' || action === 'deleted' || action === 'command';
}

interface LinesProps {
  readonly label: string;
  readonly sign: string;
  readonly kind: string;
  readonly lines: readonly string[];
}

function Lines({ label, sign, kind, lines }: LinesProps) {
  if (lines.length === 0) return null;
  return (
    <ul className={`preview-lines mono ${kind}`} aria-label={label}>
      {lines.map((line, index) => (
        <li key={index}>
          <span className="preview-sign" aria-hidden="true">
            {sign}
          </span>
          <span className="preview-text">{line}</span>
        </li>
      ))}
    </ul>
  );
}
