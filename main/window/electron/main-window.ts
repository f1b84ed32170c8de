import { BrowserWindow, screen } from 'electron';
import type { WindowBounds } from '../../window-ports.ts';
import { windowWords } from '../../window-words.ts';
import { refusePermissions } from './guard-contents.ts';
import { appOrigin } from './resolve-app-file.ts';
import { minWindowSize, visibleBounds } from './window-bounds.ts';

interface MainWindowOptions {
  /** Bounds from last time. */
  readonly bounds: WindowBounds | undefined;
  readonly preload: string;
  readonly icon?: string | undefined;
  /** Shown before the first paint. */
  readonly backgroundColor: string;
  readonly devTools: boolean;
  /** Resolves once the session has no network. The page is loaded then. */
  readonly sealed: Promise<void>;
  /** Chromium blocked a navigation before the guard saw it. */
  readonly onBlocked: () => void;
  /** Called with the bounds when it closes. */
  readonly onBounds: (place: WindowBounds) => void;
}

/** The main window. Shows itself when its page is ready. */
export function createMainWindow(options: MainWindowOptions): BrowserWindow {
  const { maximized, x, y, width, height } = visibleBounds(
    options.bounds,
    screen.getAllDisplays().map(({ workArea }) => workArea),
  );
  const window = new BrowserWindow({
    ...(x !== undefined && y !== undefined && { x, y }),
    width,
    height,
    minWidth: minWindowSize.width,
    minHeight: minWindowSize.height,
    title: windowWords.app,
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
  // Fixed title: it must never contain a server or an account.
  window.on('page-title-updated', (event) => event.preventDefault());
  window.once('ready-to-show', () => {
    if (maximized) window.maximize();
    window.show();
  });
  // All state is in main, so a crashed page can simply be reloaded.
  window.webContents.on('render-process-gone', (_event, { reason }) => {
    if (reason !== 'clean-exit' && !window.isDestroyed()) setTimeout(() => showPage(window), 500);
  });
  // If Chromium itself blocks a URL, it replaces our page with an error page.
  window.webContents.on('did-fail-load', (_event, _code, _reason, address, isMainFrame) => {
    if (!isMainFrame || address.startsWith(`${appOrigin}/`)) return;
    options.onBlocked();
    setImmediate(() => showPage(window));
  });
  window.on('close', () => options.onBounds(boundsOf(window)));
  // The caller handles a failure of `sealed`.
  options.sealed.then(
    () => showPage(window),
    () => {},
  );
  return window;
}

function showPage(window: BrowserWindow): void {
  // Rejects if interrupted by another load or by closing the window.
  if (!window.isDestroyed()) void window.loadURL(`${appOrigin}/index.html`).catch(() => {});
}

/** Normal bounds of a window, and whether it is maximized. */
export function boundsOf(window: BrowserWindow): WindowBounds {
  const { x, y, width, height } = window.getNormalBounds();
  return { x, y, width, height, maximized: window.isMaximized() };
}
