import { useEffect, useRef } from 'react';
import { create } from 'zustand';
import type { DesktopView } from '../../shared/desktop-view.ts';
import type { DeletionView } from '../../shared/deletion-view.ts';
import { collectionNameIn } from '../../shared/entry-name.ts';
import type { PlainError } from '../../shared/error-codes.ts';
import { ErrorLine } from '../errors/error-notice.tsx';
import { UndoActions } from '../apps/use-app-changes.tsx';
import { Button } from '../components/button.tsx';
import { Toast, ToastRegion } from '../components/notice.tsx';
import { postern, useCall } from '../postern.ts';
import { useSnapshots } from '../store.ts';
import { endFlash, flash, flashError, show, useView } from '../view.ts';
import { words } from '../words.ts';
import { PendingLink, LinkError } from './pending-link.tsx';

/** Status messages, plus one-time messages that stay until the user navigates. */
export function Toasts() {
  const sentences = useView((state) => state.flash)().filter((sentence) => sentence !== '');
  const undoable = useView((state) => state.undoable);
  const deletions = useSnapshots((state) => state.deletions);
  return (
    <ToastRegion>
      <StatusToasts />
      {deletions?.map((deletion) => (
        <DeletionToast key={deletion.id} deletion={deletion} />
      ))}
      <PendingLink />
      <LinkError />
      {sentences.length > 0 && (
        <Toast
          actions={
            <>
              {undoable && <UndoActions key={undoable.changes[0]?.change} undoable={undoable} />}
              <Button kind="quiet" onClick={endFlash}>
                {words.common.dismiss}
              </Button>
            </>
          }
        >
          {sentences.map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
        </Toast>
      )}
    </ToastRegion>
  );
}

/** Conditions that affect all of Postern, most severe first. CSS shows one at a time. */
function StatusToasts() {
  const desktop = useSnapshots((state) => state.desktop);
  if (desktop === undefined) return null;
  return (
    <div className="status-toasts">
      <StorageToast desktop={desktop} />
      <SandboxToast desktop={desktop} />
      <BackgroundToast desktop={desktop} />
      <UpdateToast desktop={desktop} />
    </div>
  );
}

/** All apps are paused; and, with the first app, the offer to start Postern at login. */
function BackgroundToast({ desktop }: { readonly desktop: DesktopView }) {
  const call = useCall<null>();
  const [isSnoozed, snooze] = useSnooze('paused');
  const texts = words.background;
  const startAtLogin = (on: boolean) => void call.run(() => postern.settings.update({ startAtLogin: on }));
  const failure = call.error && <ErrorLine error={call.error} />;
  return (
    <>
      {desktop.settings.appsPaused && !isSnoozed && (
        <Toast
          tone="ask"
          actions={
            <>
              <Button
                busy={call.busy}
                onClick={() => void call.run(() => postern.settings.update({ appsPaused: false }))}
              >
                {texts.resume}
              </Button>
              <Button kind="quiet" onClick={snooze}>
                {words.common.dismiss}
              </Button>
            </>
          }
        >
          <p>{texts.paused}</p>
          <p>{texts.pausedText}</p>
          {failure}
        </Toast>
      )}
      {desktop.httpTrouble && <PortToast trouble={desktop.httpTrouble} />}
      {desktop.offersStartAtLogin && (
        <Toast
          actions={
            <>
              <Button busy={call.busy} onClick={() => startAtLogin(true)}>
                {texts.accept}
              </Button>
              <Button kind="quiet" onClick={() => startAtLogin(false)}>
                {texts.decline}
              </Button>
            </>
          }
        >
          <p>{texts.offer}</p>
          <p>{texts.offerText}</p>
          {failure}
        </Toast>
      )}
    </>
  );
}

/** The gateway port that app entries point to could not be opened. Disappears once it is open. */
function PortToast({ trouble }: { readonly trouble: PlainError }) {
  const call = useCall<{ isOpen: boolean }>();
  const texts = words.background;
  return (
    <Toast
      tone="ask"
      actions={
        <>
          <Button busy={call.busy} onClick={() => void call.run(() => postern.app.openPort())}>
            {texts.tryPort}
          </Button>
          <Button kind="quiet" onClick={() => show({ name: 'settings', target: 'gatewayPort' })}>
            {texts.choosePort}
          </Button>
        </>
      }
    >
      <p>{words.errors.message(trouble)}</p>
      <p>{texts.portText}</p>
      {call.value?.isOpen === false && !call.busy && <p>{texts.portStill}</p>}
      {call.error && <ErrorLine error={call.error} />}
    </Toast>
  );
}

/** A deletion: with Undo while it can be undone, then with its outcome. */
function DeletionToast({ deletion }: { readonly deletion: DeletionView }) {
  const { id, kind, name, servers, state } = deletion;
  const count = servers.length;
  const isCollection = servers.some((server) => collectionNameIn(server) !== undefined);
  // Nothing else reports this failure.
  const hasFailed = deletion.outcome?.failure !== undefined;
  const view = useView((current) => current.view);
  const toast = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The button that started it went away with its page, so focus the next step.
    if (document.activeElement === document.body) toast.current?.querySelector('button')?.focus();
  }, [state]);
  useEffect(() => {
    if (state === 'done' && !hasFailed) return () => void postern.deletion.dismiss({ id });
  }, [id, state, hasFailed, view]);
  const undo = async (): Promise<void> => {
    const result = await postern.deletion.undo({ id });
    if (!result.ok) return flashError(result.error);
    const { restored, entriesNotRestored } = result.value;
    if (restored === 0) flash(() => [words.deletion.tooLate]);
    else
      flash(() => [
        words.deletion.restored[kind](name, restored),
        words.deletion.entriesNotRestored(entriesNotRestored),
      ]);
  };
  const lines = {
    undoable: () => [
      words.deletion.begun[kind](name, count),
      isCollection ? words.deletion.finalCollection : words.deletion.final,
    ],
    deleting: () => [words.deletion.begun[kind](name, count), words.deletion.deleting],
    done: () => outcomeOf(deletion),
  }[state]();
  return (
    <Toast
      ref={toast}
      actions={
        <>
          {state === 'undoable' && <Button onClick={() => void undo()}>{words.deletion.undo}</Button>}
          {state === 'undoable' && (
            <Button kind="quiet" onClick={() => void postern.deletion.finish({ id })}>
              {words.deletion.now}
            </Button>
          )}
          {state === 'done' && hasFailed && (
            <Button onClick={() => void postern.deletion.finish({ id })}>{words.common.tryAgain}</Button>
          )}
          {state === 'done' && (
            <Button kind="quiet" onClick={() => void postern.deletion.dismiss({ id })}>
              {words.common.dismiss}
            </Button>
          )}
        </>
      }
    >
      {lines.filter(Boolean).map((line) => (
        <p key={line}>{line}</p>
      ))}
    </Toast>
  );
}

