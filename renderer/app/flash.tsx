import { useEffect, useRef } from 'react';
import { create } from 'zustand';
import type { AppView } from '../../shared/app-view.ts';
import type { DeletionView } from '../../shared/deletion-view.ts';
import { collectionNamed } from '../../shared/entry-name.ts';
import type { PlainError } from '../../shared/error-codes.ts';
import { ErrorLine } from '../errors/error-notice.tsx';
import { Button } from '../parts/button.tsx';
import { Toast, ToastPlace } from '../parts/notice.tsx';
import { postern, useCall } from '../postern.ts';
import { useSnapshots } from '../store.ts';
import { endFlash, flash, flashError, show, useView } from '../view.ts';
import { words } from '../words.ts';
import { HeldLink, LostLink } from './held-link.tsx';

/** What stands, and what was done, once, until the person looks elsewhere. */
export function Flash() {
  const sentences = useView((state) => state.flash)().filter((sentence) => sentence !== '');
  const deletions = useSnapshots((state) => state.deletions);
  return (
    <ToastPlace>
      <StandingToasts />
      {deletions?.map((deletion) => (
        <DeletionToast key={deletion.id} deletion={deletion} />
      ))}
      <HeldLink />
      <LostLink />
      {sentences.length > 0 && (
        <Toast
          actions={
            <Button kind="quiet" onClick={endFlash}>
              {words.common.dismiss}
            </Button>
          }
        >
          {sentences.map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
        </Toast>
      )}
    </ToastPlace>
  );
}

/** What concerns all of Postern, the gravest first. One is shown at a time; the next comes when it has gone. */
function StandingToasts() {
  const app = useSnapshots((state) => state.app);
  if (app === undefined) return null;
  return (
    <div className="toasts-standing">
      <StorageToast app={app} />
      <SandboxToast app={app} />
      <BackgroundToast app={app} />
      <UpdateToast app={app} />
    </div>
  );
}

/** What concerns every program: that they are paused, and, with the first one, whether Postern starts at login. */
function BackgroundToast({ app }: { readonly app: AppView }) {
  const call = useCall<null>();
  const [isPutOff, putOff] = usePutOff('paused');
  const own = words.background;
  const startAtLogin = (on: boolean) => void call.run(() => postern.settings.update({ startAtLogin: on }));
  const failure = call.error && <ErrorLine error={call.error} />;
  return (
    <>
      {app.settings.programsPaused && !isPutOff && (
        <Toast
          tone="ask"
          actions={
            <>
              <Button
                busy={call.busy}
                onClick={() => void call.run(() => postern.settings.update({ programsPaused: false }))}
              >
                {own.resume}
              </Button>
              <Button kind="quiet" onClick={putOff}>
                {words.common.dismiss}
              </Button>
            </>
          }
        >
          <p>{own.paused}</p>
          <p>{own.pausedText}</p>
          {failure}
        </Toast>
      )}
      {app.httpTrouble && <PortToast trouble={app.httpTrouble} />}
      {app.offersStartAtLogin && (
        <Toast
          actions={
            <>
              <Button busy={call.busy} onClick={() => startAtLogin(true)}>
                {own.accept}
              </Button>
              <Button kind="quiet" onClick={() => startAtLogin(false)}>
                {own.decline}
              </Button>
            </>
          }
        >
          <p>{own.offer}</p>
          <p>{own.offerText}</p>
          {failure}
        </Toast>
      )}
    </>
  );
}

/** The port that entries of programs hold could not be opened. It goes once it is open. */
function PortToast({ trouble }: { readonly trouble: PlainError }) {
  const call = useCall<{ isOpen: boolean }>();
  const own = words.background;
  return (
    <Toast
      tone="ask"
      actions={
        <>
          <Button busy={call.busy} onClick={() => void call.run(() => postern.program.openPort())}>
            {own.tryPort}
          </Button>
          <Button kind="quiet" onClick={() => show({ name: 'settings', section: 'gateway-port' })}>
            {own.choosePort}
          </Button>
        </>
      }
    >
      <p>{words.errors.message(trouble)}</p>
      <p>{own.portText}</p>
      {call.value?.isOpen === false && !call.busy && <p>{own.portStill}</p>}
      {call.error && <ErrorLine error={call.error} />}
    </Toast>
  );
}

/** What is being deleted, with its undo as long as there is one, and then how that went. */
function DeletionToast({ deletion }: { readonly deletion: DeletionView }) {
  const { id, kind, name, servers, state } = deletion;
  const count = servers.length;
  const isCollection = servers.some((server) => collectionNamed(server) !== undefined);
  // No other place says it.
  const hasFailed = deletion.outcome?.failure !== undefined;
  const view = useView((current) => current.view);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // What was pressed for it has gone with the page: the next step is here.
    if (document.activeElement === document.body) place.current?.querySelector('button')?.focus();
  }, [state]);
  useEffect(() => {
    if (state === 'done' && !hasFailed) return () => void postern.deletion.dismiss({ id });
  }, [id, state, hasFailed, view]);
  const undo = async (): Promise<void> => {
    const result = await postern.deletion.undo({ id });
    if (!result.ok) return flashError(result.error);
    const { restored, entriesLeft } = result.value;
    if (restored === 0) flash(() => [words.deletion.tooLate]);
    else flash(() => [words.deletion.back[kind](name, restored), words.deletion.entriesLeft(entriesLeft)]);
  };
  const lines = {
    undoable: () => [
      words.deletion.begun[kind](name, count),
      isCollection ? words.deletion.finalCollection : words.deletion.final,
    ],
    deleting: () => [words.deletion.begun[kind](name, count), words.deletion.telling],
    done: () => outcomeOf(deletion),
  }[state]();
  return (
    <Toast
      ref={place}
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
  const { revocation, registration, ended, endsByItself, registrationsLeft, kept, failure } = outcome;
  if (failure)
    return [
      words.deletion.stillHere[kind](name, servers.length),
      words.deletion.triesAgain(words.errors.message(failure)),
    ];
  const told =
    revocation && registration
      ? [words.integration.revocation[revocation], words.integration.registration[registration]]
      : [
          words.deletion.ended(ended),
          words.deletion.endsByItself(endsByItself),
          words.deletion.registrations(registrationsLeft),
        ];
  const only = servers.length === 1 ? name : undefined;
  const deleted = servers.length - kept;
  return [
    deleted > 0 ? words.deletion.finished[kind](only, deleted) : '',
    kept > 0 ? words.deletion.kept[kind](only, kept) : '',
    ...told,
  ];
}

