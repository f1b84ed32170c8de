import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { serverQuestions } from '../limits.ts';
import { MessageBound } from './bound-message.ts';

type Id = string | number;

/**
 * Streamable HTTP that waits for no answer which cannot come any more, and that no server makes send more than we want:
 * it answers a few questions of a server at once, keeps a few waiting and drops the rest. What comes is cut before the
 * library checks, copies and keeps all of it.
 */
export class BoundedTransport extends StreamableHTTPClientTransport {
  /** By request; the library takes the answer `"1"` for the request 1 too. */
  readonly #unanswered = new Map<string, () => void>();
  readonly #waiting: (() => void)[] = [];
  readonly #bound = new MessageBound();
  #answering = 0;

  constructor(...parameters: ConstructorParameters<typeof StreamableHTTPClientTransport>) {
    super(...parameters);
    let handle = this.onmessage;
    // The library sets its own handler, at some times without regard to the one that is there.
    Object.defineProperty(this, 'onmessage', {
      get: () => handle && this.#settling(handle),
      set: (next: typeof handle) => {
        handle = next;
      },
    });
  }

  /** Whether entries of some listing were left out. */
  get isPartial(): boolean {
    return this.#bound.isPartial;
  }

  /** Of a request: rejects too when the stream that its answer was to come on has ended without it. */
  override async send(...[message, options]: Parameters<StreamableHTTPClientTransport['send']>): Promise<void> {
    if (isAnswer(message)) return await this.#answer(() => super.send(message, options));
    if (!('method' in message) || !('id' in message)) return await super.send(message, options);
    this.#bound.asks(message);
    const key = String(message.id);
    const { promise: settled, resolve, reject } = Promise.withResolvers<void>();
    settled.catch(() => {});
    this.#unanswered.set(key, resolve);
    try {
      await super.send(message, {
        ...options,
        onRequestStreamEnd: () => {
          options?.onRequestStreamEnd?.();
          reject(new Error('the stream ended without an answer'));
        },
      });
      await settled;
    } finally {
      this.#unanswered.delete(key);
    }
  }

  #settling(handle: NonNullable<StreamableHTTPClientTransport['onmessage']>): typeof handle {
    return (message) => {
      if (isAnswer(message)) this.#unanswered.get(String(message.id))?.();
      const admitted = this.#bound.admit(message);
      if (admitted) handle(admitted);
    };
  }

  async #answer(send: () => Promise<void>): Promise<void> {
    if (this.#answering < serverQuestions.atOnce) this.#answering += 1;
    else if (this.#waiting.length >= serverQuestions.waiting) return;
    else await new Promise<void>((resolve) => void this.#waiting.push(resolve));
    try {
      await send();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#answering -= 1;
    }
  }
}

/** A response of JSON-RPC 2.0, section 5: it has an id and no method. */
function isAnswer(message: JSONRPCMessage | JSONRPCMessage[]): message is JSONRPCMessage & { id: Id } {
  return 'id' in message && !('method' in message);
}
