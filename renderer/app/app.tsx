import { useEffect, useState } from 'react';
import { isAbout } from '../../shared/error-facts.ts';
import { ActivityPage } from '../activity/activity-page.tsx';
import { ServerQuestions } from '../asking/server-question.tsx';
import { ConnectPage } from '../connect/connect-page.tsx';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { HomePage } from '../home/home-page.tsx';
import { IntegrationPage } from '../integration/integration-page.tsx';
import { turnSidebar } from '../integrations/sidebar-fold.ts';
import { Sidebar } from '../integrations/sidebar.tsx';
import { Palette } from '../palette/palette.tsx';
import { Button } from '../parts/button.tsx';
import { Notice, PageBoundary } from '../parts/notice.tsx';
import { HeldCalls } from '../permissions/held-calls.tsx';
import { postern, useCall } from '../postern.ts';
import { useBeforeLeaving } from '../programs/leaving-dialog.tsx';
import { ProgramPage } from '../programs/program-page.tsx';
import { ProgramsPage } from '../programs/programs-page.tsx';
import { UseSeveralDialog } from '../programs/use-in-programs.tsx';
import { UseQuestions } from '../programs/use-question.tsx';
import { SettingsPage } from '../settings/settings-page.tsx';
import { goneServers, isCollection, useSnapshots, useUsed } from '../store.ts';
import type { Used } from '../store.ts';
import { endRemoval, flashError, focusSearch, openPalette, show, showConnected, useView } from '../view.ts';
import type { Dropped } from '../view.ts';
import { formatWhole, speak, useLanguage, words } from '../words.ts';
import './app.css';
import { Flash } from './flash.tsx';

/** The list beside the one thing that is looked at. Nothing is drawn before main has said what there is. */
export function App() {
  const ready = useSnapshots((state) => Boolean(state.app && state.integrations && state.connections));
  useTheme();
  const language = useLanguage((state) => state.language);
  useWantedLanguage();
  return ready && language ? <Frame /> : null;
}

function Frame() {
  const view = useView((state) => state.view);
  useShortcuts();
  useKeptFocus();
  const isReadOnly = useSnapshots((state) => state.app?.settingsTrouble !== undefined);
  const isDropOver = useDrop();
  useEffect(() => {
    void postern.app.interactive();
  }, []);
  return (
    <div className="frame">
      <Sidebar />
      <main className="pane" tabIndex={-1} key={'id' in view ? `${view.name} ${view.id}` : view.name}>
        <PageBoundary>
          {isReadOnly && view.name !== 'settings' && <h1 className="bar">{words.settings.unreadable}</h1>}
          <SettingsTrouble />
          {view.name === 'home' && !isReadOnly && <HomePage />}
          {view.name === 'connect' && !isReadOnly && (
            <ConnectPage connectionId={view.connectionId} dropped={view.dropped} linked={view.linked} />
          )}
          {view.name === 'integration' && !isReadOnly && (
            <IntegrationPage
              id={view.id}
              tab={view.tab}
              isNew={view.isNew === true}
              openAdvanced={view.openAdvanced === true}
            />
          )}
          {view.name === 'programs' && !isReadOnly && <ProgramsPage />}
          {view.name === 'program' && !isReadOnly && <ProgramPage id={view.id} />}
          {view.name === 'activity' && !isReadOnly && <ActivityPage />}
          {view.name === 'settings' && <SettingsPage section={view.section} />}
        </PageBoundary>
      </main>
      <Flash />
      <FinishConnections />
      <Removal />
      <UseSeveralDialog />
      <Palette />
      <UseQuestions />
      <ServerQuestions />
      {isDropOver && (
        <div className="drop-veil" aria-hidden="true">
          {words.connect.dropHere}
        </div>
      )}
    </div>
  );
}

/** The small window that asks about calls of tools. */
export function AskingApp() {
  const isReady = useSnapshots((state) => Boolean(state.app && state.heldCalls));
  const language = useLanguage((state) => state.language);
  useTheme();
  useWantedLanguage();
  return isReady && language ? <HeldCalls /> : null;
}

