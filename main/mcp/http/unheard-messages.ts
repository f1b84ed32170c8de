import { gatewaySession } from '../../limits.ts';

/** What a server says by itself while nobody listens: so much of it waits for whoever listens next. */
export class UnheardMessages {
  #messages: Buffer[] = [];
  #bytes = 0;

  keep(message: Buffer): void {
    const { count, size } = gatewaySession.unheard;
    if (this.#messages.length >= count || this.#bytes + message.byteLength > size) return;
    this.#messages.push(message);
    this.#bytes += message.byteLength;
  }

  /** All of it, once. */
  take(): readonly Buffer[] {
    const messages = this.#messages;
    this.#messages = [];
    this.#bytes = 0;
    return messages;
  }
}
