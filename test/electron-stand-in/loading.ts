import type { CdpParams } from './cdp-connection.ts';
import { fromChromiumUrl } from './custom-scheme.ts';
import { createEvent } from './electron-event.ts';
import { loadFailure, readNetError } from './net-error.ts';
import type { NetError } from './net-error.ts';
import type { Page } from './page.ts';
import { StandInFrame } from './web-frame-main.ts';

/** The part of web contents that this file needs. */
export interface LoadedContents {
  readonly mainFrame: StandInFrame;
  emit(name: string, ...values: unknown[]): boolean;
}

/** A page's URL and loading state: `loadURL` and the `did-…` events. */
export class Loading {
  /** The current document's loader. */
  url = '';
  isLoading = false;
  #pending: string | undefined;
  /** Chromium's URL of the navigation that the app itself requested. */
  #expected: string | undefined;
  #status = -1;
  #isErrorPage = false;
  /** Why the app's own scheme has no response: Chromium only gets a failure without a reason. */
  #notServed: string | undefined;
  /** The main frame's failure was reported, but its error page has not loaded yet. */
  #reportedUrl: string | undefined;
  #settle: { resolve: () => void; reject: (error: Error) => void } | undefined;
  /** Chromium has reported the end of loading, but the document's event must be emitted first. */
  #stopping: NodeJS.Immediate | undefined;
  readonly #contents: LoadedContents;
  readonly #mainFrame: StandInFrame;
  /** Frames of the page, by Chromium's IDs. */
  readonly #subframes = new Map<string, StandInFrame>();
  #hasEnded = false;

  constructor(contents: LoadedContents) {
    this.#contents = contents;
    this.#mainFrame = contents.mainFrame;
  }

  get visibleUrl(): string {
    return this.#pending ?? this.url;
  }

  async load(page: Page, url: string, chromiumUrl: string): Promise<void> {
    const wasLoading = this.isLoading;
    this.#expected = chromiumUrl.split('#')[0];
    this.#pending = url;
    this.#notServed = undefined;
    const finished = new Promise<void>((resolve, reject) => {
      this.#settle?.reject(loadFailure(readNetError('ERR_ABORTED'), url));
      this.#settle = { resolve, reject };
    });
    finished.catch(() => {});
    const navigating = page.session.send('Page.navigate', { url: chromiumUrl });
    // A page that closes meanwhile does not respond; its loader gets an error.
    const { errorText, loaderId } = await Promise.race([navigating, finished.then(() => navigating)]);
    this.#expected = undefined;
    this.#pending = undefined;
    const error = errorText === undefined ? undefined : readNetError(this.#notServed ?? errorText);
    // It was prevented or had no page: Electron reports no failure, only that loading stopped.
    if (error?.name === 'ERR_ABORTED') this.#settle?.reject(loadFailure(readNetError('ERR_FAILED'), url));
    else if (error) this.#fail(error, url);
    else if (loaderId === undefined) this.#navigateWithin(url, wasLoading);
    await finished;
  }

  /** Within the current document, so no other one finishes. A load in progress also ends with this one. */
  #navigateWithin(url: string, wasLoading: boolean): void {
    if (wasLoading) {
      this.#settle?.reject(loadFailure(readNetError('ERR_FAILED'), url));
    } else {
      this.url = url;
      this.#settle?.resolve();
    }
    this.#settle = undefined;
  }

  #start(): void {
    if (this.#stopping) this.#stop();
    if (this.isLoading) return;
    this.isLoading = true;
    this.#contents.emit('did-start-loading');
  }

