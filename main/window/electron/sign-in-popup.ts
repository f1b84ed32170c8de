import { randomUUID } from 'node:crypto';
import { BaseWindow, session, WebContentsView, webFrameMain } from 'electron';
import type { Session, WebContents } from 'electron';
import type { SignInNotice } from '../../../shared/sign-in-notice.ts';
import { displayPlace } from '../../address/display-text.ts';
import type { SignInPopup, SignInPopupOptions } from '../../window-ports.ts';
import { windowLanguage, windowWords } from '../../window-words.ts';
import { allowNavigation, refusePermissions } from './guard-contents.ts';
import { mayPopupNavigate, readLoadFailure } from './popup-navigation.ts';
import { appOrigin } from './resolve-app-file.ts';

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
  const bar = createSignInBar({ onUseBrowser, onTryAgain: load });
  window.contentView.addChildView(page);
  window.contentView.addChildView(bar.view);
  // Once it is destroyed its view has none.
  const { webContents } = page;
  const { webContents: barContents } = bar.view;

  /** Where the page is, and what there is to say of it there. */
  let place: string = url;
  let notice: SignInNotice | undefined;
  const layOut = (): void => {
    const { width, height } = window.getContentBounds();
    const top = notice && 'needs' in notice ? signInBarHeight.withNotice : signInBarHeight.alone;
    // A page that could not be loaded is blank: the bar covers it, and says why.
    bar.view.setBounds({ x: 0, y: 0, width, height: notice && 'failed' in notice ? height : top });
    page.setBounds({ x: 0, y: top, width, height: Math.max(0, height - top) });
  };
  const show = (address: string, next?: SignInNotice): void => {
    if (window.isDestroyed() || !/^https?:/u.test(address)) return;
    place = address;
    notice = next;
    window.setTitle(signInTitle(address));
    bar.show(address, next);
    layOut();
  };
  window.on('resize', layOut);

  allowNavigation(webContents, (target) => mayPopupNavigate(target, url));
  // The guard refuses it; what frames inside the page try does not concern the person.
  const tellBlocked = ({ url: target, isMainFrame }: { readonly url: string; readonly isMainFrame: boolean }): void => {
    if (isMainFrame && !mayPopupNavigate(target, url)) onBlocked();
  };
  webContents.on('will-navigate', tellBlocked);
  webContents.on('will-redirect', tellBlocked);
  let isThere = false;
  webContents.on('did-start-navigation', ({ isMainFrame, isSameDocument }) => {
    if (isMainFrame && !isSameDocument) isThere = false;
  });
  webContents.on('did-navigate', (_event, address) => {
    isThere = true;
    if (window.isDestroyed() || !/^https?:/u.test(address)) return;
    if (notice && 'failed' in notice) webContents.focus();
    show(address);
    onArrive(new URL(address));
  });
  // Electron has no pages of its own for that. One that broke off on its way is there all the same.
  webContents.on('did-fail-load', (_event, number, name, address, isMainFrame) => {
    const failed = isMainFrame && !isThere ? readLoadFailure(number) : undefined;
    if (!failed || window.isDestroyed()) return;
    show(URL.canParse(address) ? address : url, { failed, code: name });
    if (!barContents.isDestroyed()) barContents.focus();
  });
  // Its answer would have to come back to this page, and every window needs a bar that says where it is.
  webContents.setWindowOpenHandler(() => {
    show(place, { needs: 'second-window' });
    return { action: 'deny' };
  });
  watchPasskeyUse(webContents, () => show(place, { needs: 'passkey' }));
  // The way between the parts of a window; the Tab key stays in one of them.
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
  show(url);
  load();
  webContents.focus();

  /** From the start: what failed may have been the answer to a form. */
  function load(): void {
    // `did-fail-load` tells of it.
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

/** Height of the bar alone, and with a notice under it. */
const signInBarHeight = { alone: 40, withNotice: 88 } as const;

interface SignInBar {
  readonly view: WebContentsView;
  /** Says where the page is now, and what the person has to know of it. */
  show(address: string, notice?: SignInNotice): void;
}

interface SignInBarOptions {
  readonly onUseBrowser: () => void;
  readonly onTryAgain: () => void;
}

/**
 * The strip above a sign-in page, which covers a page that could not be loaded: a page of ours without a preload, told
 * by its fragment and heard by its links.
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
    const follow = links[target];
    if (follow) setImmediate(follow);
    return false;
  });
  return {
    view,
    show(address, notice) {
      const url = new URL(address);
      const said = new URLSearchParams({
        language: windowLanguage,
        host: displayPlace(url),
        encrypted: url.protocol === 'https:' ? 'yes' : 'no',
        ...notice,
      });
      if (webContents.isDestroyed()) return;
      void webContents.loadURL(`${appOrigin}/sign-in-bar.html#${said.toString()}`).catch(() => {});
    },
  };
}

/**
 * Resolves once the page asks for a passkey or a security key by itself; one that only waits in the list of a field
 * (conditional mediation) is none that a person waits for. Not there in a page without encryption.
 */
const firstUse = `new Promise((resolve) => {
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
 * Tells of each document that asks for a passkey, also of one in a frame: many services have their sign-in there, or
 * that of another one. Electron has no window in which a person could choose one, and on
 * most systems such a request is refused, or never answered. It is heard of in the page's own world, so a page can say
 * that it asks when it does not: that brings it nothing but the person's own browser.
 */
function watchPasskeyUse(contents: WebContents, onUse: () => void): void {
  contents.on('did-frame-navigate', (_event, _url, _status, _text, _isMainFrame, processId, routingId) => {
    // `webContents.executeJavaScript` would wait until all has loaded. It ends without an answer with the document.
    webFrameMain
      .fromId(processId, routingId)
      ?.executeJavaScript(firstUse)
      .then(onUse, () => {});
  });
}
