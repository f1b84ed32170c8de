import { useEffect, useState } from 'react';
import { hasTrait } from '../../shared/error-traits.ts';
import { ActivityPage } from '../activity/activity-page.tsx';
import { ServerQuestions } from '../elicitation/server-questions.tsx';
import { ConnectPage } from '../connect/connect-page.tsx';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { HomePage } from '../home/home-page.tsx';
import { IntegrationPage } from '../integration/integration-page.tsx';
import { toggleSidebar } from '../integrations/sidebar-fold.ts';
import { Sidebar } from '../integrations/sidebar.tsx';
import { Palette } from '../palette/palette.tsx';
import { Button } from '../components/button.tsx';
import { Notice, PageBoundary } from '../components/notice.tsx';
import { HeldCalls } from '../permissions/held-calls.tsx';
import { postern, useCall } from '../postern.ts';
import { useStaleEntries } from '../apps/use-stale-entries.tsx';
import { AppPage } from '../apps/app-page.tsx';
import { AppsPage } from '../apps/apps-page.tsx';
import { AppSelectionDialog } from '../apps/app-selection.tsx';
import { ApprovalDialogs } from '../apps/approval-dialogs.tsx';
import { SettingsPage } from '../settings/settings-page.tsx';
import { removedServers, isCollection, useSnapshots, useServersAndCollections } from '../store.ts';
import type { ServerOrCollection } from '../store.ts';
import { endRemoval, flashError, focusSearch, openPalette, show, showConnected, useView } from '../view.ts';
import type { DroppedText } from '../view.ts';
import { formatFullDate, setLanguage, useLanguage, words } from '../words.ts';
import './app.css';
import { Toasts } from './toasts.tsx';

/** Sidebar plus one page. Renders nothing until main has sent its first snapshot. */
export function App() {
  const ready = useSnapshots((state) => Boolean(state.desktop && state.integrations && state.connections));
  useTheme();
  const language = useLanguage((state) => state.language);
  useLanguageSetting();
  return ready && language ? <Frame /> : null;
}

function Frame() {
  const view = useView((state) => state.view);
  useShortcuts();
  useFocusFallback();
  const isReadOnly = useSnapshots((state) => state.desktop?.settingsTrouble !== undefined);
  const isDropOver = useDrop();
  useEffect(() => {
    void postern.desktop.interactive();
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
              section={view.section}
              openAdvanced={view.openAdvanced === true}
            />
          )}
          {view.name === 'apps' && !isReadOnly && <AppsPage />}
          {view.name === 'app' && !isReadOnly && <AppPage id={view.id} />}
          {view.name === 'activity' && !isReadOnly && <ActivityPage />}
          {view.name === 'settings' && <SettingsPage view={view} />}
        </PageBoundary>
      </main>
      <Toasts />
      <CompleteSignIns />
      <PendingRemoval />
      <AppSelectionDialog />
      <Palette />
      <ApprovalDialogs />
      <ServerQuestions />
      {isDropOver && (
        <div className="drop-veil" aria-hidden="true">
          {words.connect.dropHere}
        </div>
      )}
    </div>
  );
}

/** The small window that asks the user about held tool calls. */
export function HeldCallsApp() {
  const isReady = useSnapshots((state) => Boolean(state.desktop && state.heldCalls));
  const language = useLanguage((state) => state.language);
  useTheme();
  useLanguageSetting();
  return isReady && language ? <HeldCalls /> : null;
}

/** The design tokens follow the system on their own; `data-theme` overrides it. */
function useTheme(): void {
  const theme = useSnapshots((state) => state.desktop?.theme);
  useEffect(() => {
    if (theme === undefined || theme === 'system') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = theme;
  }, [theme]);
}

/** Main decides: the setting, or the system language. */
function useLanguageSetting(): void {
  const language = useSnapshots((state) => state.desktop?.language);
  useEffect(() => {
    if (language) void setLanguage(language);
  }, [language]);
}

/**
 * When the focused element is removed and nothing takes the focus, move it to the top dialog or the page, so that Tab
 * does not restart at the top of the window.
 */
function useFocusFallback(): void {
  useEffect(() => {
    let focused: EventTarget | null = null;
    const moveFocus = (): void => {
      if (document.activeElement !== document.body) return;
      [...document.querySelectorAll<HTMLElement>('main, dialog')].at(-1)?.focus({ preventScroll: true });
    };
    const observer = new MutationObserver(() => {
      if (!(focused instanceof Element) || focused.isConnected) return;
      focused = null;
      // Wait for whatever replaces it: that may set a better focus itself.
      setTimeout(moveFocus);
    });
    const rememberFocus = ({ target }: FocusEvent): void => void (focused = target);
    document.addEventListener('focusin', rememberFocus);
    observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      observer.disconnect();
      document.removeEventListener('focusin', rememberFocus);
    };
  }, []);
}

