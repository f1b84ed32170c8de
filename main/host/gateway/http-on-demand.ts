import { canConnectOverHttp } from '../../../shared/app-record.ts';
import type { AppRecords } from '../../gateway-ports.ts';
import type { Clock, IntegrationStore } from '../../ports.ts';
import type { OpenGateway } from './open-gateway.ts';

/** Milliseconds between two attempts to open a port that another program holds; doubled each time. */
const retryDelay = { first: 1_000, longest: 30_000 } as const;

/** `closed`: retried until the port is free. */
export type HttpState =
  | { readonly kind: 'not-needed' }
  | { readonly kind: 'open'; readonly address: string }
  | { readonly kind: 'closed'; readonly error: unknown; readonly port: number | undefined };

interface HttpOnDemandOptions {
  readonly gateway: Pick<OpenGateway, 'listenForHttp'>;
  readonly store: Pick<IntegrationStore, 'settings'>;
  readonly apps: Pick<AppRecords, 'list'>;
  readonly clock: Pick<Clock, 'after'>;
  /** Called when the state changes, not on every attempt. */
  readonly onState: (state: HttpState) => void;
}

/** Opens the HTTP endpoint once an app has a secret for it. */
export class HttpOnDemand {
  readonly #options: HttpOnDemandOptions;
  #state: HttpState = { kind: 'not-needed' };
  #pause: number = retryDelay.first;
  #cancel = (): void => {};
  #checking: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(options: HttpOnDemandOptions) {
    this.#options = options;
  }

  get state(): HttpState {
    return this.#state;
  }

  /** The list, the apps or the port may have changed. Runs one check at a time. Never rejects. */
  check(): Promise<void> {
    this.#cancel();
    return (this.#checking = this.#checking.then(() => this.#open()));
  }

  /** Resolves when nothing is being opened any more. Never rejects. */
  close(): Promise<void> {
    this.#isClosed = true;
    this.#cancel();
    return this.#checking;
  }

  async #open(): Promise<void> {
    const { gateway, store, clock } = this.#options;
    if (!(await isNeeded(this.#options))) return this.#setState({ kind: 'not-needed' });
    if (this.#isClosed) return;
    try {
      this.#setState({ kind: 'open', address: await gateway.listenForHttp() });
      this.#pause = retryDelay.first;
    } catch (error) {
      const { gatewayPort: port } = await store.settings().catch(() => ({ gatewayPort: undefined }));
      this.#setState({ kind: 'closed', error, port });
      if (this.#isClosed) return;
      this.#cancel = clock.after(this.#pause, () => void this.check());
      this.#pause = Math.min(2 * this.#pause, retryDelay.longest);
    }
  }

  #setState(state: HttpState): void {
    const before = this.#state;
    this.#state = state;
    if (!isSameState(before, state)) this.#options.onState(state);
  }
}

/** A port has been chosen and an app has a secret for it. Never rejects. */
async function isNeeded({ store, apps }: Pick<HttpOnDemandOptions, 'store' | 'apps'>): Promise<boolean> {
  try {
    const [{ gatewayPort }, records] = await Promise.all([store.settings(), apps.list()]);
    return gatewayPort !== undefined && records.some(canConnectOverHttp);
  } catch {
    return false;
  }
}

function isSameState(before: HttpState, after: HttpState): boolean {
  if (before.kind === 'open') return after.kind === 'open' && before.address === after.address;
  if (before.kind === 'closed') return after.kind === 'closed' && before.port === after.port;
  return after.kind === 'not-needed';
}
