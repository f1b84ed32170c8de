import path from 'node:path';
import { app, BaseWindow, BrowserWindow, Menu, nativeTheme } from 'electron';
import { askingPage } from '../../../shared/ipc-channels.ts';
import type { IpcEvent, PosternLink, WindowCommand } from '../../../shared/ipc-event.ts';
import type { WindowBounds } from '../../window-ports.ts';
import { windowWords } from '../../window-words.ts';
import { installCommand } from '../electron/desktop-shell.ts';
import { createMainWindow, boundsOf } from '../electron/main-window.ts';
import { menuTemplate } from '../electron/menu-template.ts';
import { appOrigin } from '../electron/resolve-app-file.ts';
import { sendEvent, TrustedSenders } from '../ipc/handle-call.ts';

interface PosternWindowsOptions {
  /** Folder of the bundles: `main`, `preload`, `renderer`. */
  readonly bundles: string;
  /** Resolves once the session of our own pages has no network. */
  readonly sealed: Promise<void>;
  readonly bounds: () => WindowBounds | undefined;
  readonly onBounds: (bounds: WindowBounds) => void;
  readonly onClosed: () => void;
  /** The window was hidden instead of closed. */
  readonly onHidden: () => void;
  /** The page tried to navigate away. */
  readonly onBlocked: () => void;
}

/** The main window, and the trusted IPC senders. */
export class PosternWindows {
  readonly senders = new TrustedSenders(appOrigin);
  readonly #options: PosternWindowsOptions;
  readonly #linkFocus = new LinkFocusLimit();
  /** True while an app waits for the user's answer. */
  #isAsking = false;
  #window: BrowserWindow | undefined;
  #isHidden = false;
  /** Events for a window that is not ready yet; `undefined` if it is ready. */
  #pendingEvents: IpcEvent[] | undefined = [];

  constructor(options: PosternWindowsOptions) {
    this.#options = options;
    this.showMenu();
  }

  /** The visible window. */
  get current(): BrowserWindow | undefined {
    return this.#isHidden ? undefined : this.#window;
  }

  /** Sets the menu in the current language. */
  showMenu(): void {
    const onCommand = (command: WindowCommand): void => this.command(command);
    const { platform } = process;
    const onInstallCommand = platform === 'darwin' && app.isPackaged ? (): void => void installCommand() : undefined;
    const template = menuTemplate({ platform, devTools: !app.isPackaged, onCommand, onInstallCommand });
    Menu.setApplicationMenu(Menu.buildFromTemplate(template));
  }

  /** Opens the window or brings it to the front. */
  show(): void {
    if (this.#window) {
      this.#isHidden = false;
      if (this.#window.isMinimized()) this.#window.restore();
      this.#window.show();
      this.#window.focus();
      return;
    }
    // After a start in the background there is no Dock icon yet.
    void app.dock?.show();
    const { bundles, sealed, bounds, onBounds, onClosed, onBlocked } = this.#options;
    const window = createMainWindow({
      bounds: bounds(),
      preload: path.join(bundles, 'preload', 'index.cjs'),
      backgroundColor: nativeTheme.shouldUseDarkColors ? '#17181a' : '#fbfaf8',
      devTools: !app.isPackaged,
      sealed,
      onBlocked,
      onBounds,
    });
    const { id } = window.webContents;
    this.#window = window;
    this.#pendingEvents = [];
    this.senders.add(id);
    window.on('focus', () => window.flashFrame(false));
    this.#hideInsteadOfLosingInput(window);
    window.on('closed', () => {
      this.senders.remove(id);
      this.#window = undefined;
      this.#isHidden = false;
      onClosed();
    });
  }

  /** A page with unsaved input refuses to close: hide the window instead, so that nothing is lost. */
  #hideInsteadOfLosingInput(window: BrowserWindow): void {
    let isClosing = false;
    window.on('close', () => (isClosing = true));
    window.webContents.on('will-prevent-unload', (event) => {
      // A developer reloads the page.
      if (!isClosing) return event.preventDefault();
      isClosing = false;
      this.#isHidden = true;
      window.hide();
      this.#options.onHidden();
    });
  }