function outcomeOf({ kind, name, servers, outcome }: DeletionView): readonly string[] {
  if (!outcome) return [];
  const { revocation, registration, ended, endsByItself, registrationsLeft, notDeleted, failure } = outcome;
  if (failure)
    return [
      words.deletion.incomplete[kind](name, servers.length),
      words.deletion.triesAgain(words.errors.message(failure)),
    ];
  const details =
    revocation && registration
      ? [words.integration.revocation[revocation], words.integration.registration[registration]]
      : [
          words.deletion.revoked(ended),
          words.deletion.notRevoked(endsByItself),
          words.deletion.registrations(registrationsLeft),
        ];
  const only = servers.length === 1 ? name : undefined;
  const deleted = servers.length - notDeleted;
  return [
    deleted > 0 ? words.deletion.finished[kind](only, deleted) : '',
    notDeleted > 0 ? words.deletion.changedMeanwhile[kind](only, notDeleted) : '',
    ...details,
  ];
}

/**
 * Third-party sign-in pages would run without Chromium's sandbox. Stays until they open in the user's browser instead,
 * since nothing else reports it.
 */
function SandboxToast({ desktop }: { readonly desktop: DesktopView }) {
  const call = useCall<null>();
  if (desktop.sandbox === 'on' || desktop.settings.signInSurface === 'browser') return null;
  const texts = words.sandbox;
  return (
    <Toast
      tone="ask"
      actions={
        <Button
          busy={call.busy}
          onClick={() => void call.run(() => postern.settings.update({ signInSurface: 'browser' }))}
        >
          {texts.useBrowser}
        </Button>
      }
    >
      <p>{texts.title}</p>
      <p>
        {texts.why[desktop.sandbox]} {texts.risk}
      </p>
      {call.error && <ErrorLine error={call.error} />}
    </Toast>
  );
}

