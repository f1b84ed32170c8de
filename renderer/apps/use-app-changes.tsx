import { useRef, useState } from 'react';
import type { ReactNode } from 'react';
import type { AppOutcomes, AppPreview, AppPreviews } from '../../shared/app-view.ts';
import type { PlainError } from '../../shared/error-codes.ts';
import type { IpcInput } from '../../shared/ipc-contract.ts';
import { ErrorLines, ErrorNotice } from '../errors/error-notice.tsx';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { postern, useCall } from '../postern.ts';
import { flash } from '../view.ts';
import type { Undoable } from '../view.ts';
import { words } from '../words.ts';
import { PreviewDialog, PreviewList } from './preview-dialog.tsx';

export type RequestedChange = IpcInput<'app:preview'>['changes'][number];

interface Review {
  readonly changes: readonly RequestedChange[];
  readonly found: AppPreviews;
  /** The next change can begin. */
  readonly settle: () => void;
}

interface AppChanges {
  /** Applies the changes at once, unless the user has to see them first. */
  readonly apply: (changes: readonly RequestedChange[]) => void;
  /** Shows the lines first. */
  readonly review: (changes: readonly RequestedChange[]) => void;
  readonly busy: boolean;
  /** By app: why its last change was not made. */
  readonly faults: Readonly<Record<string, PlainError>>;
  /** The failure of several changes as a whole. */
  readonly error: PlainError | undefined;
  readonly clear: () => void;
  readonly dialog: ReactNode;
}

/** Changes of which apps use a server, one request after the other: main knows only the latest previews. */
export function useAppChanges(
  server: string,
  onDone: (outcomes: AppOutcomes, found: AppPreviews, changes: readonly RequestedChange[]) => void,
): AppChanges {
  const reading = useCall<AppPreviews>();
  const applying = useCall<AppOutcomes>();
  const [faults, setFaults] = useState<Readonly<Record<string, PlainError>>>({});
  const [shown, setShown] = useState<Review>();
  const queue = useRef<Promise<void>>(Promise.resolve());
  /** Main throws the error of a single change. */
  const recordFaults = (changes: readonly RequestedChange[], error: PlainError | undefined, found?: AppPreviews) => {
    const [alone] = changes;
    const single = error && alone && changes.length === 1 ? [{ app: alone.app, error }] : [];
    const refused = [...single, ...(found?.refused ?? [])];
    setFaults((before) => ({
      ...Object.fromEntries(Object.entries(before).filter(([app]) => !changes.some((change) => change.app === app))),
      ...Object.fromEntries(refused.map((each) => [each.app, each.error])),
    }));
  };
  const read = async (changes: readonly RequestedChange[]): Promise<AppPreviews | undefined> =>
    await reading.run(async () => {
      const result = await postern.app.preview({ changes: [...changes] });
      recordFaults(changes, result.ok ? undefined : result.error, result.ok ? result.value : undefined);
      return result;
    });
  const change = async (changes: readonly RequestedChange[], isReviewed: boolean): Promise<void> => {
    applying.clear();
    const found = await read(changes);
    if (!found) return;
    if (isReviewed || found.refused.length > 0 || found.previews.some(needsReview))
      return await new Promise((settle) => setShown({ changes, found, settle }));
    const tokens = found.previews.map(({ token }) => token);
    const outcomes = await applying.run(async () => {
      const result = await postern.app.change({ tokens });
      if (!result.ok) recordFaults(changes, result.error);
      return result;
    });
    if (outcomes) onDone(outcomes, found, changes);
  };
  const enqueue = (changes: readonly RequestedChange[], isReviewed: boolean): void => {
    queue.current = queue.current.then(() => change(changes, isReviewed));
  };
  const close = (): void => {
    setShown(undefined);
    shown?.settle();
  };
  const readProfile = async (app: string, editorProfile: string | undefined): Promise<void> => {
    if (!shown) return;
    const changes = shown.changes.map(({ editorProfile: _before, ...each }) =>
      each.app === app && editorProfile !== undefined ? { ...each, editorProfile } : each,
    );
    const found = await read(changes);
    if (found) setShown({ ...shown, changes, found });
    else close();
  };
  const error = reading.error ?? applying.error;
  const isOfOneApp = error !== undefined && Object.values(faults).includes(error);
  return {
    apply: (changes) => enqueue(changes, false),
    review: (changes) => enqueue(changes, true),
    busy: reading.busy || applying.busy,
    faults,
    error: isOfOneApp ? undefined : error,
    clear: () => {
      reading.clear();
      applying.clear();
    },
    dialog: shown && (
      <PreviewDialog
        title={titleOf(shown, server)}
        appPreviews={shown.found}
        onClose={close}
        onProfile={(app, profile) => void readProfile(app, profile)}
        onDone={(outcomes) => {
          close();
          onDone(outcomes, shown.found, shown.changes);
        }}
      />
    ),
  };
}

