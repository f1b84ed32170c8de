import { errorText, refusalOf, rpcCode, tooLongText, unusableText } from './answers.ts';
import type { Refusal } from './answers.ts';
import type { ProgramSession, Send } from '../gateway-ports.ts';
import { readEnvelope } from './envelope.ts';

/** A session that can do nothing: every request of it is answered with why. */
export class RefusedSession implements ProgramSession {
  readonly isIdle = true;
  readonly #refusal: Refusal;
  readonly #send: Send;

  constructor(refusal: Refusal, send: Send) {
    this.#refusal = refusal;
    this.#send = send;
  }

  /** Never rejects. */
  async receive(bytes: Buffer): Promise<void> {
    const message = readEnvelope(bytes);
    if (message.kind === 'unusable') return await this.#send(unusableText(message.id, message.reason));
    if (message.kind !== 'request') return;
    const { id, method } = message;
    // What programs of both eras take as the sign to begin with `initialize`, where they show the error.
    if (method === 'server/discover') return await this.#send(errorText(id, rpcCode.unknownMethod, 'Method not found'));
    await this.#send(refusalOf(id, method, this.#refusal));
  }

  async refuseLong(beginning: Buffer): Promise<void> {
    await this.#send(tooLongText(beginning));
  }

  async close(): Promise<void> {}
}
