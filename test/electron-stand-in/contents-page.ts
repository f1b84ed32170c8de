import { readFileSync } from 'node:fs';
import type * as Electron from 'electron';
import { askForLogin } from './ask-for-login.ts';
import { browser } from './browser.ts';
import type { CdpParams } from './cdp-connection.ts';
import { applyColorScheme } from './color-scheme.ts';
import { fromChromiumUrl } from './custom-scheme.ts';
import { dispatchIpc } from './dispatch-ipc.ts';
import { createEvent } from './electron-event.ts';
import { internalEvents } from './internal-events.ts';
import type { Loading } from './loading.ts';
import { sendMenuKeys } from './menu-keys.ts';
import { openGate } from './navigation-gate.ts';
import { createNavigationHooks } from './navigation-hooks.ts';
import { notEmulated } from './not-emulated.ts';
import { Page } from './page.ts';
import { followPermissions } from './permissions.ts';
import { refuseDownloads } from './refuse-downloads.ts';
import type { StandInSession } from './session.ts';
import { applyUserAgent } from './user-agent.ts';
import type { StandInWebContents } from './web-contents.ts';
import { placeWindow } from './window-place.ts';

type WindowRequest = Pick<Electron.HandlerDetails, 'url' | 'frameName' | 'features' | 'disposition'>;

export interface ContentsOptions {
  readonly session: StandInSession;
  readonly preload: string | undefined;
  /** Preferences, with Electron's defaults. */
  readonly preferences: Readonly<Record<string, boolean>>;
  readonly additionalArguments: readonly string[];
  readonly bounds: () => Electron.Rectangle;
  /** Not in a visible window. */
  readonly hidden: () => boolean;
  readonly backgroundColor: string | undefined;
}

/** Opens the page of web contents and forwards its events. */
export async function openContentsPage(
  contents: StandInWebContents,
  options: ContentsOptions,
  loading: Loading,
): Promise<Page> {
  const preload = options.preload === undefined ? undefined : readFileSync(options.preload, 'utf8');
  const running = await browser();
  const contextId = await options.session.contextId();
  const hidden = options.hidden();
  const opened = await Page.open(running, {
    contextId,
    bounds: options.bounds(),
    hidden,
    preload,
    process: preloadProcess(options.additionalArguments),
    async prepare(page) {
      loading.follow(page);
      follow(contents, page);
      followPermissions(running, page, contents, contextId);
      applyUserAgent(running.connection, page.session);
      const navigation = createNavigationHooks(contents, loading, page.id);
      await Promise.all([
        openGate(running.connection, page.session, {
          ...navigation,
          serve: options.session.serve,
          logIn: (challenge) => askForLogin(contents, challenge),
        }),
        applyColorScheme(page),
        refuseDownloads(running, page, contents, contextId),
        ...(options.backgroundColor === undefined ? [] : [paint(page, options.backgroundColor)]),
      ]);
    },
  });
  // Chromium opened its first window before its position was known.
  if (!hidden) await placeWindow(opened, options.bounds());
  return opened;
}

export function closePage(page: Page): void {
  void browser().then(({ connection }) => connection.post('Target.closeTarget', { targetId: page.id }));
}

function follow(contents: StandInWebContents, page: Page): void {
  const { session } = page;
  const { standIn } = contents;
  page.on('world', (message: Record<string, unknown>) => {
    if (message['op'] === 'document') sendMenuKeys(page);
    handleMessage(contents, message);
  });
  page.once('closed', () => {
    if (!standIn.isClosing) contents.emit('chromium-closed');
    contents.standInEnd();
  });
  session.on('Page.windowOpen', (params: CdpParams) => askForWindow(contents, readWindowOpen(params)));
  session.on('Page.javascriptDialogOpening', ({ type }: CdpParams) => {
    if (type !== 'beforeunload') return;
    // As in Electron: the window stays, without a prompt, unless the app decides otherwise.
    const event = createEvent();
    contents.emit('will-prevent-unload', event);
    standIn.isClosing &&= event.defaultPrevented;
    session.post('Page.handleJavaScriptDialog', { accept: event.defaultPrevented });
  });
  session.on('Inspector.targetCrashed', () => {
    standIn.isCrashed = true;
    contents.emit('render-process-gone', createEvent(), { reason: 'crashed', exitCode: 1 });
  });
  session.post('Inspector.enable');
}

/** Chromium's report of a link, a form, or a frame script, whose window features it does not report verbatim. */
function readWindowOpen({ url, windowName, windowFeatures }: CdpParams): WindowRequest {
  const isTab = ['menubar', 'toolbar', 'status', 'scrollbars'].every((bar) => windowFeatures.includes(bar));
  return {
    url: String(url),
    frameName: windowName === '_blank' ? '' : String(windowName),
    get features() {
      return isTab ? '' : notEmulated('features of a window that a frame opens');
    },
    disposition: isTab ? 'foreground-tab' : 'new-window',
  };
}

function askForWindow(contents: StandInWebContents, request: WindowRequest): void {
  if (contents.isDestroyed()) return;
  const { url } = request;
  const response = contents.standIn.windowOpenHandler?.({
    url: fromChromiumUrl(url),
    frameName: request.frameName,
    get features() {
      return request.features;
    },
    disposition: request.disposition,
    referrer: { url: '', policy: 'default' },
  });
  if (response?.action !== 'deny') notEmulated(`a child window for ${url}`);
}

/** A message from the page's isolated world. */
function handleMessage(contents: StandInWebContents, message: Record<string, unknown>): void {
  if (contents.isDestroyed()) return;
  const { standIn } = contents;
  switch (message['op']) {
    case 'document':
      standIn.loading.url = fromChromiumUrl(String(message['url']));
      standIn.isCrashed = false;
      break;
    case 'invoke':
    case 'send':
      dispatchIpc(contents, message);
      break;
    case 'windowOpen':
      askForWindow(contents, message as unknown as WindowRequest);
      break;
    case 'windowClose':
      contents.close({ waitForBeforeUnload: true });
      break;
    case 'title':
      standIn.title = String(message['title']);
      contents.emit('page-title-updated', createEvent(), standIn.title, true);
      break;
    case 'focus':
    case 'blur':
      standIn.isFocused = message['op'] === 'focus';
      contents.emit(message['op']);
      break;
    case 'resize':
      contents.emit('chromium-resized');
      break;
    case 'key':
      internalEvents.emit('key', message as never, contents);
      break;
    case 'otherProgram':
      contents.emit('chromium-other-program', String(message['url']));
      break;
    case 'preloadError': {
      const error = Object.assign(new Error(String(message['message'])), message);
      contents.emit('preload-error', createEvent(), standIn.options.preload, error);
      console.error(`Unable to load preload script ${String(standIn.options.preload)}:`, error);
      break;
    }
  }
}

function preloadProcess(additionalArguments: readonly string[]): Record<string, unknown> {
  const { platform, arch, versions } = process;
  const argv = [process.execPath, ...additionalArguments];
  return { type: 'renderer', sandboxed: true, contextIsolated: true, platform, arch, versions, argv, env: {} };
}

async function paint(page: Page, color: string): Promise<void> {
  const [, red, green, blue] = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i.exec(color) ?? [];
  if (red === undefined || green === undefined || blue === undefined) return;
  const [r, g, b] = [red, green, blue].map((part) => Number.parseInt(part, 16));
  await page.session.send('Emulation.setDefaultBackgroundColorOverride', { color: { r, g, b, a: 1 } });
}
