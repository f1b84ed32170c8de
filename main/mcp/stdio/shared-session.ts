import { gatewayMessage } from '../../limits.ts';
import type { LocalHearing } from '../../local-ports.ts';
import type { PosternError } from '../../postern-error.ts';
import { LostRequest } from '../../request-error.ts';

/** Bytes that one session has not taken yet: two of the longest messages. */
const mostUntaken = 2 * gatewayMessage.size;

/** One of the sessions that share a process. The others wait for none of them, so what it does not take is bounded. */
export class SharedSession {
  readonly #hearing: LocalHearing;
  #untaken = 0;
  #last: Promise<unknown> = Promise.resolve();
  #isOver = false;

  constructor(hearing: LocalHearing) {
    this.#hearing = hearing;
  }

  /** Hands it a message, one after the other. */
  hear(bytes: Buffer): void {
    if (this.#isOver) return;
    this.#untaken += bytes.byteLength;
    if (this.#untaken > mostUntaken) return this.end(new LostRequest('GATEWAY_BUSY', { stage: 'local' }));
    this.#last = this.#last
      .then(() => (this.#isOver ? undefined : this.#hearing.onLine(bytes)))
      .finally(() => (this.#untaken -= bytes.byteLength));
  }

  /** The same for a message of ours. */
  say(message: object): void {
    this.hear(Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message })));
  }

  hearTooLong(beginning: Buffer): void {
    if (!this.#isOver) this.#hearing.onTooLong(beginning);
  }

  /** Told once. */
  end(error: PosternError): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#hearing.onEnd(error);
  }
}
