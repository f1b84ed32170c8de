import { app, shell } from 'electron';
import type { Session, WebContents } from 'electron';
import type { BrowserAddress } from '../../address/check-address.ts';
import { PosternError } from '../../errors/postern-error.ts';

type MayNavigate = (url: string) => boolean;

const navigationRules = new WeakMap<WebContents, MayNavigate>();

/** Sets where a page may navigate. By default: nowhere. */
export function allowNavigation(contents: WebContents, mayNavigate: MayNavigate): void {
  navigationRules.set(contents, mayNavigate);
}

/**
 * For all pages (Electron security checklist, 12 to 14): no navigation unless allowed, no new windows, no webviews, no
 * automatic client certificates, no HTTP authentication dialogs. WebRTC cannot bypass the session's proxy or learn
 * local addresses.
 */
export function guardAllContents(onBlocked: () => void): void {
  app.on('web-contents-created', (_created, contents) => {
    const checkNavigation = (details: { readonly url: string; preventDefault(): void }): void => {
      if (navigationRules.get(contents)?.(details.url) === true) return;
      details.preventDefault();
      onBlocked();
    };
    contents.on('will-navigate', checkNavigation);
    contents.on('will-redirect', checkNavigation);
    contents.on('will-frame-navigate', (details) => {
      if (!details.isMainFrame) checkNavigation(details);
    });
    contents.on('will-attach-webview', (event) => event.preventDefault());
    contents.setWindowOpenHandler(() => ({ action: 'deny' }));
    contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp');
  });
  app.on('select-client-certificate', (event, _contents, _url, _list, choose) => {
    // By default, Electron would send the first certificate.
    event.preventDefault();
    choose();
  });
}

/** Denies all permissions: camera, notifications, clipboard, devices, downloads. */
export function refusePermissions(session: Session): void {
  session.setPermissionRequestHandler((_contents, _permission, callback) => callback(false));
  session.setPermissionCheckHandler(() => false);
  session.setDevicePermissionHandler(() => false);
  session.on('will-download', (event) => event.preventDefault());
}

/**
 * Cuts a session off from the network: all connections go to an impossible proxy on port 0. `app://` is served in
 * process and needs no proxy. `<-loopback>` includes local addresses, which Chromium exempts by default. Resolves when
 * in force.
 */
export async function sealSession(session: Session): Promise<void> {
  await session.setProxy({
    mode: 'fixed_servers',
    proxyRules: 'http://127.0.0.1:0',
    proxyBypassRules: '<-loopback>',
  });
}

/**
 * The only function that opens the user's browser. Every local user can read the browser's arguments.
 * Windows allows 2,081 characters: a sign-in uses a short one-time link, but a longer link in a result fails there.
 * Errors: BROWSER_OPEN_FAILED.
 */
export async function openInBrowser(address: BrowserAddress): Promise<void> {
  try {
    await shell.openExternal(address);
  } catch {
    // No `cause`: its message contains the URL.
    throw new PosternError('BROWSER_OPEN_FAILED', { stage: 'authorization' });
  }
}

/** Shows one of Postern's folders, or a file in one; never a path from a server. Errors: NOT_FOUND. */
export async function openFolder(path: string): Promise<void> {
  if ((await shell.openPath(path)) !== '')
    throw new PosternError('NOT_FOUND', { stage: 'postern', detail: { count: 0 } });
}
