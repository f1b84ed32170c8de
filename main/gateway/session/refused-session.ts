import { errorText, refusalOf, rpcCode, tooLongText, unusableText } from '../answers/answers.ts';
import type { Refusal } from '../answers/answers.ts';
import type { Holding } from '../../holding.ts';
import type { ProgramSession, Send } from '../../gateway-ports.ts';
import type { CallLog, CallOutcome } from '../log/call-log.ts';
import { readEnvelope } from '../messages/envelope.ts';
import { lacksId } from '../permissions/offer-of.ts';

interface RefusedSessionOptions {
  readonly send: Send;
  readonly calls: CallLog;
  readonly leave: () => void;
  readonly reading: Holding;
}

/** A session that can do nothing: every request of it is answered with why. */
export class RefusedSession implements ProgramSession {
  readonly isIdle = true;
  readonly reading: Holding;
  readonly #refusal: Refusal;
  readonly #send: Send;
  readonly #calls: CallLog;
  readonly #leave: () => void;

  /** `leave`: it is over. */
  constructor(refusal: Refusal, { send, calls, leave, reading }: RefusedSessionOptions) {
    this.#refusal = refusal;
    this.#send = send;
    this.#calls = calls;
    this.#leave = leave;
    this.reading = reading;
  }

  /** Never rejects. */
  async receive(bytes: Buffer): Promise<void> {
    const message = readEnvelope(bytes);
    if (message.kind === 'unusable') return await this.#send(unusableText(message.id, message.reason));
    if (message.kind === 'notification' && lacksId(message.method))
      this.#calls.begin(message).end(this.#refusal.code, 0);
    if (message.kind !== 'request') return;
    const { id, method } = message;
    // What programs of both eras take as the sign to begin with `initialize`, where they show the error.
    const isDiscovery = method === 'server/discover';
    const answer = isDiscovery
      ? errorText(id, rpcCode.unknownMethod, 'Method not found')
      : refusalOf(id, method, this.#refusal);
    const outcome: CallOutcome = isDiscovery ? `${rpcCode.unknownMethod}` : this.#refusal.code;
    this.#calls.begin(message).end(outcome, Buffer.byteLength(answer));
    await this.#send(answer);
  }

  async refuseLong(beginning: Buffer): Promise<void> {
    await this.#send(tooLongText(beginning));
  }

  async rest(): Promise<void> {}

  async close(): Promise<void> {
    this.#leave();
  }
}
