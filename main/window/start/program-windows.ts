import path from 'node:path';
import { app, BaseWindow, BrowserWindow, Menu, nativeTheme } from 'electron';
import { askingPage } from '../../../shared/ipc-channels.ts';
import type { IpcEvent, PosternLink, WindowCommand } from '../../../shared/ipc-event.ts';
import type { WindowPlace } from '../../window-ports.ts';
import { windowWords } from '../../window-words.ts';
import { installCommand } from '../electron/desktop-shell.ts';
import { createMainWindow, placeOf } from '../electron/main-window.ts';
import { menuTemplate } from '../electron/menu-template.ts';
import { appOrigin } from '../electron/resolve-app-file.ts';
import { sendEvent, TrustedSenders } from '../ipc/answer-call.ts';

interface ProgramWindowsOptions {
  /** Where the bundles lie: `main`, `preload`, `renderer`. */
  readonly bundles: string;
  /** Resolves once the session of our own pages has no network. */
  readonly sealed: Promise<void>;
  readonly place: () => WindowPlace | undefined;
  readonly onPlace: (place: WindowPlace) => void;
  readonly onClosed: () => void;
  /** It is out of sight, and there again as it was once it is shown. */
  readonly onHidden: () => void;
  /** The window's page tried to go elsewhere. */
  readonly onBlocked: () => void;
}

/** The one main window, and who may speak for it. */
export class ProgramWindows {
  readonly senders = new TrustedSenders(appOrigin);
  readonly #options: ProgramWindowsOptions;
  readonly #linkFocus = new LinkFocus();
  /** A program waits for an answer. */
  #isQuestion = false;
  #window: BrowserWindow | undefined;
  #isHidden = false;
  /** What a window that is still to come is asked to show; `undefined`: the one that is there can be asked. */
  #unsaid: IpcEvent[] | undefined = [];

  constructor(options: ProgramWindowsOptions) {
    this.#options = options;
    this.showMenu();
  }

  /** The one that a person can see. */
  get current(): BrowserWindow | undefined {
    return this.#isHidden ? undefined : this.#window;
  }

  /** The menu, in the language that is spoken now. */
  showMenu(): void {
    const onCommand = (command: WindowCommand): void => this.command(command);
    const { platform } = process;
    const onInstallCommand = platform === 'darwin' && app.isPackaged ? (): void => void installCommand() : undefined;
    const template = menuTemplate({ platform, devTools: !app.isPackaged, onCommand, onInstallCommand });
    Menu.setApplicationMenu(Menu.buildFromTemplate(template));
  }

  /** Opens the window, or brings the one that is there to the front. */
  show(): void {
    if (this.#window) {
      this.#isHidden = false;
      if (this.#window.isMinimized()) this.#window.restore();
      this.#window.show();
      this.#window.focus();
      return;
    }
    // It began without a window, and so without an icon in the Dock.
    void app.dock?.show();
    const { bundles, sealed, place, onPlace, onClosed, onBlocked } = this.#options;
    const window = createMainWindow({
      place: place(),
      preload: path.join(bundles, 'preload', 'index.cjs'),
      backgroundColor: nativeTheme.shouldUseDarkColors ? '#17181a' : '#fbfaf8',
      devTools: !app.isPackaged,
      sealed,
      onBlocked,
      onPlace,
    });
    const { id } = window.webContents;
    this.#window = window;
    this.#unsaid = [];
    this.senders.add(id);
    window.on('focus', () => window.flashFrame(false));
    this.#hideWithWhatIsTyped(window);
    window.on('closed', () => {
      this.senders.remove(id);
      this.#window = undefined;
      this.#isHidden = false;
      onClosed();
    });
  }

  /** Its page objects to being closed while it holds what was typed: it goes out of sight instead, and nothing is lost. */
  #hideWithWhatIsTyped(window: BrowserWindow): void {
    let isClosing = false;
    window.on('close', () => (isClosing = true));
    window.webContents.on('will-prevent-unload', (event) => {
      // A developer loads it anew.
      if (!isClosing) return event.preventDefault();
      isClosing = false;
      this.#isHidden = true;
      window.hide();
      this.#options.onHidden();
    });
  }

