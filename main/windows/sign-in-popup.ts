import { randomUUID } from 'node:crypto';
import { BaseWindow, session, WebContentsView } from 'electron';
import type { Session } from 'electron';
import type { SignInPopup, SignInPopupOptions } from '../window-ports.ts';
import { allowNavigation, refusePermissions } from './guard-contents.ts';
import { mayPopupNavigate } from './popup-navigation.ts';
import { createSignInBar, signInBarHeight } from './sign-in-bar.ts';
import { displayPlace } from '../address/display-place.ts';
import { windowWords } from '../window-words.ts';

const size = { width: 520, height: 740 } as const;

/**
 * The sign-in page in a window of its own: a fresh session in memory, no preload, every permission refused. The bar
 * above it and the title are ours: the real host, in punycode, whatever the page calls itself.
 */
export function openSignInPopup(options: SignInPopupOptions, parent: BaseWindow | undefined): SignInPopup {
  const { url, onArrive, onBlocked, onUseBrowser, onClosed } = options;
  // Without `persist:` it lives in memory, and under a new name it starts empty.
  const partition = session.fromPartition(`sign-in-${randomUUID()}`, { cache: false });
  const window = new BaseWindow({
    ...placeOver(parent),
    ...size,
    title: signInTitle(url),
    autoHideMenuBar: true,
    maximizable: false,
    fullscreenable: false,
  });
  const page = createSignInPage(partition);
  const bar = createSignInBar(onUseBrowser);
  window.contentView.addChildView(page);
  window.contentView.addChildView(bar.view);
  const layOut = (): void => {
    const { width, height } = window.getContentBounds();
    bar.view.setBounds({ x: 0, y: 0, width, height: signInBarHeight });
    page.setBounds({ x: 0, y: signInBarHeight, width, height: Math.max(0, height - signInBarHeight) });
  };
  window.on('resize', layOut);
  layOut();

  // Once it is destroyed its view has none.
  const { webContents } = page;
  const { webContents: barContents } = bar.view;
  allowNavigation(webContents, (target) => mayPopupNavigate(target, url));
  // The guard refuses it; what frames inside the page try is no news to the person.
  const tellBlocked = ({ url: target, isMainFrame }: { readonly url: string; readonly isMainFrame: boolean }): void => {
    if (isMainFrame && !mayPopupNavigate(target, url)) onBlocked();
  };
  webContents.on('will-navigate', tellBlocked);
  webContents.on('will-redirect', tellBlocked);
  const arriveAt = (address: string): void => {
    if (window.isDestroyed() || !/^https?:/u.test(address)) return;
    window.setTitle(signInTitle(address));
    bar.show(address);
    onArrive(new URL(address));
  };
  webContents.on('did-navigate', (_event, address) => arriveAt(address));
  // A page must not keep itself open, and a dead one is of no use.
  webContents.on('will-prevent-unload', (event) => event.preventDefault());
  webContents.on('render-process-gone', () => window.destroy());
  // Any script may call `window.close()`, which ends the page and leaves the window.
  webContents.once('destroyed', () => window.destroy());

  let closedByUs = false;
  window.on('closed', () => {
    // Pages outlive the window that they were shown in.
    for (const contents of [webContents, barContents]) if (!contents.isDestroyed()) contents.close();
    void partition.clearStorageData().catch(() => {});
    if (!closedByUs) onClosed();
  });
  bar.show(url);
  // A page that fails to load shows its own error; the sign-in sheet leads on from there.
  void webContents.loadURL(url).catch(() => {});
  webContents.focus();

  return {
    focus() {
      if (window.isDestroyed()) return;
      if (window.isMinimized()) window.restore();
      window.show();
      window.focus();
    },
    close() {
      closedByUs = true;
      if (!window.isDestroyed()) window.destroy();
    },
  };
}

/** The page alone, in no window yet. */
export function createSignInPage(partition: Session): WebContentsView {
  refusePermissions(partition);
  return new WebContentsView({
    webPreferences: {
      session: partition,
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      webviewTag: false,
      devTools: false,
      disableDialogs: true,
      navigateOnDragDrop: false,
      spellcheck: false,
    },
  });
}

/** Over the middle of the window that it belongs to. */
function placeOver(parent: BaseWindow | undefined): { x: number; y: number } | undefined {
  if (!parent || parent.isDestroyed()) return undefined;
  const { x, y, width, height } = parent.getBounds();
  return {
    x: Math.round(x + (width - size.width) / 2),
    y: Math.max(0, Math.round(y + (height - size.height) / 2)),
  };
}

/** What the window of a sign-in page is called: where it really is, and that it is not encrypted when it is not. */
function signInTitle(address: string): string {
  const url = new URL(address);
  const place = displayPlace(url);
  return url.protocol === 'https:' ? place : windowWords.notEncrypted(place);
}