/** Shortcuts for platforms without a native menu (and in full screen). */
function useShortcuts(): void {
  const isMac = useSnapshots((state) => state.desktop?.platform === 'darwin');
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
  b: toggleSidebar,
  ',': () => show({ name: 'settings' }),
};

/** Bytes; larger dropped files are ignored. */
const fileLimit = 1_048_576;

/**
 * Dropping a link or an `mcp.json` anywhere opens the connect page, except over a dialog or when dragging text within
 * the window. Returns whether a drag hovers over the window.
 */
function useDrop(): boolean {
  const [isOver, setIsOver] = useState(false);
  useEffect(() => {
    // Drags that start in this page are not ours.
    let isOwn = false;
    const leave = (): void => setIsOver(false);
    const canDrop = (event: DragEvent): boolean =>
      !isOwn && event.dataTransfer !== null && document.querySelector('dialog') === null;
    const listeners = {
      dragstart: () => void (isOwn = true),
      dragend: () => void (isOwn = false),
      dragover(event: DragEvent) {
        if (canDrop(event)) {
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
        if (canDrop(event) && event.dataTransfer) {
          event.preventDefault();
          void openDropped(event.dataTransfer);
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

/** Keeps the connect page's current connection until the drop replaces it. */
async function openDropped(data: DataTransfer): Promise<void> {
  const { view } = useView.getState();
  const dropped = await readDropped(data);
  if (!dropped) return;
  show({ name: 'connect', dropped, ...(view.name === 'connect' && { connectionId: view.connectionId }) });
}

/** A link, an address as text, or a file such as `mcp.json`. Returns `undefined` for anything else. */
async function readDropped(data: DataTransfer): Promise<DroppedText | undefined> {
  const [file] = data.files;
  if (file !== undefined) return file.size > fileLimit ? undefined : { text: await file.text() };
  const link = data
    .getData('text/uri-list')
    .split(/\r?\n/)
    .find((line) => line !== '' && !line.startsWith('#'));
  const text = (link ?? data.getData('text/plain')).trim();
  return text === '' ? undefined : { text };
}

/** Finishes every sign-in, whichever page is open. */
function CompleteSignIns() {
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
    ({ state }) => state.name === 'ticketIssued' && <RedeemTicket key={state.ticketId} ticketId={state.ticketId} />,
  );
}

/** Redeems the ticket that main issued to this window (spec 2.10). Main accepts a ticket only once. */
function RedeemTicket({ ticketId }: { readonly ticketId: string }) {
  useEffect(() => void postern.connection.install({ ticketId }), [ticketId]);
  return null;
}

/** The settings file is unusable: nothing is changed until the user decides. */
function SettingsTrouble() {
  const trouble = useSnapshots((state) => state.desktop?.settingsTrouble);
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
              {hasTrait(error, 'settings-content') ? words.settings.openFile : words.settings.openFolder}
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
          {!hasTrait(error, 'settings-content')
            ? words.errors.nextStep(error.remedy)
            : lastGood
              ? words.settings.lastGood(lastGood.servers, formatFullDate(lastGood.writtenAt))
              : words.settings.noLastGood}
        </p>
      </Notice>
      {failed && <ErrorNotice error={failed} />}
    </div>
  );
}

/** Runs a requested removal: shows app entries that would stop working before main asks for confirmation. */
function PendingRemoval() {
  const removing = useView((state) => state.removing);
  const servers = useServersAndCollections(removing);
  return servers.length > 0 && <RemovalFlow key={removing?.join(' ')} servers={servers} />;
}

function RemovalFlow({ servers }: { readonly servers: readonly ServerOrCollection[] }) {
  const ids = servers.map(({ id }) => id);
  const name = servers.length === 1 ? servers[0]?.name : words.arrange.chosen(servers.length);
  const remove = async (entries: string[]): Promise<void> => {
    const [id = ''] = ids;
    if (isCollection(id)) {
      const removed = await postern.collection.remove({ id, entries });
      endRemoval();
      return removed.ok ? undefined : flashError(removed.error);
    }
    // Keep unsaved input for these servers until the removal can no longer be undone.
    removedServers.markRequested(ids);
    const result = await postern.integration.remove({ ids, entries });
    removedServers.settleRequest(ids, result.ok && result.value !== null);
    endRemoval();
    if (!result.ok) return flashError(result.error);
    const { view } = useView.getState();
    if (result.value && view.name === 'integration' && ids.includes(view.id)) show({ name: 'home' });
  };
  const { begin, dialog, error } = useStaleEntries({ integrations: ids }, name, remove, endRemoval);
  useEffect(() => void begin(), []);
  useEffect(() => {
    if (!error) return;
    flashError(error);
    endRemoval();
  }, [error]);
  return dialog;
}
