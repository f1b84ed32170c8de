import { randomBytes } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import type { Browser, NewTarget } from './browser.ts';
import type { CdpParams, CdpSession } from './cdp-connection.ts';
import { contentsResult, frameResult } from './script-result.ts';
import { isolatedWorldSource, mainWorldSource, pageWindowSource } from './world/world-sources.ts';

export interface PageOptions extends NewTarget {
  /** Text of the preload script. */
  readonly preload: string | undefined;
  /** The preload's `process`. */
  readonly process: Readonly<Record<string, unknown>>;
  /** Runs after the protocol's domains are enabled and before the first document. */
  readonly prepare: (page: Page) => Promise<void>;
}

const world = 'electron-stand-in';

/**
 * A Chromium page with the preload's isolated world. Emits `world` for each message from that world, and `closed`;
 * everything else comes from its protocol session.
 */
export class Page extends EventEmitter {
  readonly id: string;
  readonly session: CdpSession;
  readonly #binding: string;
  #context: { readonly id: number; readonly uniqueId: string } | undefined;
  /** The main world in each frame. */
  readonly #frameWorlds = new Map<string, { readonly id: number; readonly uniqueId: string }>();

  private constructor(id: string, session: CdpSession, binding: string) {
    super();
    this.id = id;
    this.session = session;
    this.#binding = binding;
  }

  static async open(browser: Browser, { preload, process, prepare, ...target }: PageOptions): Promise<Page> {
    const { id, session } = await browser.createTarget(target);
    const secret = randomBytes(16).toString('hex');
    const binding = `ipc_${secret}`;
    const page = new Page(id, session, binding);
    page.#follow();
    const scripts = [
      { source: pageWindowSource(secret) },
      ...(preload === undefined ? [] : [{ source: mainWorldSource(secret) }]),
      { source: isolatedWorldSource({ secret, binding, process }, preload), worldName: world },
    ];
    await Promise.all([
      session.send('Page.enable'),
      session.send('Page.setLifecycleEventsEnabled', { enabled: true }),
      session.send('Network.enable', { maxTotalBufferSize: 0, maxResourceBufferSize: 0 }),
      session.send('Runtime.addBinding', { name: binding, executionContextName: world }),
      ...scripts.map((script) => session.send('Page.addScriptToEvaluateOnNewDocument', script)),
      session.send('Runtime.enable'),
      prepare(page),
    ]);
    await session.send('Runtime.runIfWaitingForDebugger');
    return page;
  }

  /** Sends a message to the preload's world; lost if there is no document, as in Electron. */
  deliver(message: Readonly<Record<string, unknown>>): void {
    if (!this.#context) return;
    // JSON inside a string: in an object literal, "__proto__" would be special.
    const text = JSON.stringify(JSON.stringify(message));
    this.session.post('Runtime.evaluate', {
      expression: `${this.#binding}_deliver(${text})`,
      uniqueContextId: this.#context.uniqueId,
    });
  }

  /** Runs code in the main world, as web contents do. */
  async evaluate(code: string, userGesture = false): Promise<unknown> {
    return await contentsResult(this.session, await this.#evaluate({ expression: code, userGesture }));
  }

  /** The same for a same-site frame; after a cross-site navigation, its world appears a moment after the event. */
  async evaluateInFrame(frameId: string, code: string, userGesture = false): Promise<unknown> {
    while (!this.#frameWorlds.has(frameId))
      await Promise.race([
        once(this, `world-of-${frameId}`),
        once(this, 'closed').then(() => Promise.reject(new Error('the page is gone'))),
      ]);
    const uniqueContextId = this.#frameWorlds.get(frameId)?.uniqueId;
    return frameResult(await this.#evaluate({ expression: code, userGesture, uniqueContextId }));
  }

  async #evaluate(options: CdpParams): Promise<CdpParams> {
    return await this.session.send('Runtime.evaluate', {
      ...options,
      awaitPromise: true,
      returnByValue: true,
      replMode: false,
    });
  }

  /** Runs code in the preload's world with user activation. Resolves when it has run, or if the page is gone. */
  async evaluateInWorld(code: string): Promise<void> {
    if (!this.#context) return;
    const { uniqueId } = this.#context;
    const evaluating = this.session.send('Runtime.evaluate', {
      expression: code,
      uniqueContextId: uniqueId,
      userGesture: true,
    });
    // The page may be gone.
    await evaluating.catch(() => {});
  }

  #follow(): void {
    const { session } = this;
    session.on('Runtime.executionContextCreated', ({ context }: CdpParams) => {
      if (context.name === world && context.auxData.frameId === this.id)
        this.#context = { id: Number(context.id), uniqueId: String(context.uniqueId) };
      if (context.auxData.isDefault !== true) return;
      const frameId = String(context.auxData.frameId);
      this.#frameWorlds.set(frameId, { id: Number(context.id), uniqueId: String(context.uniqueId) });
      this.emit(`world-of-${frameId}`);
    });
    session.on('Runtime.executionContextDestroyed', ({ executionContextId }: CdpParams) => {
      if (executionContextId === this.#context?.id) this.#context = undefined;
      for (const [frameId, { id }] of this.#frameWorlds)
        if (id === executionContextId) this.#frameWorlds.delete(frameId);
    });
    session.on('Runtime.executionContextsCleared', () => {
      this.#context = undefined;
      this.#frameWorlds.clear();
    });
    session.on('Runtime.bindingCalled', ({ name, payload, executionContextId }: CdpParams) => {
      // Ignore messages of a previous document.
      if (name !== this.#binding || executionContextId !== this.#context?.id) return;
      this.emit('world', JSON.parse(String(payload)));
    });
    session.once('detached', () => this.emit('closed'));
  }
}
