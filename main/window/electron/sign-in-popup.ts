import { randomUUID } from 'node:crypto';
import { BaseWindow, session, WebContentsView, webFrameMain } from 'electron';
import type { Session, WebContents } from 'electron';
import type { SignInNotice } from '../../../shared/sign-in-notice.ts';
import { displayHostAndPort } from '../../address/display-text.ts';
import type { SignInPopup, SignInPopupOptions } from '../../window-ports.ts';
import { windowLanguage, windowWords } from '../../window-words.ts';
import { allowNavigation, refusePermissions } from './guard-contents.ts';
import { mayPopupNavigate, readLoadFailure } from './popup-navigation.ts';
import { appOrigin } from './resolve-app-file.ts';

const size = { width: 520, height: 740 } as const;

/**
 * Opens the sign-in page in a separate window: new in-memory session, no preload, all permissions denied. The bar above
 * it and the title show the real host, in punycode, whatever the page calls itself.
 */
export function openSignInPopup(options: SignInPopupOptions, parent: BaseWindow | undefined): SignInPopup {
  const { url, onArrive, onBlocked, onUseBrowser, onClosed } = options;
  // Without `persist:` the session is in memory; a new name makes it empty.
  const partition = session.fromPartition(`sign-in-${randomUUID()}`, { cache: false });
  const window = new BaseWindow({
    ...centeredOver(parent),
    ...size,
    title: signInTitle(url),
    autoHideMenuBar: true,
    maximizable: false,
    fullscreenable: false,
  });
  const page = createSignInPage(partition);
  const bar = createSignInBar({ onUseBrowser, onTryAgain: load });
  window.contentView.addChildView(page);
  window.contentView.addChildView(bar.view);
  // Read here, because a destroyed view no longer has its contents.
  const { webContents } = page;
  const { webContents: barContents } = bar.view;

  /** URL of the page, and the notice shown with it. */
  let currentUrl: string = url;
  let notice: SignInNotice | undefined;
  const updateLayout = (): void => {
    const { width, height } = window.getContentBounds();
    const top = notice && 'needs' in notice ? signInBarHeight.withNotice : signInBarHeight.alone;
    // A page that failed to load is blank: the bar covers it and shows the reason.
    bar.view.setBounds({ x: 0, y: 0, width, height: notice && 'failed' in notice ? height : top });
    page.setBounds({ x: 0, y: top, width, height: Math.max(0, height - top) });
  };
  const show = (address: string, next?: SignInNotice): void => {
    if (window.isDestroyed() || !/^https?:/u.test(address)) return;
    currentUrl = address;
    notice = next;
    window.setTitle(signInTitle(address));
    bar.show(address, next);
    updateLayout();
  };
  window.on('resize', updateLayout);

  allowNavigation(webContents, (target) => mayPopupNavigate(target, url));
  // The guard blocks it. Navigation of subframes is not reported.
  const reportBlocked = ({
    url: target,
    isMainFrame,
  }: {
    readonly url: string;
    readonly isMainFrame: boolean;
  }): void => {
    if (isMainFrame && !mayPopupNavigate(target, url)) onBlocked();
  };
  webContents.on('will-navigate', reportBlocked);
  webContents.on('will-redirect', reportBlocked);
  let hasCommitted = false;
  webContents.on('did-start-navigation', ({ isMainFrame, isSameDocument }) => {
    if (isMainFrame && !isSameDocument) hasCommitted = false;
  });
  webContents.on('did-navigate', (_event, address) => {
    hasCommitted = true;
    if (window.isDestroyed() || !/^https?:/u.test(address)) return;
    if (notice && 'failed' in notice) webContents.focus();
    show(address);
    onArrive(new URL(address));
  });
  // Electron has no error pages. A page that failed after it was committed stays visible.
  webContents.on('did-fail-load', (_event, number, name, address, isMainFrame) => {
    const failed = isMainFrame && !hasCommitted ? readLoadFailure(number) : undefined;
    if (!failed || window.isDestroyed()) return;
    show(URL.canParse(address) ? address : url, { failed, code: name });
    if (!barContents.isDestroyed()) barContents.focus();
  });
  // A second window would have to report back to this page, and every window needs a bar with its host.
  webContents.setWindowOpenHandler(() => {
    show(currentUrl, { needs: 'second-window' });
    return { action: 'deny' };
  });
  watchPasskeyUse(webContents, () => show(currentUrl, { needs: 'passkey' }));
  // F6 moves the focus between page and bar; Tab stays within one of them.
  for (const [from, to] of [
    [webContents, barContents],
    [barContents, webContents],
  ] as const) {
    from.on('before-input-event', (event, { key, type }) => {
      if (key !== 'F6' || type !== 'keyDown' || to.isDestroyed()) return;
      event.preventDefault();
      to.focus();
    });
  }
  // A page must not prevent closing, and a crashed page is useless.
  webContents.on('will-prevent-unload', (event) => event.preventDefault());
  webContents.on('render-process-gone', () => window.destroy());
  // A script may call `window.close()`, which destroys the page but not the window.
  webContents.once('destroyed', () => window.destroy());

  let isClosedByUs = false;
  window.on('closed', () => {
    // Web contents outlive the window, so close them.
    for (const contents of [webContents, barContents]) if (!contents.isDestroyed()) contents.close();
    void partition.clearStorageData().catch(() => {});
    if (!isClosedByUs) onClosed();
  });
  show(url);
  load();
  webContents.focus();

  /** Loads the first URL again: the failed one may have been a form submission. */
  function load(): void {
    // `did-fail-load` reports the failure.
    if (!window.isDestroyed()) void webContents.loadURL(url).catch(() => {});
  }

  return {
    focus() {
      if (window.isDestroyed()) return;
      if (window.isMinimized()) window.restore();
      window.show();
      window.focus();
    },
    close() {
      isClosedByUs = true;
      if (!window.isDestroyed()) window.destroy();
    },
  };
}

