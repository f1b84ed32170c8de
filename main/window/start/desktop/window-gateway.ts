import { setTimeout as pause } from 'node:timers/promises';
import { PosternError } from '../../../errors/postern-error.ts';
import { requestYield, GatewayHeldError, readHolder } from '../../../host/gateway/gateway-holder.ts';
import { HttpOnDemand } from '../../../host/gateway/http-on-demand.ts';
import type { HttpState } from '../../../host/gateway/http-on-demand.ts';
import type { GatewayOptions, OpenGateway } from '../../../host/gateway/open-gateway.ts';
import { gatewaySession } from '../../../limits.ts';

/** `observer`: shows app activity in the window. */
interface WindowGatewayOptions extends Pick<
  GatewayOptions,
  'ports' | 'apps' | 'collections' | 'folder' | 'command' | 'observer' | 'runCommand'
> {
  /** The HTTP endpoint was opened, or failed to open. */
  readonly onHttp?: () => void;
}

/** The gateway in the window's process. A running `postern serve` hands over to it. */
export class WindowGateway {
  readonly #options: WindowGatewayOptions;
  #end = new AbortController();
  #isClosed = false;
  #opening: Promise<OpenGateway | undefined> = Promise.resolve(undefined);
  #http: HttpOnDemand | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: WindowGatewayOptions) {
    this.#options = options;
  }

  /** Why the HTTP endpoint could not be opened. */
  get httpError(): PosternError | undefined {
    const state = this.#http?.state;
    return state?.kind === 'closed' && state.error instanceof PosternError ? state.error : undefined;
  }

  /** A failure is only logged: the window is useful without the gateway. */
  start(): void {
    if (this.#isClosed) return;
    const closed = this.#closing;
    this.#end = new AbortController();
    this.#closing = undefined;
    void this.#http?.close();
    this.#http = undefined;
    this.#opening = this.#open(closed).catch((error: unknown) => this.#logClosed(error));
    void this.changed();
  }

  /** The list or the app records were changed, by any process. Never rejects. */
  async changed(): Promise<void> {
    const { signal } = this.#end;
    const serving = await this.#opening;
    if (!serving || signal.aborted) return;
    await serving.gateway.reloadSettings();
    const { ports, apps } = this.#options;
    const { store, clock } = ports;
    this.#http ??= new HttpOnDemand({
      gateway: serving,
      store,
      apps,
      clock,
      onState: (state) => this.#onHttpState(state),
    });
    await this.#http.check();
  }

  /** Stops the gateway until `start`. Never rejects. */
  stop(): Promise<void> {
    this.#end.abort();
    const http = this.#http?.close();
    this.#closing ??= this.#opening.then(async (serving) => {
      await http;
      await serving?.close(gatewaySession.drain.window);
    });
    return this.#closing;
  }

  /** Stops it permanently. Never rejects. */
  close(): Promise<void> {
    this.#isClosed = true;
    return this.stop();
  }

  async #open(closed: Promise<void> | undefined): Promise<OpenGateway | undefined> {
    const { folder } = this.#options;
    const { signal } = this.#end;
    await closed;
    // Loaded after the first screen.
    const { openGateway } = await import('../../../host/gateway/open-gateway.ts');
    const { wait, total, pollInterval, maxRequests } = gatewaySession.handOver;
    let requested = { pid: 0, times: 0 };
    // Counts polls instead of time: on a busy computer, a deadline could pass before anyone was asked.
    for (let waited = 0, totalWaited = 0; !signal.aborted; waited += pollInterval, totalWaited += pollInterval) {
      try {
        return await openGateway({ ...this.#options, kind: 'window' });
      } catch (error) {
        if (!(error instanceof GatewayHeldError) || waited > wait || totalWaited > total) throw error;
      }
      const holder = await readHolder(folder);
      // A leaving process ends on its own. If a pipe has started another one meanwhile, that one must be asked too.
      if (holder?.isLeaving) waited = 0;
      else if (holder) {
        const times = holder.pid === requested.pid ? requested.times + 1 : 1;
        requested = { pid: holder.pid, times };
        // Limited, because each request to a hung process has to time out.
        if (times <= maxRequests) await requestYield(folder);
      }
      await pause(pollInterval, undefined, { signal }).catch(() => {});
    }
    return undefined;
  }

  #onHttpState(state: HttpState): void {
    if (state.kind === 'closed') this.#logClosed(state.error);
    this.#options.onHttp?.();
  }

  #logClosed(error: unknown): undefined {
    const code = error instanceof PosternError ? error.code : 'INTERNAL';
    this.#options.ports.log.write('gateway-closed', { code });
  }
}
