import type { PlainError } from '../../shared/error-codes.ts';
import { Button, CopyButton } from '../components/button.tsx';
import { Lines } from '../components/facts.tsx';
import { FieldError } from '../components/field.tsx';
import { Notice } from '../components/notice.tsx';
import { postern } from '../postern.ts';
import { words } from '../words.ts';
import './error-notice.css';
import { hostToAllow, listActions } from './remedy-actions.ts';
import type { ErrorAction } from './remedy-actions.ts';

/** What the caller can do. Actions it lacks get no button. */
export type ErrorActions = Partial<Record<ErrorAction | 'dismiss' | 'diagnosis', () => void>>;

interface ErrorNoticeProps {
  readonly error: PlainError;
  readonly actions?: ErrorActions;
  /** Shows the stage at which it failed; omit where that is obvious. */
  readonly showStage?: boolean;
  readonly tone?: 'ask' | 'stop';
}

/** The server's own message, marked as a quote. */
function ServerWords({ error: { serverWords } }: { readonly error: PlainError }) {
  if (!serverWords || (serverWords.message === '' && serverWords.code === undefined)) return null;
  return (
    <p className="server-words">
      {words.errors.serverWords} {serverWords.message !== '' && <q>{serverWords.message}</q>}{' '}
      {serverWords.code !== undefined && <span className="mono">{serverWords.code}</span>}
    </p>
  );
}

/** The lines that the next step mentions. */
export function ErrorLines({ error: { remedy } }: { readonly error: PlainError }) {
  if (remedy.kind !== 'paste-lines') return null;
  return <PasteLines path={remedy.path} lines={remedy.lines.split('\n')} token={remedy.token} />;
}

/** The stage at which it failed, with the error code. */
export function ErrorStage({ error }: { readonly error: PlainError }) {
  return (
    <p className="error-stage">
      {words.errors.stages[error.stage]} <span className="mono">{error.cause ?? error.code}</span>
    </p>
  );
}

export function ErrorNotice({ error, actions = {}, showStage = false, tone = 'stop' }: ErrorNoticeProps) {
  const available = listActions(error).filter((action) => actions[action]);
  const label = (action: ErrorAction) =>
    action === 'allowHost' ? words.errors.actions.allowHost(hostToAllow(error.remedy)) : words.errors.actions[action];
  return (
    <Notice
      tone={tone}
      urgent
      title={words.errors.message(error)}
      actions={
        (available.length > 0 || actions.dismiss || actions.diagnosis) && (
          <>
            {available.map((action, index) => (
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

/** Error and next step on one line, for toasts. */
export function ErrorLine({ error }: { readonly error: PlainError }) {
  const { serverWords } = error;
  const quoted = serverWords?.message ? `${words.errors.serverWords} “${serverWords.message}” ` : '';
  return <FieldError>{`${words.errors.message(error)} ${quoted}${words.errors.nextStep(error.remedy)}`}</FieldError>;
}

interface PasteLinesProps {
  /** Absent if it was named already. */
  readonly path: string | undefined;
  readonly lines: readonly string[];
  /** Main copies the exact lines by this token. */
  readonly token: string | undefined;
}

/** Lines that the user pastes into an app's file. */
export function PasteLines({ path, lines, token }: PasteLinesProps) {
  return (
    <>
      {path !== undefined && <p className="app-path mono">{path}</p>}
      <Lines label={words.apps.addedLines} sign="+" kind="added" lines={lines} />
      {token !== undefined && (
        <div>
          <CopyButton label={words.apps.copyLines} onCopy={async () => (await postern.app.copyLines({ token })).ok} />
        </div>
      )}
    </>
  );
}
