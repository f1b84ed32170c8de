import { gatewayMessage, gatewaySession } from '../../limits.ts';

/** What a program has said and the server has not taken yet. Beyond a bound the program has to wait. */
export class Untold {
  #count = 0;
  #bytes = 0;
  #taken = Promise.withResolvers<void>();

  /** Counts a message as long as `work` takes. Errors: those of `work`. */
  async during(bytes: number, work: () => Promise<void>): Promise<void> {
    this.#count += 1;
    this.#bytes += bytes;
    try {
      await work();
    } finally {
      this.#count -= 1;
      this.#bytes -= bytes;
      this.#taken.resolve();
      this.#taken = Promise.withResolvers();
    }
  }

  /** Resolves when there is room for another, of any size. Never rejects. */
  async room(): Promise<void> {
    const mostBytes = gatewaySession.buffer - gatewayMessage.size;
    while (this.#count >= gatewaySession.atOnce || this.#bytes > mostBytes) await this.#taken.promise;
  }
}
