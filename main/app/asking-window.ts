import path from 'node:path';
import { BrowserWindow, nativeTheme } from 'electron';
import type { IpcEvent } from '../../shared/ipc-event.ts';
import { askingPage } from '../../shared/asking-page.ts';
import { sendEvent } from '../ipc/send-event.ts';
import type { TrustedSenders } from '../ipc/trusted-senders.ts';
import { appOrigin } from '../windows/resolve-app-file.ts';
import { windowWords } from '../window-words.ts';

export interface AskingWindowOptions {
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