/** The tokens follow the system by themselves; a choice of the person stands above it. */
function useTheme(): void {
  const theme = useSnapshots((state) => state.app?.theme);
  useEffect(() => {
    if (theme === undefined || theme === 'system') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = theme;
  }, [theme]);
}

/** As main says: chosen in the settings, or that of the system. */
function useWantedLanguage(): void {
  const language = useSnapshots((state) => state.app?.language);
  useEffect(() => {
    if (language) void speak(language);
  }, [language]);
}

/**
 * Where the part that has the focus goes away and nobody takes it on, the page does, or the dialog above it: the Tab key
 * then goes on within that, and not from the top of the window.
 */
function useKeptFocus(): void {
  useEffect(() => {
    let focused: EventTarget | null = null;
    const take = (): void => {
      if (document.activeElement !== document.body) return;
      [...document.querySelectorAll<HTMLElement>('main, dialog')].at(-1)?.focus({ preventScroll: true });
    };
    const observer = new MutationObserver(() => {
      if (!(focused instanceof Element) || focused.isConnected) return;
      focused = null;
      // After whatever comes in its place: that knows better.
      setTimeout(take);
    });
    const remember = ({ target }: FocusEvent): void => void (focused = target);
    document.addEventListener('focusin', remember);
    observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      observer.disconnect();
      document.removeEventListener('focusin', remember);
    };
  }, []);
}

/** Where there is no native menu that would have taken them (and in full screen). */
function useShortcuts(): void {
  const isMac = useSnapshots((state) => state.app?.platform === 'darwin');
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const chosen = isMac ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey;
      if (!chosen || event.altKey || event.shiftKey || document.querySelector('dialog') !== null) return;
      const action = actions[event.key.toLowerCase()];
      if (action === undefined) return;
      event.preventDefault();
      action();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [isMac]);
}

const actions: Readonly<Record<string, (() => void) | undefined>> = {
  n: () => show({ name: 'connect' }),
  f: focusSearch,
  k: openPalette,
  b: turnSidebar,
  ',': () => show({ name: 'settings' }),
};

/** The most that a dropped file may hold, in bytes. */
const fileLimit = 1_048_576;

/**
 * A link or an `mcp.json` that is dropped anywhere in the window leads to the connect page. Not over a dialog, nor
 * where text is dragged within the window. Answers whether something is held over the window.
 */
function useDrop(): boolean {
  const [isOver, setIsOver] = useState(false);
  useEffect(() => {
    // What is dragged from this page is not ours to take.
    let isOwn = false;
    const leave = (): void => setIsOver(false);
    const isWelcome = (event: DragEvent): boolean =>
      !isOwn && event.dataTransfer !== null && document.querySelector('dialog') === null;
    const listeners = {
      dragstart: () => void (isOwn = true),
      dragend: () => void (isOwn = false),
      dragover(event: DragEvent) {
        if (isWelcome(event)) {
          event.preventDefault();
          setIsOver(true);
        } else if (!isOwn && !isField(event.target)) {
          event.preventDefault();
          if (event.dataTransfer) event.dataTransfer.dropEffect = 'none';
        }
      },
      dragleave: (event: DragEvent) => event.relatedTarget === null && leave(),
      drop(event: DragEvent) {
        leave();
        if (isWelcome(event) && event.dataTransfer) {
          event.preventDefault();
          void takeDropped(event.dataTransfer);
        } else if (!isField(event.target)) event.preventDefault();
      },
    };
    for (const [name, listener] of Object.entries(listeners)) window.addEventListener(name, listener as EventListener);
    return () => {
      for (const [name, listener] of Object.entries(listeners)) {
        window.removeEventListener(name, listener as EventListener);
      }
    };
  }, []);
  return isOver;
}

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;

/** What is looked at on the connect page stays there until the drop takes its place. */
async function takeDropped(data: DataTransfer): Promise<void> {
  const { view } = useView.getState();
  const dropped = await readDropped(data);
  if (!dropped) return;
  show({ name: 'connect', dropped, ...(view.name === 'connect' && { connectionId: view.connectionId }) });
}

