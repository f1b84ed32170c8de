import { randomUUID } from 'node:crypto';
import { BrowserWindow, session } from 'electron';
import { displayHost } from '../address/display-host.ts';
import type { SignInPopup, SignInPopupOptions } from '../window-ports.ts';
import { allowNavigation, refusePermissions } from './guard-contents.ts';
import { mayPopupNavigate } from './popup-navigation.ts';

/**
 * The sign-in page in a window of its own: a fresh session in memory, no preload, every permission refused. Its title
 * is ours: the real host, in punycode, whatever the page calls itself.
 */
export function openSignInPopup(
  { url, onHost, onClosed }: SignInPopupOptions,
  parent: BrowserWindow | undefined,
): SignInPopup {
  // Without `persist:` it lives in memory, and under a new name it starts empty.
  const partition = session.fromPartition(`sign-in-${randomUUID()}`, { cache: false });
  refusePermissions(partition);
  const popup = new BrowserWindow({
    ...placeOver(parent),
    width: 520,
    height: 720,
    title: titleOf(url),
    autoHideMenuBar: true,
    minimizable: true,
    maximizable: false,
    fullscreenable: false,
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
  popup.setMenuBarVisibility(false);
  const { webContents } = popup;
  allowNavigation(webContents, (target) => mayPopupNavigate(target, url));
  let told = false;

  const arriveAt = (address: string): void => {
    if (!/^https?:/u.test(address) || popup.isDestroyed()) return;
    popup.setTitle(titleOf(address));
    onHost(new URL(address).hostname);
  };
  popup.on('page-title-updated', (event) => event.preventDefault());
  webContents.on('did-navigate', (_event, address) => arriveAt(address));
  // A page must not keep itself open, and a dead one is of no use.
  webContents.on('will-prevent-unload', (event) => event.preventDefault());
  webContents.on('render-process-gone', () => popup.destroy());
  popup.on('closed', () => {
    void partition.clearStorageData().catch(() => {});
    if (told) return;
    told = true;
    onClosed();
  });
  // A page that fails to load shows its own error; the sign-in sheet leads on from there.
  void webContents.loadURL(url).catch(() => {});

  return {
    focus() {
      if (popup.isDestroyed()) return;
      popup.show();
      popup.focus();
    },
    close() {
      told = true;
      if (!popup.isDestroyed()) popup.destroy();
    },
  };
}

function titleOf(address: string): string {
  const { protocol, hostname } = new URL(address);
  return `${displayHost(hostname)}${protocol === 'http:' ? ' (not encrypted)' : ''}`;
}

/** Over the middle of the window that it belongs to. */
function placeOver(parent: BrowserWindow | undefined): { x?: number; y?: number } {
  if (!parent || parent.isDestroyed()) return {};
  const { x, y, width, height } = parent.getBounds();
  return { x: Math.round(x + (width - 520) / 2), y: Math.max(0, Math.round(y + (height - 720) / 2)) };
}
