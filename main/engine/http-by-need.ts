import type { ProgramRecords } from '../gateway-ports.ts';
import type { Clock, IntegrationStore } from '../ports.ts';
import { needsHttp } from './needs-http.ts';
import type { OpenGateway } from './open-gateway.ts';

/** Milliseconds between two tries for a port that another program has; doubled each time. */
const tryAgain = { first: 1_000, longest: 30_000 } as const;

export interface HttpByNeedOptions {
  readonly serving: Pick<OpenGateway, 'listenForHttp'>;
  readonly store: Pick<IntegrationStore, 'settings'>;
  readonly programs: Pick<ProgramRecords, 'list'>;
  readonly clock: Pick<Clock, 'after'>;
  /** It is open now, at this address. */
  readonly onOpen?: (address: string) => void;
  /** What stands against it, told once for each port: it is tried again until the port is free. */
  readonly onClosed: (error: unknown) => void;
}

/** Opens the way in over HTTP once a program has a secret for it. */
export class HttpByNeed {
  readonly #options: HttpByNeedOptions;
  #isNeeded = false;
  #address: string | undefined;
  #portTold: number | undefined;
  #pause: number = tryAgain.first;
  #cancel = (): void => {};
  #last: Promise<void> = Promise.resolve();
  #isOver = false;

  constructor(options: HttpByNeedOptions) {
    this.#options = options;
  }

  /** An entry with an address starts nobody: as long as a program has one, whoever serves has to stay. */
  get isNeeded(): boolean {
    return this.#isNeeded;
  }

  /** Where it is open. */
  get address(): string | undefined {
    return this.#address;
  }

  /** The list or the programs may have been changed, or the port. One after the other. Never rejects. */
  look(): Promise<void> {
    this.#cancel();
    return (this.#last = this.#last.then(() => this.#open()));
  }

  close(): void {
    this.#isOver = true;
    this.#cancel();
  }

  async #open(): Promise<void> {
    const { serving, store, programs, clock, onOpen, onClosed } = this.#options;
    this.#isNeeded = await needsHttp(store, programs);
    if (!this.#isNeeded || this.#isOver) return;
    try {
      const address = await serving.listenForHttp();
      this.#pause = tryAgain.first;
      this.#portTold = undefined;
      if (address === this.#address) return;
      this.#address = address;
      onOpen?.(address);
    } catch (error) {
      const { gatewayPort } = await store.settings().catch(() => ({ gatewayPort: undefined }));
      if (gatewayPort !== this.#portTold) onClosed(error);
      this.#portTold = gatewayPort;
      if (this.#isOver) return;
      this.#cancel = clock.after(this.#pause, () => void this.look());
      this.#pause = Math.min(2 * this.#pause, tryAgain.longest);
    }
  }
}