/** The page, not yet in a window. */
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

/** Centered over its parent window. */
function centeredOver(parent: BaseWindow | undefined): { x: number; y: number } | undefined {
  if (!parent || parent.isDestroyed()) return undefined;
  const { x, y, width, height } = parent.getBounds();
  return {
    x: Math.round(x + (width - size.width) / 2),
    y: Math.max(0, Math.round(y + (height - size.height) / 2)),
  };
}

/** Window title: the real host, and a warning if the page is not encrypted. */
function signInTitle(address: string): string {
  const url = new URL(address);
  const place = displayHostAndPort(url);
  return url.protocol === 'https:' ? place : windowWords.notEncrypted(place);
}

/** Heights of the bar, in device-independent pixels. */
const signInBarHeight = { alone: 40, withNotice: 88 } as const;

interface SignInBar {
  readonly view: WebContentsView;
  /** Shows the current URL and a notice. */
  show(address: string, notice?: SignInNotice): void;
}

interface SignInBarOptions {
  readonly onUseBrowser: () => void;
  readonly onTryAgain: () => void;
}

/**
 * The bar above a sign-in page, which covers a page that failed to load. It has no preload: its state comes in the URL
 * fragment, and its buttons are links.
 */
export function createSignInBar({ onUseBrowser, onTryAgain }: SignInBarOptions): SignInBar {
  const view = new WebContentsView({
    webPreferences: {
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      devTools: false,
      spellcheck: false,
    },
  });
  const { webContents } = view;
  const links: Readonly<Record<string, () => void>> = {
    [`${appOrigin}/use-browser`]: onUseBrowser,
    [`${appOrigin}/try-again`]: onTryAgain,
  };
  allowNavigation(webContents, (target) => {
    const onLink = links[target];
    if (onLink) setImmediate(onLink);
    return false;
  });
  return {
    view,
    show(address, notice) {
      const url = new URL(address);
      const state = new URLSearchParams({
        language: windowLanguage,
        host: displayHostAndPort(url),
        encrypted: url.protocol === 'https:' ? 'yes' : 'no',
        ...notice,
      });
      if (webContents.isDestroyed()) return;
      void webContents.loadURL(`${appOrigin}/sign-in-bar.html#${state.toString()}`).catch(() => {});
    },
  };
}

/**
 * Resolves when the page requests a passkey or security key. Ignores conditional mediation (autofill), which does not
 * block the user. The API does not exist on pages without encryption.
 */
const passkeyHook = `new Promise((resolve) => {
  const { prototype } = globalThis.CredentialsContainer ?? {};
  for (const name of prototype ? ['get', 'create'] : []) {
    const original = prototype[name];
    prototype[name] = function (options) {
      if (options?.publicKey && options.mediation !== 'conditional') resolve(true);
      return Reflect.apply(original, this, arguments);
    };
  }
})`;

/**
 * Calls `onUse` for each document that requests a passkey, including frames, where many services have their sign-in.
 * Electron has no passkey dialog, and on most systems such a request fails or never returns. The hook runs in the
 * page's own world, so a page can fake a request; all it gains is that the user is offered their own browser.
 */
function watchPasskeyUse(contents: WebContents, onUse: () => void): void {
  contents.on('did-frame-navigate', (_event, _url, _status, _text, _isMainFrame, processId, routingId) => {
    // `webContents.executeJavaScript` would wait for the whole page to load. Never settles if the document goes away.
    webFrameMain
      .fromId(processId, routingId)
      ?.executeJavaScript(passkeyHook)
      .then(onUse, () => {});
  });
}
