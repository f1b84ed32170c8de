import type * as Electron from 'electron';
import { closePage, openContentsPage } from './contents-page.ts';
import type { ContentsOptions } from './contents-page.ts';
import { toChromiumUrl } from './custom-scheme.ts';
import { encodeMessage } from './dispatch-ipc.ts';
import { createEvent } from './electron-event.ts';
import type { EmulatedContents } from './emulated-contents.ts';
import { markDestroyed } from './mark-destroyed.ts';
import { internalEvents } from './internal-events.ts';
import { StandInIpcMain } from './ipc-main.ts';
import { Loading } from './loading.ts';
import { loadFailure } from './net-error.ts';
import { notEmulated, strictEmitter, strictObject } from './not-emulated.ts';
import type { Page } from './page.ts';
import type { StandInSession } from './session.ts';
import { contentsEvents } from './web-contents-events.ts';
import { StandInFrame } from './web-frame-main.ts';
import { applyWebRtcPolicies } from './webrtc-policy.ts';
import type { WebRtcPolicy } from './webrtc-policy.ts';

const all = new Map<number, StandInWebContents>();
let lastId = 0;

type WindowOpenHandler = Parameters<Electron.WebContents['setWindowOpenHandler']>[0];

/** A Chromium page with Electron's API. */
export class StandInWebContents
  extends strictEmitter('webContents', contentsEvents)
  implements Pick<Electron.WebContents, EmulatedContents>
{
  readonly id = (lastId += 1);
  readonly ipc = new StandInIpcMain();
  readonly mainFrame: StandInFrame;
  readonly navigationHistory: Pick<Electron.NavigationHistory, 'canGoBack' | 'canGoForward' | 'clear'>;
  readonly session: StandInSession;
  /** For the stand-in itself, like everything below `stand`. */
  readonly standIn: {
    readonly options: ContentsOptions;
    readonly mainFrame: StandInFrame;
    readonly loading: Loading;
    readonly page: Promise<Page>;
    windowOpenHandler: WindowOpenHandler | undefined;
    isFocused: boolean;
    isCrashed: boolean;
    /** A close was requested, which explains the end of its page. */
    isClosing: boolean;
    title: string;
    webRtcPolicy: WebRtcPolicy;
  };
  #isDestroyed = false;

  constructor(options: ContentsOptions) {
    super();
    this.session = options.session;
    this.mainFrame = new StandInFrame({
      url: () => this.standIn.loading.url,
      isDestroyed: () => this.#isDestroyed,
      send: (channel, values) => this.send(channel, ...values),
      evaluate: async (code, gesture) => {
        await applyPolicies();
        const page = await this.standIn.page;
        return await page.evaluateInFrame(page.id, code, gesture);
      },
    });
    this.navigationHistory = strictObject('navigationHistory', {
      canGoBack: () => false,
      canGoForward: () => false,
      clear: () => {},
    });
    all.set(this.id, this);
    const loading = new Loading(this);
    this.standIn = {
      options,
      mainFrame: this.mainFrame,
      loading,
      page: openContentsPage(this, options, loading),
      windowOpenHandler: undefined,
      isFocused: false,
      isCrashed: false,
      isClosing: false,
      title: '',
      webRtcPolicy: 'default',
    };
    this.standIn.page.catch((error: unknown) => {
      if (!this.#isDestroyed) console.error('The stand-in could not open a page:', error);
    });
    internalEvents.emit('contentsCreated', this);
  }

  static getAllWebContents(): StandInWebContents[] {
    return [...all.values()];
  }

  static fromId(id: number): StandInWebContents | undefined {
    return all.get(id);
  }

  async loadURL(url: string, options?: Electron.LoadURLOptions): Promise<void> {
    if (options !== undefined && Object.keys(options).some((name) => name !== 'userAgent'))
      notEmulated(`loadURL with ${Object.keys(options).join(', ')}`);
    if (options?.userAgent !== undefined) this.setUserAgent(options.userAgent);
    if (!URL.canParse(url)) throw loadFailure({ code: -300, name: 'ERR_INVALID_URL' }, url);
    await applyPolicies();
    await this.standIn.loading.load(await this.standIn.page, url, toChromiumUrl(url));
  }

  reload(): void {
    void this.#withPage((page) => this.standIn.loading.reload(page));
  }

  stop(): void {
    void this.#withPage((page) => page.session.post('Page.stopLoading'));
  }

  getURL(): string {
    return this.standIn.loading.visibleUrl;
  }

  getTitle(): string {
    return this.standIn.title === '' ? this.getURL() : this.standIn.title;
  }

  getLastWebPreferences(): Readonly<Record<string, boolean>> {
    return this.standIn.options.preferences;
  }

  isLoading(): boolean {
    return this.standIn.loading.isLoading;
  }

  isDestroyed(): boolean {
    return this.#isDestroyed;
  }

  isCrashed(): boolean {
    return this.standIn.isCrashed;
  }

  isFocused(): boolean {
    return this.standIn.isFocused;
  }

  focus(): void {
    void this.#withPage((page) => page.session.post('Page.bringToFront'));
  }

  send(channel: string, ...values: unknown[]): void {
    if (typeof channel !== 'string') throw new TypeError('Missing required channel argument');
    let message: ReturnType<typeof encodeMessage>;
    try {
      message = encodeMessage(channel, values);
    } catch (error) {
      // Electron prints it and continues.
      console.error('Error sending from webContents:', error);
      return;
    }
    this.standInDeliver(message);
  }

  /** For the stand-in itself: a message to the preload's world. */
  standInDeliver(message: Readonly<Record<string, unknown>>): void {
    void this.#withPage((page) => page.deliver(message));
  }

  async executeJavaScript(code: string, userGesture?: boolean): Promise<unknown> {
    if (this.#isDestroyed) throw new TypeError('Object has been destroyed');
    await applyPolicies();
    return await (await this.standIn.page).evaluate(code, userGesture);
  }

  setUserAgent(userAgent: string): void {
    void this.#withPage((page) => page.session.post('Network.setUserAgentOverride', { userAgent }));
  }

  setWindowOpenHandler(handler: WindowOpenHandler): void {
    this.standIn.windowOpenHandler = handler;
  }

  getWebRTCIPHandlingPolicy(): string {
    return this.standIn.webRtcPolicy;
  }

  setWebRTCIPHandlingPolicy(policy: WebRtcPolicy): void {
    this.standIn.webRtcPolicy = policy;
    // If that is not possible, the next load fails.
    void applyPolicies().catch(() => {});
  }

  /** One task later, and after `beforeunload` if requested. */
  close(options?: Electron.CloseOpts): void {
    const end = (): void => void setImmediate(() => this.standInEnd());
    if (options?.waitForBeforeUnload !== true) return end();
    this.standIn.isClosing = true;
    // A page that could not be opened cannot object.
    this.standIn.page.then((page) => page.session.post('Page.close'), end);
  }

  /** For the stand-in itself: destroyed for the app now, in Chromium soon. */
  standInEnd(): void {
    if (this.#isDestroyed) return;
    this.#isDestroyed = true;
    all.delete(this.id);
    super.emit('destroyed', createEvent());
    super.emit('chromium-ended');
    this.standIn.loading.end();
    markDestroyed(this, ['id', 'isDestroyed', 'ipc', 'navigationHistory', 'setWindowOpenHandler', 'executeJavaScript']);
    this.standIn.page.then(closePage, () => {});
  }

  override emit(name: string, ...values: unknown[]): boolean {
    return !this.#isDestroyed && super.emit(name, ...values);
  }

  // Chromium's protocol has no equivalent, and there is no visible difference here.
  setBackgroundThrottling(): void {}
  setIgnoreMenuShortcuts(): void {}
  async setVisualZoomLevelLimits(): Promise<void> {}

  async #withPage(use: (page: Page) => void): Promise<void> {
    const page = await this.standIn.page.catch(() => undefined);
    if (page && !this.#isDestroyed) use(page);
  }
}

/** Policies of all open pages, because Chromium has none per page. */
function applyPolicies(): Promise<void> {
  return applyWebRtcPolicies(
    StandInWebContents.getAllWebContents().map(({ session, standIn }) => ({
      inFirstContext: session.isDefault,
      policy: standIn.webRtcPolicy,
    })),
  );
}
