import type { PlainError } from '../../shared/error-codes.ts';
import { Button, CopyButton } from '../parts/button.tsx';
import { Lines } from '../parts/facts.tsx';
import { FieldError } from '../parts/field.tsx';
import { Notice } from '../parts/notice.tsx';
import { postern } from '../postern.ts';
import { words } from '../words.ts';
import './error-notice.css';
import { hostToAllow, listActions } from './remedy-actions.ts';
import type { ErrorAction } from './remedy-actions.ts';

/** What the place can do; an action that it lacks gets no button. */
export type ErrorActions = Partial<Record<ErrorAction | 'dismiss' | 'diagnosis', () => void>>;

interface ErrorNoticeProps {
  readonly error: PlainError;
  readonly actions?: ErrorActions;
  /** Says where it stopped; left out where that is plain to see. */
  readonly showStage?: boolean;
  readonly tone?: 'ask' | 'stop';
}

/** What a server said itself, marked as its words. */
function ServerWords({ error: { serverWords } }: { readonly error: PlainError }) {
  if (!serverWords || (serverWords.message === '' && serverWords.code === undefined)) return null;
  return (
    <p className="server-words">
      {words.errors.serverWords} {serverWords.message !== '' && <q>{serverWords.message}</q>}{' '}
      {serverWords.code !== undefined && <span className="mono">{serverWords.code}</span>}
    </p>
  );
}

/** What the next step speaks of. */
export function ErrorLines({ error: { remedy } }: { readonly error: PlainError }) {
  if (remedy.kind !== 'paste-lines') return null;
  return <PasteLines path={remedy.path} lines={remedy.lines.split('\n')} token={remedy.token} />;
}

/** Where it stopped, with the code to look for. */
export function ErrorStage({ error }: { readonly error: PlainError }) {
  return (
    <p className="error-stage">
      {words.errors.stages[error.stage]} <span className="mono">{error.cause ?? error.code}</span>
    </p>
  );
}

export function ErrorNotice({ error, actions = {}, showStage = false, tone = 'stop' }: ErrorNoticeProps) {
  const offered = listActions(error).filter((action) => actions[action]);
  const label = (action: ErrorAction) =>
    action === 'allowHost' ? words.errors.actions.allowHost(hostToAllow(error.remedy)) : words.errors.actions[action];
  return (
    <Notice
      tone={tone}
      urgent
      title={words.errors.message(error)}
      actions={
        (offered.length > 0 || actions.dismiss || actions.diagnosis) && (
          <>
            {offered.map((action, index) => (
              <Button key={action} kind={index === 0 ? 'plain' : 'quiet'} onClick={actions[action]}>
                {label(action)}
              </Button>
            ))}
            {actions.diagnosis && (
              <Button kind="quiet" onClick={actions.diagnosis}>
                {words.errors.actions.diagnosis}
              </Button>
            )}
            {actions.dismiss && (
              <Button kind="quiet" onClick={actions.dismiss}>
                {words.errors.actions.dismiss}
              </Button>
            )}
          </>
        )
      }
    >
      <ServerWords error={error} />
      <p>{words.errors.nextStep(error.remedy)}</p>
      <ErrorLines error={error} />
      {showStage && <ErrorStage error={error} />}
    </Notice>
  );
}

/** What went wrong and the next step, in the one line that a toast has room for. */
export function ErrorLine({ error }: { readonly error: PlainError }) {
  const { serverWords } = error;
  const said = serverWords?.message ? `${words.errors.serverWords} “${serverWords.message}” ` : '';
  return <FieldError>{`${words.errors.message(error)} ${said}${words.errors.nextStep(error.remedy)}`}</FieldError>;
}

interface PasteLinesProps {
  /** Left out where it was named already. */
  readonly path: string | undefined;
  readonly lines: readonly string[];
  /** Main copies by it: the lines as they have to stand there. */
  readonly token: string | undefined;
}

/** Lines that a person puts into the file of a program. */
export function PasteLines({ path, lines, token }: PasteLinesProps) {
  return (
    <>
      {path !== undefined && <p className="program-path mono">{path}</p>}
      <Lines label={words.programs.comes} sign="+" kind="comes" lines={lines} />
      {token !== undefined && (
        <div>
          <CopyButton
            label={words.programs.copyLines}
            onCopy={async () => (await postern.program.copyLines({ token })).ok}
          />
        </div>
      )}
    </>
  );
}
