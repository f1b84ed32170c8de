import { setTimeout as pause } from 'node:timers/promises';
import { PosternError } from '../../../errors/postern-error.ts';
import { askToYield, HeldGateway, readHolder } from '../../../host/gateway/gateway-holder.ts';
import { HttpByNeed } from '../../../host/gateway/http-by-need.ts';
import type { HttpState } from '../../../host/gateway/http-by-need.ts';
import type { GatewayOptions, OpenGateway } from '../../../host/gateway/open-gateway.ts';
import { gatewaySession } from '../../../limits.ts';

/** `watch`: what a window shows of what programs do. */
interface WindowGatewayOptions extends Pick<
  GatewayOptions,
  'ports' | 'programs' | 'collections' | 'folder' | 'command' | 'watch' | 'runCommand'
> {
  /** The way in over HTTP is open now, or cannot be opened. */
  readonly onHttp?: () => void;
}

/** Programs can use what is connected as long as the window's program runs; a `postern serve` makes room for it. */
export class WindowGateway {
  readonly #options: WindowGatewayOptions;
  #end = new AbortController();
  #isOver = false;
  #opening: Promise<OpenGateway | undefined> = Promise.resolve(undefined);
  #http: HttpByNeed | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: WindowGatewayOptions) {
    this.#options = options;
  }

  /** Why programs do not get in over HTTP. */
  get httpTrouble(): PosternError | undefined {
    const state = this.#http?.state;
    return state?.kind === 'closed' && state.error instanceof PosternError ? state.error : undefined;
  }

  /** A failure goes to the log: the window is useful without it. */
  start(): void {
    if (this.#isOver) return;
    const closed = this.#closing;
    this.#end = new AbortController();
    this.#closing = undefined;
    void this.#http?.close();
    this.#http = undefined;
    this.#opening = this.#open(closed).catch((error: unknown) => this.#tell(error));
    void this.changed();
  }

  /** The list or the programs were changed, by whichever process. Never rejects. */
  async changed(): Promise<void> {
    const { signal } = this.#end;
    const serving = await this.#opening;
    if (!serving || signal.aborted) return;
    await serving.gateway.changed();
    const { ports, programs } = this.#options;
    const { store, clock } = ports;
    this.#http ??= new HttpByNeed({ serving, store, programs, clock, onState: (state) => this.#tellHttp(state) });
    await this.#http.look();
  }

  /** Serves nobody until `start`. Never rejects. */
  stop(): Promise<void> {
    this.#end.abort();
    const http = this.#http?.close();
    this.#closing ??= this.#opening.then(async (serving) => {
      await http;
      await serving?.close(gatewaySession.lastAnswers.window);
    });
    return this.#closing;
  }

  /** For good. Never rejects. */
  close(): Promise<void> {
    this.#isOver = true;
    return this.stop();
  }

  async #open(closed: Promise<void> | undefined): Promise<OpenGateway | undefined> {
    const { folder } = this.#options;
    const { signal } = this.#end;
    await closed;
    // Read when the first screen is there.
    const { openGateway } = await import('../../../host/gateway/open-gateway.ts');
    const { wait, inAll, look, asks } = gatewaySession.handOver;
    let asked = { pid: 0, times: 0 };
    // Looks are counted, and no time: on a busy computer it would be over before anybody was asked.
    for (let waited = 0, looked = 0; !signal.aborted; waited += look, looked += look) {
      try {
        return await openGateway({ ...this.#options, kind: 'window' });
      } catch (error) {
        if (!(error instanceof HeldGateway) || waited > wait || looked > inAll) throw error;
      }
      const holder = await readHolder(folder);
      // Whoever leaves ends by itself. Another one that a pipe has started meanwhile has not been asked yet.
      if (holder?.isLeaving) waited = 0;
      else if (holder) {
        const times = holder.pid === asked.pid ? asked.times + 1 : 1;
        asked = { pid: holder.pid, times };
        // One that hangs takes its time each time.
        if (times <= asks) await askToYield(folder);
      }
      await pause(look, undefined, { signal }).catch(() => {});
    }
    return undefined;
  }

  #tellHttp(state: HttpState): void {
    if (state.kind === 'closed') this.#tell(state.error);
    this.#options.onHttp?.();
  }

  #tell(error: unknown): undefined {
    const code = error instanceof PosternError ? error.code : 'INTERNAL';
    this.#options.ports.log.write('gateway-closed', { code });
  }
}