/** Names the apps that can be changed, or all of them if none can. */
function titleOf({ changes, found: { previews, refused } }: Review, server: string): string {
  const names = (previews.length > 0 ? previews : refused).map(({ name }) => name);
  return words.apps.previewOf(names, changes[0]?.use === true, server);
}

/** More than new lines without a secret, so the user sees it before it is done. */
export const needsReview = (change: AppPreview): boolean =>
  change.commands.length > 0 ||
  change.restores ||
  change.secret === 'header' ||
  change.rules !== undefined ||
  change.replacesSecret === true ||
  change.excludedBy !== undefined ||
  change.removesBom === true ||
  change.fault !== undefined;

interface Undo {
  readonly start: () => void;
  readonly busy: boolean;
  readonly error: PlainError | undefined;
  readonly clear: () => void;
  readonly dialog: ReactNode;
}

/** Undoes changes of app files at once, unless the user has to see first what comes back. */
export function useUndo(undoable: Undoable, onUndone: (outcomes: AppOutcomes) => void): Undo {
  const reading = useCall<AppPreviews>();
  const applying = useCall<AppOutcomes>();
  const [shown, setShown] = useState<AppPreviews>();
  const names = undoable.changes.map(({ name }) => name);
  const finish = (outcomes: AppOutcomes, { previews }: AppPreviews): void => {
    setShown(undefined);
    onUndone(outcomes);
    const undone = previews.filter(({ app }) => outcomes.made.some((each) => each.app === app));
    const revertsRules = undone.some((each) => each.revertsRules);
    const [first] = outcomes.refused;
    flash(() => [
      words.apps.undone(undone.map(({ name }) => name)),
      revertsRules ? words.apps.revertedRules(undone.length) : '',
      first ? `${words.apps.notChanged(first.name)} ${words.errors.message(first.error)}` : '',
    ]);
  };
  const start = async (): Promise<void> => {
    applying.clear();
    const changes = undoable.changes.map(({ app, change }) => ({ app, change }));
    const found = await reading.run(() => postern.app.previewUndo({ changes }));
    if (!found) return;
    if (found.refused.length > 0 || found.previews.some(needsReview)) return setShown(found);
    const outcomes = await applying.run(() => postern.app.change({ tokens: found.previews.map(({ token }) => token) }));
    if (outcomes) finish(outcomes, found);
  };
  return {
    start: () => void start(),
    busy: reading.busy || applying.busy,
    error: reading.error ?? applying.error,
    clear: () => {
      reading.clear();
      applying.clear();
    },
    dialog: shown && (
      <PreviewDialog
        title={words.apps.previewUndoOf(names)}
        appPreviews={shown}
        onClose={() => setShown(undefined)}
        onDone={(outcomes) => finish(outcomes, shown)}
      />
    ),
  };
}

/** Buttons of the toast about a change that was just made. */
export function UndoActions({ undoable }: { readonly undoable: Undoable }) {
  const [isOpen, setOpen] = useState(false);
  const undo = useUndo(undoable, () => {});
  const { previews } = undoable;
  const names = previews.map(({ name }) => name);
  return (
    <>
      <Button busy={undo.busy} onClick={undo.start}>
        {words.apps.undoNow}
      </Button>
      <Button kind="quiet" onClick={() => setOpen(true)}>
        {words.apps.connected.seeLines}
      </Button>
      {isOpen && (
        <Dialog
          wide
          isText
          open
          title={words.apps.changedOf(names)}
          onClose={() => setOpen(false)}
          footer={<Button onClick={() => setOpen(false)}>{words.common.close}</Button>}
        >
          <PreviewList appPreviews={{ previews: [...previews], refused: [] }} />
        </Dialog>
      )}
      {undo.error && <ErrorNotice error={undo.error} actions={{ dismiss: undo.clear }} />}
      {undo.dialog}
    </>
  );
}

interface AppFaultProps {
  readonly error: PlainError;
  readonly onRetry: () => void;
}

/** Why an app's file cannot be changed, in the app's row, with the step that helps. */
export function AppFault({ error, onRetry }: AppFaultProps) {
  return (
    <div className="app-fault stack-tight" role="status">
      <p className="small">
        {words.errors.message(error)} {words.errors.nextStep(error.remedy)}
      </p>
      <ErrorLines error={error} />
      <div>
        <Button onClick={onRetry}>{words.common.tryAgain}</Button>
      </div>
    </div>
  );
}
