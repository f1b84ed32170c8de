import { BrowserWindow, screen } from 'electron';
import type { WindowPlace } from '../../window-ports.ts';
import { windowWords } from '../../window-words.ts';
import { refusePermissions } from './guard-contents.ts';
import { appOrigin } from './resolve-app-file.ts';
import { smallestWindow, visiblePlace } from './window-place.ts';

export interface MainWindowOptions {
  /** Where it was last time. */
  readonly place: WindowPlace | undefined;
  readonly preload: string;
  readonly icon?: string | undefined;
  /** Before the page has painted. */
  readonly backgroundColor: string;
  readonly devTools: boolean;
  /** Resolves once its session has no network: its page comes then. */
  readonly sealed: Promise<void>;
  /** The page tried to leave, and Chromium refused it before the guard was asked. */
  readonly onBlocked: () => void;
  /** Where it was when it closed. */
  readonly onPlace: (place: WindowPlace) => void;
}

/** The program's window. It shows itself once its page has something to show. */
export function createMainWindow(options: MainWindowOptions): BrowserWindow {
  const { maximized, x, y, width, height } = visiblePlace(
    options.place,
    screen.getAllDisplays().map(({ workArea }) => workArea),
  );
  const window = new BrowserWindow({
    ...(x !== undefined && y !== undefined && { x, y }),
    width,
    height,
    minWidth: smallestWindow.width,
    minHeight: smallestWindow.height,
    title: windowWords.program,
    show: false,
    backgroundColor: options.backgroundColor,
    ...(options.icon !== undefined && { icon: options.icon }),
    webPreferences: {
      preload: options.preload,
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      webviewTag: false,
      devTools: options.devTools,
      navigateOnDragDrop: false,
      spellcheck: false,
    },
  });
  refusePermissions(window.webContents.session);
  // The page has one name; a title must never tell of a server or an account.
  window.on('page-title-updated', (event) => event.preventDefault());
  window.once('ready-to-show', () => {
    if (maximized) window.maximize();
    window.show();
  });
  // What it shows is kept in main, so a page that died is back at once.
  window.webContents.on('render-process-gone', (_event, { reason }) => {
    if (reason !== 'clean-exit' && !window.isDestroyed()) setTimeout(() => showPage(window), 500);
  });
  // Where Chromium itself refuses an address to our page, it shows a page of its own in the place of ours.
  window.webContents.on('did-fail-load', (_event, _code, _reason, address, isMainFrame) => {
    if (!isMainFrame || address.startsWith(`${appOrigin}/`)) return;
    options.onBlocked();
    setImmediate(() => showPage(window));
  });
  window.on('close', () => options.onPlace(placeOf(window)));
  // Whoever sealed it is told of a failure.
  options.sealed.then(
    () => showPage(window),
    () => {},
  );
  return window;
}

function showPage(window: BrowserWindow): void {
  // It rejects where it is cut off, by another load or by the end of the window.
  if (!window.isDestroyed()) void window.loadURL(`${appOrigin}/index.html`).catch(() => {});
}

/** Where a window is, and where it would be if it were not maximized. */
export function placeOf(window: BrowserWindow): WindowPlace {
  const { x, y, width, height } = window.getNormalBounds();
  return { x, y, width, height, maximized: window.isMaximized() };
}
