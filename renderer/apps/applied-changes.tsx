import { create } from 'zustand';
import type { IpcOutput } from '../../shared/ipc-contract.ts';
import type { AppOutcomes, AppPreviews, AppView } from '../../shared/app-view.ts';
import { ErrorLines, ErrorNotice, PasteLines } from '../errors/error-notice.tsx';
import { Button } from '../components/button.tsx';
import { Notice } from '../components/notice.tsx';
import { postern, useCall } from '../postern.ts';
import { useSnapshots } from '../store.ts';
import { flash } from '../view.ts';
import { words } from '../words.ts';
import { describeNotice } from './preview-dialog.tsx';
import { useUndo } from './use-app-changes.tsx';

interface AppliedOutcome extends AppOutcomes {
  /** Lines that the user pastes into the app's file. */
  readonly pasted: AppPreviews['previews'];
}

/** The last applied change, by the set of servers it was for. Lives as long as the window. */
const useApplied = create<Readonly<Record<string, AppliedOutcome | undefined>>>()(() => ({}));

const keyOf = (servers: readonly string[]): string => servers.toSorted().join(' ');

export const useAppliedChanges = (servers: readonly string[]): AppliedOutcome | undefined =>
  useApplied((state) => state[keyOf(servers)]);

export function recordApplied(servers: readonly string[], outcomes: AppOutcomes, { previews }: AppPreviews): void {
  const made = outcomes.made.filter(({ action }) => action !== 'none');
  const pasted = previews.filter(({ app, action }) => action === 'paste' && made.some((each) => each.app === app));
  const isWorthShowing = made.length > 0 || outcomes.refused.length > 0;
  useApplied.setState({ [keyOf(servers)]: isWorthShowing ? { made, refused: outcomes.refused, pasted } : undefined });
}

/** Which apps were changed and which were not, with one undo for everything that was written. */
export function AppliedChanges({ servers }: { readonly servers: readonly string[] }) {
  const applied = useAppliedChanges(servers);
  const apps = useSnapshots((state) => state.apps) ?? [];
  const written = (applied?.made ?? []).flatMap(({ app, name, change }) =>
    change === undefined ? [] : [{ app, name, change }],
  );
  const clear = (): void => useApplied.setState({ [keyOf(servers)]: undefined });
  const undo = useUndo({ changes: written, previews: [] }, (outcomes) => {
    if (!applied) return;
    const isUndone = (app: string) => outcomes.made.some((each) => each.app === app);
    const remaining = applied.made.filter(({ app }) => !isUndone(app));
    const isFullyUndone = written.every(({ app }) => isUndone(app));
    useApplied.setState({
      [keyOf(servers)]: isFullyUndone ? undefined : { ...applied, made: remaining, refused: outcomes.refused },
    });
  });
  if (!applied) return null;
  const names = written.map(({ name }) => name);
  return (
    <div className="stack-tight" role="status">
      {applied.made.length > 0 && (
        <Notice
          title={written.length > 0 ? words.apps.done(names) : words.apps.toPaste}
          actions={
            <>
              {written.length > 0 && (
                <Button busy={undo.busy} onClick={undo.start}>
                  {written.length === 1 ? words.apps.undoNow : words.apps.undoAll}
                </Button>
              )}
              <Button kind="quiet" onClick={clear}>
                {words.common.dismiss}
              </Button>
            </>
          }
        >
          {[...new Map(applied.made.map((each) => [each.app, each])).values()]
            .filter(({ change }) => change !== undefined)
            .map((each) => (
              <p key={each.app}>{describeNotice(each)}</p>
            ))}
          {applied.pasted.map(({ app, name, path, after, token }) => (
            <div className="stack-tight" key={token}>
              <p>{words.apps.paste(name)}</p>
              <PasteLines path={path === '' ? undefined : path} lines={after} token={token} />
              {apps
                .filter(({ id }) => id === app)
                .map((each) => (
                  <PendingPaste key={each.id} app={each} servers={servers} />
                ))}
            </div>
          ))}
        </Notice>
      )}
      {applied.refused.map(({ name, error }, index) => (
        <Notice
          key={index}
          tone="stop"
          title={words.apps.notChanged(name)}
          actions={
            applied.made.length === 0 && (
              <Button kind="quiet" onClick={clear}>
                {words.common.dismiss}
              </Button>
            )
          }
        >
          <p>
            {words.errors.message(error)} {words.errors.nextStep(error.remedy)}
          </p>
          <ErrorLines error={error} />
        </Notice>
      ))}
      {undo.error && <ErrorNotice error={undo.error} actions={{ dismiss: undo.clear }} />}
      {undo.dialog}
    </div>
  );
}

interface PendingPasteProps {
  readonly app: AppView;
  readonly servers: readonly string[];
  /** Shows the lines. Absent if they are already visible. */
  readonly onShow?: () => void;
  /** The caller already shows that the app is waiting. */
  readonly isStateShown?: boolean;
}

/** For an app that can use the servers once the user has pasted the lines; checks whether they are there. */
export function PendingPaste({
  app: { id, name, path, waiting = [] },
  servers,
  onShow,
  isStateShown = false,
}: PendingPasteProps) {
  const check = useCall<IpcOutput<'app:pasted'>>();
  const isWaiting = (all: readonly string[]): boolean => servers.some((server) => all.includes(server));
  if (!isWaiting(waiting)) return null;
  const isMissing = check.value !== undefined && isWaiting(check.value.missing);
  const checkPasted = async (): Promise<void> => {
    const found = await check.run(() => postern.app.pasted({ app: id }));
    if (found && !isWaiting(found.missing)) flash(() => [words.apps.pasted(name)]);
  };
  return (
    <div className="stack-tight app-waiting">
      <p className="small" role="status">
        {isMissing ? words.apps.notPasted(path) : !isStateShown && words.apps.waitingOf(name)}
      </p>
      <div className="row">
        <Button aria-label={`${words.apps.checkAgain} (${name})`} busy={check.busy} onClick={() => void checkPasted()}>
          {words.apps.checkAgain}
        </Button>
        {onShow && (
          <Button kind="quiet" aria-label={`${words.apps.addEntry} (${name})`} onClick={onShow}>
            {words.apps.addEntry}
          </Button>
        )}
      </div>
      {check.error && <ErrorNotice error={check.error} actions={{ dismiss: check.clear }} />}
    </div>
  );
}
