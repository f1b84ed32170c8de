import { app } from 'electron';
import type { Session, WebContents } from 'electron';

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
