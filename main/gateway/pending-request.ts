import type { Send } from '../gateway-ports.ts';
import type { RequestEnvelope } from './envelope.ts';

/** One request of a program on its way: it gets exactly one answer. */
export class PendingRequest {
  readonly request: RequestEnvelope;
  readonly #send: Send;
  readonly #onRefused: () => void;
  readonly #abort = new AbortController();
  #state: 'open' | 'kept' | 'answered' = 'open';
  /** The server missed header fields that repeat arguments; what is known of its tools is old. */
  wantsHeaders = false;

  /** `onRefused` is told before an error goes to the program. */
  constructor(request: RequestEnvelope, send: Send, onRefused: () => void) {
    this.request = request;
    this.#send = send;
    this.#onRefused = onRefused;
  }

  /** Aborts when nobody waits for the answer any more. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get isOpen(): boolean {
    return this.#state === 'open';
  }

  /** Answered from the catalogue; the server's own answer is only compared. */
  get isKept(): boolean {
    return this.#state === 'kept';
  }

  /** The first answer alone goes to the program. */
  async answer(message: Buffer | string): Promise<void> {
    if (this.#state !== 'open') return;
    this.#state = 'answered';
    await this.#send(message);
  }

  /** The same with an error. */
  async refuse(message: Buffer | string): Promise<void> {
    if (this.#state === 'open') this.#onRefused();
    await this.answer(message);
  }

  /** The same with an answer from before. */
  async answerKept(message: Buffer): Promise<void> {
    await this.answer(message);
    this.#state = 'kept';
  }

  /** Whatever comes now is for nobody. */
  settle(): void {
    this.#state = 'answered';
  }

  /** Ends it without an answer. */
  end(): void {
    this.settle();
    this.#abort.abort();
  }
}
