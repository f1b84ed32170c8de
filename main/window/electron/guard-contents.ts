import { app, shell } from 'electron';
import type { Session, WebContents } from 'electron';
import type { BrowserAddress } from '../../address/check-address.ts';
import { PosternError } from '../../errors/postern-error.ts';

type MayNavigate = (url: string) => boolean;

const rules = new WeakMap<WebContents, MayNavigate>();

/** Where a page may go by itself; without this nowhere. */
export function allowNavigation(contents: WebContents, mayNavigate: MayNavigate): void {
  rules.set(contents, mayNavigate);
}

/**
 * For every page there will ever be (Electron's security list, 12 to 14): no navigation but where it was allowed, no
 * new windows, no webviews, no client certificate chosen for the person, no password boxes. WebRTC has no way around
 * the session's proxy, and learns no address of this computer.
 */
export function guardAllContents(onBlocked: () => void): void {
  app.on('web-contents-created', (_created, contents) => {
    const judge = (details: { readonly url: string; preventDefault(): void }): void => {
      if (rules.get(contents)?.(details.url) === true) return;
      details.preventDefault();
      onBlocked();
    };
    contents.on('will-navigate', judge);
    contents.on('will-redirect', judge);
    contents.on('will-frame-navigate', (details) => {
      if (!details.isMainFrame) judge(details);
    });
    contents.on('will-attach-webview', (event) => event.preventDefault());
    contents.setWindowOpenHandler(() => ({ action: 'deny' }));
    contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp');
  });
  app.on('select-client-certificate', (event, _contents, _url, _list, choose) => {
    // Left alone, Electron would send the first one.
    event.preventDefault();
    choose();
  });
}

/** A page may ask for nothing: no camera, notifications, clipboard, devices, downloads. */
export function refusePermissions(session: Session): void {
  session.setPermissionRequestHandler((_contents, _permission, answer) => answer(false));
  session.setPermissionCheckHandler(() => false);
  session.setDevicePermissionHandler(() => false);
  session.on('will-download', (event) => event.preventDefault());
}

/**
 * Takes the network from a session: every connection of its pages must go to a proxy that nobody can be, on port 0.
 * `app://` is answered by the program itself and asks no proxy. Chromium would spare addresses of this computer
 * (`<-loopback>`), where other programs listen. Resolves when it is in force.
 */
export async function sealSession(session: Session): Promise<void> {
  await session.setProxy({
    mode: 'fixed_servers',
    proxyRules: 'http://127.0.0.1:0',
    proxyBypassRules: '<-loopback>',
  });
}

/**
 * The one way out of the program: a page in the person's own browser, whose arguments every user of this computer can
 * read. Windows takes at most 2,081 characters: a sign-in opens its one-time link, far below them, and a longer link of
 * a result fails there. Errors: BROWSER_OPEN_FAILED.
 */
export async function openInBrowser(address: BrowserAddress): Promise<void> {
  try {
    await shell.openExternal(address);
  } catch {
    // Its message holds the address.
    throw new PosternError('BROWSER_OPEN_FAILED', { stage: 'authorization' });
  }
}

/** Shows a folder of ours, or a file in it; never one that a server named. Errors: NOT_FOUND. */
export async function openFolder(place: string): Promise<void> {
  if ((await shell.openPath(place)) !== '') throw new PosternError('NOT_FOUND', { stage: 'app', detail: { count: 0 } });
}