  /** Tells where the window is now: at the end of the program it closes without saying so. */
  remember(): void {
    if (this.#window) this.#options.onPlace(placeOf(this.#window));
  }

  send(event: IpcEvent): void {
    const approvals = event.event === 'snapshot' ? event.slices.approvals : undefined;
    if (approvals) this.#isQuestion = approvals.some(({ isMissed }) => !isMissed);
    if (this.#window) sendEvent(this.#window.webContents, event);
  }

  /** Its page can be asked from now on. */
  interactive(): void {
    const unsaid = this.#unsaid ?? [];
    this.#unsaid = undefined;
    for (const event of unsaid) this.send(event);
  }

  /** Asks the window to show something; opens it first where there is none. */
  command(command: WindowCommand, integrationId?: string): void {
    this.#ask({ event: 'command', command, ...(integrationId !== undefined && { integrationId }) });
  }

  /**
   * The same for what a link leads to, where it takes the focus from nothing; else the task bar says that something
   * came. Of those that come before the window can be asked the newest is shown.
   */
  open(link: PosternLink): void {
    this.#unsaid = this.#unsaid?.filter(({ event }) => event !== 'link');
    const isSignIn = BaseWindow.getAllWindows().some((each) => each !== this.#window);
    const takesFocus = this.#linkFocus.takes(link, isSignIn || this.#isQuestion);
    if (takesFocus || !this.current) this.show();
    else if (!this.current.isFocused()) this.current.flashFrame(true);
    this.#say({ event: 'link', link });
  }

  #ask(event: IpcEvent): void {
    this.show();
    this.#say(event);
  }

  #say(event: IpcEvent): void {
    if (this.#unsaid) this.#unsaid.push(event);
    else this.send(event);
  }
}

/** Milliseconds in which links bring the window to the front once. */
const rest = 5_000;

/** When a link may bring the window to the front: any page of the web can send many. */
class LinkFocus {
  #last = -Infinity;

  /** `isAsked`: the person signs in, or is asked something. `now`: milliseconds of a clock that is never set. */
  takes({ kind }: PosternLink, isAsked: boolean, now = performance.now()): boolean {
    if (kind === 'unusable' || isAsked || now - this.#last < rest) return false;
    this.#last = now;
    return true;
  }
}

interface AskingWindowOptions {
  /** Where the bundles lie: `preload`. */
  readonly bundles: string;
  /** Resolves once the session of our own pages has no network. */
  readonly sealed: Promise<void>;
  readonly senders: TrustedSenders;
  /** The person has closed it, and so said no to these calls. */
  readonly onRefused: (ids: readonly string[]) => void;
}

const size = { width: 480, height: 440, minWidth: 360, minHeight: 320 } as const;

/** A small window above all others that asks about calls of tools, as long as one waits. */
export class AskingWindow {
  readonly #options: AskingWindowOptions;
  #window: BrowserWindow | undefined;
  #waiting: readonly string[] = [];

  constructor(options: AskingWindowOptions) {
    this.#options = options;
  }

  /** Takes what windows are shown. */
  take(event: IpcEvent): void {
    const calls = event.event === 'snapshot' ? event.slices.heldCalls : undefined;
    if (calls) {
      this.#waiting = calls.map(({ id }) => id);
      if (calls.length > 0) this.#window ??= this.#open();
      // Nothing is refused by that.
      else this.#window?.destroy();
    }
    if (this.#window && event.event === 'snapshot') sendEvent(this.#window.webContents, event);
  }

  #open(): BrowserWindow {
    const { bundles, sealed, senders, onRefused } = this.#options;
    const window = new BrowserWindow({
      ...size,
      title: windowWords.program,
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
    // Whoever sealed it is told of a failure.
    sealed.then(
      () => void window.loadURL(`${appOrigin}/index.html${askingPage}`).catch(() => {}),
      () => {},
    );
    return window;
  }
}