/**
 * Pages of strangers would run without Chromium's sandbox. It goes once they open in the person's browser, and not by
 * itself: nothing else says it.
 */
function SandboxToast({ app }: { readonly app: AppView }) {
  const call = useCall<null>();
  if (app.sandbox === 'on' || app.settings.signInSurface === 'browser') return null;
  const own = words.sandbox;
  return (
    <Toast
      tone="ask"
      actions={
        <Button
          busy={call.busy}
          onClick={() => void call.run(() => postern.settings.update({ signInSurface: 'browser' }))}
        >
          {own.useBrowser}
        </Button>
      }
    >
      <p>{own.title}</p>
      <p>
        {own.why[app.sandbox]} {own.risk}
      </p>
      {call.error && <ErrorLine error={call.error} />}
    </Toast>
  );
}

/** Trouble with the keychain or the settings, with what to do about it. */
function StorageToast({ app: { storage, notices } }: { readonly app: AppView }) {
  const onSettings = useView((state) => state.view.name === 'settings');
  const test = useCall<unknown>();
  const title = storage.memoryOnly
    ? words.banner.memoryOnlyTitle
    : ((storage.error && words.errors.message(storage.error)) ?? words.banner.troubleTitle);
  const [isPutOff, putOff] = usePutOff(`storage ${title}`);
  const isTroubled = storage.state === 'trouble' || storage.memoryOnly;
  return (
    <>
      {isTroubled && !isPutOff && (
        <Toast
          tone="ask"
          actions={
            <>
              <Button busy={test.busy} onClick={() => void test.run(() => postern.storage.selfTest())}>
                {words.banner.test}
              </Button>
              {!onSettings && (
                <Button kind="quiet" onClick={() => show({ name: 'settings', section: 'storage' })}>
                  {words.banner.details}
                </Button>
              )}
              <Button kind="quiet" onClick={putOff}>
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
            <Button kind="quiet" onClick={() => void postern.app.dismissNotice({ id: notice.id })}>
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

/** Says once that there is a newer version, or that it can start; nothing happens unless the person says so. */
function UpdateToast({ app: { update } }: { readonly app: AppView }) {
  const onSettings = useView((state) => state.view.name === 'settings');
  const { state, version = '' } = update ?? {};
  const [isPutOff, putOff] = usePutOff(`update ${state} ${version}`);
  if (onSettings || (state !== 'available' && state !== 'ready') || isPutOff) return null;
  const isReady = state === 'ready';
  return (
    <Toast
      actions={
        <>
          <Button onClick={() => void (isReady ? postern.update.install() : postern.update.download())}>
            {isReady ? words.update.restart : words.update.download}
          </Button>
          <Button kind="quiet" onClick={putOff}>
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

const useStore = create<{ readonly keys: ReadonlySet<string> }>()(() => ({ keys: new Set() }));

/** Whether a person has put off what `key` names, until the next start; something else than before has another key. */
function usePutOff(key: string): readonly [isPutOff: boolean, putOff: () => void] {
  const isPutOff = useStore(({ keys }) => keys.has(key));
  return [isPutOff, () => useStore.setState(({ keys }) => ({ keys: new Set([...keys, key]) }))];
}
