import { comesOverHttp } from '../../../shared/program-record.ts';
import type { ProgramRecords } from '../../gateway-ports.ts';
import type { Clock, IntegrationStore } from '../../ports.ts';
import type { OpenGateway } from './open-gateway.ts';

/** Milliseconds between two tries for a port that another program has; doubled each time. */
const tryAgain = { first: 1_000, longest: 30_000 } as const;

/** `closed`: it is tried again until the port is free. */
export type HttpState =
  | { readonly kind: 'not-needed' }
  | { readonly kind: 'open'; readonly address: string }
  | { readonly kind: 'closed'; readonly error: unknown; readonly port: number | undefined };

export interface HttpByNeedOptions {
  readonly serving: Pick<OpenGateway, 'listenForHttp'>;
  readonly store: Pick<IntegrationStore, 'settings'>;
  readonly programs: Pick<ProgramRecords, 'list'>;
  readonly clock: Pick<Clock, 'after'>;
  /** Told when it is another one than before, not of each try. */
  readonly onState: (state: HttpState) => void;
}

/** Opens the way in over HTTP once a program has a secret for it. */
export class HttpByNeed {
  readonly #options: HttpByNeedOptions;
  #state: HttpState = { kind: 'not-needed' };
  #pause: number = tryAgain.first;
  #cancel = (): void => {};
  #last: Promise<void> = Promise.resolve();
  #isOver = false;

  constructor(options: HttpByNeedOptions) {
    this.#options = options;
  }

  get state(): HttpState {
    return this.#state;
  }

  /** The list or the programs may have been changed, or the port. One after the other. Never rejects. */
  look(): Promise<void> {
    this.#cancel();
    return (this.#last = this.#last.then(() => this.#open()));
  }

  /** Resolves when nothing is opened any more. Never rejects. */
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
      this.#pause = tryAgain.first;
    } catch (error) {
      const { gatewayPort: port } = await store.settings().catch(() => ({ gatewayPort: undefined }));
      this.#enter({ kind: 'closed', error, port });
      if (this.#isOver) return;
      this.#cancel = clock.after(this.#pause, () => void this.look());
      this.#pause = Math.min(2 * this.#pause, tryAgain.longest);
    }
  }

  #enter(state: HttpState): void {
    const before = this.#state;
    this.#state = state;
    if (!isSame(before, state)) this.#options.onState(state);
  }
}

/** Its port has been chosen, and a program has a secret for it. Never rejects. */
async function isNeeded({ store, programs }: Pick<HttpByNeedOptions, 'store' | 'programs'>): Promise<boolean> {
  try {
    const [{ gatewayPort }, records] = await Promise.all([store.settings(), programs.list()]);
    return gatewayPort !== undefined && records.some(comesOverHttp);
  } catch {
    return false;
  }
}

function isSame(before: HttpState, now: HttpState): boolean {
  if (before.kind === 'open') return now.kind === 'open' && before.address === now.address;
  if (before.kind === 'closed') return now.kind === 'closed' && before.port === now.port;
  return now.kind === 'not-needed';
}