  /** Reports the bounds: on quit, the window is destroyed without a `close` event. */
  saveBounds(): void {
    if (this.#window) this.#options.onBounds(boundsOf(this.#window));
  }

  send(event: IpcEvent): void {
    const approvals = event.event === 'snapshot' ? event.slices.approvals : undefined;
    if (approvals) this.#isAsking = approvals.some(({ isMissed }) => !isMissed);
    if (this.#window) sendEvent(this.#window.webContents, event);
  }

  /** The page is ready to receive events. */
  onInteractive(): void {
    const pending = this.#pendingEvents ?? [];
    this.#pendingEvents = undefined;
    for (const event of pending) this.send(event);
  }

  /** Sends a command to the window, opening it first if needed. */
  command(command: WindowCommand, integrationId?: string): void {
    this.#showAndSend({ event: 'command', command, ...(integrationId !== undefined && { integrationId }) });
  }

  /**
   * Shows the target of a link. If taking the focus would interrupt the user, only the taskbar flashes. Of links that
   * arrive before the window is ready, the newest is shown.
   */
  open(link: PosternLink): void {
    this.#pendingEvents = this.#pendingEvents?.filter(({ event }) => event !== 'link');
    const isSignIn = BaseWindow.getAllWindows().some((each) => each !== this.#window);
    const takesFocus = this.#linkFocus.allows(link, isSignIn || this.#isAsking);
    if (takesFocus || !this.current) this.show();
    else if (!this.current.isFocused()) this.current.flashFrame(true);
    this.#sendWhenReady({ event: 'link', link });
  }

  #showAndSend(event: IpcEvent): void {
    this.show();
    this.#sendWhenReady(event);
  }

  #sendWhenReady(event: IpcEvent): void {
    if (this.#pendingEvents) this.#pendingEvents.push(event);
    else this.send(event);
  }
}

/** Milliseconds during which links may bring the window to the front only once. */
const focusInterval = 5_000;

/** Limits how often links bring the window to the front: any web page can send many. */
class LinkFocusLimit {
  #last = -Infinity;

  /** `isUserBusy`: the user is signing in or answering a question. */
  allows({ kind }: PosternLink, isUserBusy: boolean): boolean {
    const now = performance.now();
    if (kind === 'unusable' || isUserBusy || now - this.#last < focusInterval) return false;
    this.#last = now;
    return true;
  }
}

interface ConfirmationWindowOptions {
  /** Folder of the bundles: `preload`. */
  readonly bundles: string;
  /** Resolves once the session of our own pages has no network. */
  readonly sealed: Promise<void>;
  readonly senders: TrustedSenders;
  /** The user closed the window, which refuses these calls. */
  readonly onRefused: (ids: readonly string[]) => void;
}

const confirmationSize = { width: 480, height: 440, minWidth: 360, minHeight: 320 } as const;

/** A small always-on-top window that asks about tool calls, while any is waiting. */
export class ConfirmationWindow {
  readonly #options: ConfirmationWindowOptions;
  #window: BrowserWindow | undefined;
  #waiting: readonly string[] = [];

  constructor(options: ConfirmationWindowOptions) {
    this.#options = options;
  }

  /** Receives every event for windows. */
  handleEvent(event: IpcEvent): void {
    const calls = event.event === 'snapshot' ? event.slices.heldCalls : undefined;
    if (calls) {
      this.#waiting = calls.map(({ id }) => id);
      if (calls.length > 0) this.#window ??= this.#open();
      // `destroy` emits no `close`, so nothing is refused.
      else this.#window?.destroy();
    }
    if (this.#window && event.event === 'snapshot') sendEvent(this.#window.webContents, event);
  }

  /** Brings it to the front. False if no call is waiting. */
  show(): boolean {
    this.#window?.show();
    this.#window?.focus();
    return this.#window !== undefined;
  }

  #open(): BrowserWindow {
    const { bundles, sealed, senders, onRefused } = this.#options;
    const window = new BrowserWindow({
      ...confirmationSize,
      title: windowWords.app,
      show: false,
      alwaysOnTop: true,
      autoHideMenuBar: true,
      maximizable: false,
      fullscreenable: false,
      backgroundColor: nativeTheme.shouldUseDarkColors ? '#17181a' : '#fbfaf8',
      webPreferences: {
        preload: path.join(bundles, 'preload', 'index.cjs'),
        contextIsolation: true,
        sandbox: true,
        nodeIntegration: false,
        webviewTag: false,
        devTools: false,
        navigateOnDragDrop: false,
        spellcheck: false,
      },
    });
    const { id } = window.webContents;
    senders.add(id);
    window.on('page-title-updated', (event) => event.preventDefault());
    window.once('ready-to-show', () => window.show());
    window.on('close', () => onRefused(this.#waiting));
    window.on('closed', () => {
      senders.remove(id);
      this.#window = undefined;
    });
    // The caller handles a failure of `sealed`.
    sealed.then(
      () => void window.loadURL(`${appOrigin}/index.html${askingPage}`).catch(() => {}),
      () => {},
    );
    return window;
  }
}