/** Problems with the keychain or the settings, with what to do about them. */
function StorageToast({ desktop: { storage, notices } }: { readonly desktop: DesktopView }) {
  const onSettings = useView((state) => state.view.name === 'settings');
  const test = useCall<unknown>();
  const title = storage.memoryOnly
    ? words.banner.memoryOnlyTitle
    : ((storage.error && words.errors.message(storage.error)) ?? words.banner.troubleTitle);
  const [isSnoozed, snooze] = useSnooze(`storage ${title}`);
  const isTroubled = storage.state === 'trouble' || storage.memoryOnly;
  return (
    <>
      {isTroubled && !isSnoozed && (
        <Toast
          tone="ask"
          actions={
            <>
              <Button busy={test.busy} onClick={() => void test.run(() => postern.storage.selfTest())}>
                {words.banner.test}
              </Button>
              {!onSettings && (
                <Button kind="quiet" onClick={() => show({ name: 'settings', target: 'keychain' })}>
                  {words.banner.details}
                </Button>
              )}
              <Button kind="quiet" onClick={snooze}>
                {words.common.dismiss}
              </Button>
            </>
          }
        >
          <p>{title}</p>
          {storage.memoryOnly && (
            <p>{(storage.error && words.errors.message(storage.error)) ?? words.banner.memoryOnlyText}</p>
          )}
          {storage.error && <p>{words.errors.nextStep(storage.error.remedy)}</p>}
        </Toast>
      )}
      {notices.map((notice) => (
        <Toast
          key={notice.id}
          tone="ask"
          actions={
            <Button kind="quiet" onClick={() => void postern.desktop.dismissNotice({ id: notice.id })}>
              {words.common.dismiss}
            </Button>
          }
        >
          <p>{words.errors.message(notice)}</p>
          <p>{words.errors.nextStep(notice.remedy)}</p>
        </Toast>
      ))}
    </>
  );
}

/** Announces once that an update is available or ready to install. Nothing is installed without the user's click. */
function UpdateToast({ desktop: { update } }: { readonly desktop: DesktopView }) {
  const onSettings = useView((state) => state.view.name === 'settings');
  const { state, version = '' } = update ?? {};
  const [isSnoozed, snooze] = useSnooze(`update ${state} ${version}`);
  if (onSettings || (state !== 'available' && state !== 'ready') || isSnoozed) return null;
  const isReady = state === 'ready';
  return (
    <Toast
      actions={
        <>
          <Button onClick={() => void (isReady ? postern.update.install() : postern.update.download())}>
            {isReady ? words.update.restart : words.update.download}
          </Button>
          <Button kind="quiet" onClick={snooze}>
            {words.update.later}
          </Button>
        </>
      }
    >
      <p>{isReady ? words.update.ready(version) : words.update.available(version)}</p>
      {isReady && <p>{words.update.readyText}</p>}
    </Toast>
  );
}

const useSnoozedKeys = create<{ readonly keys: ReadonlySet<string> }>()(() => ({ keys: new Set() }));

/** Whether the user dismissed `key` until the next start. Use a new key for a new condition. */
function useSnooze(key: string): readonly [isSnoozed: boolean, snooze: () => void] {
  const isSnoozed = useSnoozedKeys(({ keys }) => keys.has(key));
  return [isSnoozed, () => useSnoozedKeys.setState(({ keys }) => ({ keys: new Set([...keys, key]) }))];
}
