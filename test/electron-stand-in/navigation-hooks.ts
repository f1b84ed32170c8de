import type * as Electron from 'electron';
import { fromChromiumUrl, isOwnScheme } from './custom-scheme.ts';
import { createEvent } from './electron-event.ts';
import type { Loading } from './loading.ts';
import type { GateHooks } from './navigation-gate.ts';
import type { StandInWebContents } from './web-contents.ts';
import { StandInFrame } from './web-frame-main.ts';

/** `will-navigate`, `will-frame-navigate` and `will-redirect`: navigations that can be prevented. */
export function createNavigationHooks(
  contents: StandInWebContents,
  loading: Loading,
  mainFrameId: string,
): Pick<GateHooks, 'mayNavigate' | 'mayRedirect' | 'onOtherProgram' | 'onDocument' | 'onNotServed'> {
  const { mainFrame } = contents.standIn;
  const { session } = contents.standIn.options;
  const subframe = new StandInFrame({ url: () => '', isDestroyed: () => contents.isDestroyed() }, mainFrame);

  function describe(url: string, frameId: string) {
    const isMainFrame = frameId === mainFrameId;
    const frame = isMainFrame ? mainFrame : subframe;
    return createEvent({ url, isMainFrame, isSameDocument: false, frame, initiator: frame });
  }
  /** The old arguments, which Electron still passes after the details. */
  const rest = ({ url, isMainFrame, frame }: ReturnType<typeof describe>): unknown[] => [
    url,
    false,
    isMainFrame,
    frame.processId,
    frame.routingId,
  ];

  function mayNavigate(url: string, frameId: string): boolean {
    if (contents.isDestroyed()) return false;
    const isMainFrame = frameId === mainFrameId;
    if (isMainFrame && loading.isOwn(url)) {
      const started = describe(fromChromiumUrl(url), frameId);
      contents.emit('did-start-navigation', started, ...rest(started));
      return true;
    }
    if (isMainFrame) {
      const started = describe(fromChromiumUrl(url), frameId);
      contents.emit('did-start-navigation', started, ...rest(started));
    }
    const every = describe(fromChromiumUrl(url), frameId);
    contents.emit('will-frame-navigate', every);
    if (every.defaultPrevented) return false;
    if (!isMainFrame) return true;
    const main = describe(fromChromiumUrl(url), frameId);
    contents.emit('will-navigate', main, ...rest(main));
    return !main.defaultPrevented;
  }

  /** Electron would ask the system to open it if the `openExternal` handler allows it; the stand-in never does. */
  function onOtherProgram(url: string): void {
    if (contents.isDestroyed()) return;
    const { request } = session.permissionHandlers;
    const details = { externalURL: url, isMainFrame: true, requestingUrl: contents.getURL() };
    const refuse = (granted: boolean): void => {
      if (granted) console.error(`not emulated: opening ${new URL(url).protocol} in another app`);
    };
    if (request) request(contents as unknown as Electron.WebContents, 'openExternal', refuse, details);
    else refuse(true);
  }

  contents.on('chromium-other-program', (url: string) => {
    if (!isOwnScheme(url) && mayNavigate(url, mainFrameId)) onOtherProgram(url);
  });

  return {
    mayNavigate,
    onOtherProgram,
    mayRedirect(url, frameId) {
      if (contents.isDestroyed()) return false;
      const event = describe(fromChromiumUrl(url), frameId);
      contents.emit('will-redirect', event, ...rest(event));
      if (event.defaultPrevented) return false;
      const done = describe(fromChromiumUrl(url), frameId);
      contents.emit('did-redirect-navigation', done, ...rest(done));
      return true;
    },
    onNotServed(frameId, error) {
      if (frameId === mainFrameId) loading.onNotServed(error);
    },
    onDocument(frameId, status) {
      if (frameId === mainFrameId) loading.onResponse(status);
    },
  };
}