  #stopSoon(): void {
    if (this.isLoading) this.#stopping ??= setImmediate(() => this.#stop());
  }

  #stop(): void {
    clearImmediate(this.#stopping);
    this.#stopping = undefined;
    this.isLoading = false;
    if (!this.#hasEnded) this.#contents.emit('did-stop-loading');
  }

  /** Ends with the page. */
  end(): void {
    this.#hasEnded = true;
    this.#settle?.reject(loadFailure(readNetError('ERR_FAILED'), this.visibleUrl));
    this.#settle = undefined;
  }

  reload(page: Page): void {
    this.#expected = 'reload';
    page.session.post('Page.reload');
  }

  /** Whether this document is the one that the app requested; called once per document. */
  isOwn(chromiumUrl: string): boolean {
    const own = this.#expected === 'reload' || this.#expected === chromiumUrl.split('#')[0];
    if (own) this.#expected = undefined;
    return own;
  }

  onNotServed(error: string): void {
    this.#notServed = error;
  }

  onResponse(status: number): void {
    this.#status = status;
  }

  follow(page: Page): void {
    const { session } = page;
    const contents = this.#contents;
    const isMain = ({ frameId }: CdpParams): boolean => frameId === page.id;
    session.on('Page.frameStartedLoading', (params: CdpParams) => {
      if (isMain(params)) this.#start();
    });
    session.on('Page.frameStoppedLoading', (params: CdpParams) => {
      if (isMain(params)) this.#stopSoon();
    });
    session.on('Page.frameNavigated', ({ frame }: CdpParams) => {
      const url = fromChromiumUrl(`${String(frame.unreachableUrl ?? frame.url)}${String(frame.urlFragment ?? '')}`);
      const isMainFrame = frame.id === page.id;
      if (isMainFrame) {
        this.url = url;
        this.#isErrorPage = frame.unreachableUrl !== undefined;
        // Blocked by a policy of the previous page, before there was a request that could fail; Chromium gives no other
        // reason.
        if (this.#isErrorPage && this.#reportedUrl !== url && !this.#settle)
          this.#report(readNetError('ERR_FAILED'), url, true);
        this.#reportedUrl = undefined;
      }
      if (this.#isErrorPage) return;
      const status = this.#status;
      const { processId, routingId } = isMainFrame ? this.#mainFrame : this.#subframe(page, String(frame.id), url);
      contents.emit('did-frame-navigate', createEvent(), url, status, '', isMainFrame, processId, routingId);
      if (isMainFrame) contents.emit('did-navigate', createEvent(), url, status, '');
    });
    session.on('Page.frameDetached', ({ frameId }: CdpParams) => void this.#subframes.delete(String(frameId)));
    session.on('Page.navigatedWithinDocument', ({ frameId, url }: CdpParams) => {
      const isMainFrame = isMain({ frameId });
      if (isMainFrame) this.url = fromChromiumUrl(String(url));
      contents.emit('did-navigate-in-page', createEvent(), fromChromiumUrl(String(url)), isMainFrame, 1, 1);
    });
    session.on('Page.domContentEventFired', () => {
      if (!this.#isErrorPage) contents.emit('dom-ready', createEvent());
    });
    session.on('Page.loadEventFired', () => {
      if (!this.#isErrorPage) return this.#finish();
      // Electron has no error pages. Another page may have loaded by then.
      const expression = "if (location.protocol === 'chrome-error:') document.body.replaceChildren()";
      session.post('Runtime.evaluate', { expression });
    });
    this.#followFailures(page);
  }

  /** Failures of navigations that the page started; `loadURL` reports its own by rejecting. */
  #followFailures({ session, id }: Page): void {
    const documents = new Map<string, { url: string; isMainFrame: boolean }>();
    session.on('Network.requestWillBeSent', ({ requestId, request, type, frameId }: CdpParams) => {
      if (type === 'Document')
        documents.set(String(requestId), { url: fromChromiumUrl(String(request.url)), isMainFrame: frameId === id });
    });
    session.on('Network.loadingFinished', ({ requestId }: CdpParams) => void documents.delete(String(requestId)));
    session.on('Network.loadingFailed', ({ requestId, errorText }: CdpParams) => {
      const document = documents.get(String(requestId));
      documents.delete(String(requestId));
      const error = readNetError(String(errorText));
      if (!document || error.name === 'ERR_ABORTED' || this.#settle) return;
      this.#report(error, document.url, document.isMainFrame);
    });
  }

  /** One per document of a frame. */
  #subframe(page: Page, id: string, url: string): StandInFrame {
    const frame: StandInFrame = new StandInFrame(
      {
        url: () => url,
        isDestroyed: () => this.#hasEnded || this.#subframes.get(id) !== frame,
        evaluate: (code, userGesture) => page.evaluateInFrame(id, code, userGesture),
      },
      this.#mainFrame,
    );
    this.#subframes.set(id, frame);
    return frame;
  }

  #finish(): void {
    this.#contents.emit('did-finish-load');
    this.#settle?.resolve();
    this.#settle = undefined;
  }

  #fail(error: NetError, url: string): void {
    this.#report(error, url, true);
    this.#settle?.reject(loadFailure(error, url));
    this.#settle = undefined;
  }

  #report({ code, name }: NetError, url: string, isMainFrame: boolean): void {
    const { processId, routingId } = this.#mainFrame;
    if (isMainFrame) this.#reportedUrl = url;
    this.#contents.emit('did-fail-load', createEvent(), code, name, url, isMainFrame, processId, routingId);
  }
}
