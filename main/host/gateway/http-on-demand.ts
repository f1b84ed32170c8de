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

export interface HttpOnDemandOptions {
  readonly serving: Pick<OpenGateway, 'listenForHttp'>;
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
  #last: Promise<void> = Promise.resolve();
  #isOver = false;

  constructor(options: HttpOnDemandOptions) {
    this.#options = options;
  }

  get state(): HttpState {
    return this.#state;
  }

  /** The list, the apps or the port may have changed. Runs one check at a time. Never rejects. */
  look(): Promise<void> {
    this.#cancel();
    return (this.#last = this.#last.then(() => this.#open()));
  }

  /** Resolves when nothing is being opened any more. Never rejects. */
  close(): Promise<void> {
    this.#isOver = true;
    this.#cancel();
    return this.#last;
  }

  async #open(): Promise<void> {
    const { serving, store, clock } = this.#options;
    if (!(await isNeeded(this.#options))) return this.#enter({ kind: 'not-needed' });
    if (this.#isOver) return;
    try {
      this.#enter({ kind: 'open', address: await serving.listenForHttp() });
      this.#pause = retryDelay.first;
    } catch (error) {
      const { gatewayPort: port } = await store.settings().catch(() => ({ gatewayPort: undefined }));
      this.#enter({ kind: 'closed', error, port });
      if (this.#isOver) return;
      this.#cancel = clock.after(this.#pause, () => void this.look());
      this.#pause = Math.min(2 * this.#pause, retryDelay.longest);
    }
  }

  #enter(state: HttpState): void {
    const before = this.#state;
    this.#state = state;
    if (!isSame(before, state)) this.#options.onState(state);
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

function isSame(before: HttpState, now: HttpState): boolean {
  if (before.kind === 'open') return now.kind === 'open' && before.address === now.address;
  if (before.kind === 'closed') return now.kind === 'closed' && before.port === now.port;
  return now.kind === 'not-needed';
}