/** A link, an address as text, or a file such as `mcp.json`; `undefined` for anything else. */
async function readDropped(data: DataTransfer): Promise<Dropped | undefined> {
  const [file] = data.files;
  if (file !== undefined) return file.size > fileLimit ? undefined : { text: await file.text() };
  const link = data
    .getData('text/uri-list')
    .split(/\r?\n/)
    .find((line) => line !== '' && !line.startsWith('#'));
  const text = (link ?? data.getData('text/plain')).trim();
  return text === '' ? undefined : { text };
}

/** Brings every sign-in to its end, whatever is being looked at. */
function FinishConnections() {
  const connections = useSnapshots((state) => state.connections);
  const view = useView((state) => state.view);
  useEffect(() => {
    for (const { id, state } of connections ?? []) {
      if (state.name !== 'integrated') continue;
      if (view.name === 'connect' && view.connectionId === id) showConnected(state.integrationId);
      void postern.connection.cancel({ id });
    }
  }, [connections, view]);
  return connections?.map(
    ({ state }) => state.name === 'ticketIssued' && <HandIn key={state.ticketId} ticketId={state.ticketId} />,
  );
}

/** Shows main the ticket that it has issued to this window, once (spec 2.10); main takes it once in any case. */
function HandIn({ ticketId }: { readonly ticketId: string }) {
  useEffect(() => void postern.connection.install({ ticketId }), [ticketId]);
  return null;
}

/** The settings file cannot be used: nothing is changed, and a person says how it goes on. */
function SettingsTrouble() {
  const trouble = useSnapshots((state) => state.app?.settingsTrouble);
  const open = useCall<unknown>();
  const restore = useCall<unknown>();
  if (trouble === undefined) return null;
  const { error, lastGood } = trouble;
  const failed = restore.error ?? open.error;
  return (
    <div className="bar stack-tight">
      <Notice
        tone="stop"
        urgent
        title={words.errors.message(error)}
        actions={
          <>
            <Button busy={open.busy} onClick={() => void open.run(() => postern.settings.openFile())}>
              {isAbout(error, 'settings-content') ? words.settings.openFile : words.settings.openFolder}
            </Button>
            {lastGood && (
              <Button busy={restore.busy} onClick={() => void restore.run(() => postern.settings.restore())}>
                {words.settings.restore}
              </Button>
            )}
          </>
        }
      >
        <p>{words.settings.readOnly}</p>
        <p>
          {!isAbout(error, 'settings-content')
            ? words.errors.nextStep(error.remedy)
            : lastGood
              ? words.settings.lastGood(lastGood.servers, formatWhole(lastGood.writtenAt))
              : words.settings.noLastGood}
        </p>
      </Notice>
      {failed && <ErrorNotice error={failed} />}
    </div>
  );
}

/** A removal that was asked for somewhere: the entries that would lead nowhere are shown before main asks. */
function Removal() {
  const removing = useView((state) => state.removing);
  const servers = useUsed(removing);
  return servers.length > 0 && <Removing key={removing?.join(' ')} servers={servers} />;
}

function Removing({ servers }: { readonly servers: readonly Used[] }) {
  const ids = servers.map(({ id }) => id);
  const name = servers.length === 1 ? servers[0]?.name : words.arrange.chosen(servers.length);
  const remove = async (entries: string[]): Promise<void> => {
    const [id = ''] = ids;
    if (isCollection(id)) {
      const removed = await postern.collection.remove({ id, entries });
      endRemoval();
      return removed.ok ? undefined : flashError(removed.error);
    }
    // What was typed for them stays until that cannot be undone any more.
    goneServers.ask(ids);
    const result = await postern.integration.remove({ ids, entries });
    goneServers.answer(ids, result.ok && result.value !== null);
    endRemoval();
    if (!result.ok) return flashError(result.error);
    const { view } = useView.getState();
    if (result.value && view.name === 'integration' && ids.includes(view.id)) show({ name: 'home' });
  };
  const { begin, dialog, error } = useBeforeLeaving({ integrations: ids }, name, remove, endRemoval);
  useEffect(() => void begin(), []);
  useEffect(() => {
    if (!error) return;
    flashError(error);
    endRemoval();
  }, [error]);
  return dialog;
}
