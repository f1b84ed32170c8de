import type { ProgramAnswer } from '../../gateway-ports.ts';
import { readEnvelope } from '../messages/envelope.ts';
import { asJson, asStream } from './http-answers.ts';
import { ProgramStream } from './program-stream.ts';
import { whenGone } from './when-gone.ts';

/** What the answer to one POST of the program gets: one message alone as it is, several as a stream. */
interface Waiting {
  readonly first: PromiseWithResolvers<ProgramAnswer>;
  controller: ReadableStreamDefaultController<Uint8Array> | undefined;
}

/**
 * The requests of a session that is ours, by HTTP: what is said goes where the program waits for it, and all else into
 * what it listens on (MCP 2025-11-25, streamable HTTP).
 */
export class Exchanges {
  readonly #stream = new ProgramStream();
  readonly #waiting = new Map<string, Waiting>();

  has(key: string): boolean {
    return this.#waiting.has(key);
  }

  /** The answer to the request that is known by this. */
  wait(key: string, signal: AbortSignal): Promise<ProgramAnswer> {
    const waiting: Waiting = { first: Promise.withResolvers(), controller: undefined };
    this.#waiting.set(key, waiting);
    whenGone(signal, () => {
      if (this.#waiting.get(key) === waiting) this.#waiting.delete(key);
      // For nobody, but whoever waits for it goes on.
      waiting.first.resolve({ status: 404, headers: {} });
    });
    return waiting.first.promise;
  }

  /** What the program listens on. */
  listen(): ProgramAnswer {
    return asStream(this.#stream.open(Promise.resolve(undefined)));
  }

  /** A message for the program. `about`: the request that it belongs to. Never rejects. */
  async tell(message: Buffer | string, about: string | undefined): Promise<void> {
    const waiting = about === undefined ? undefined : this.#waiting.get(about);
    const text = message.toString();
    if (!waiting) {
      // An answer that nobody waits for is for nobody.
      if (about === undefined || readEnvelope(Buffer.from(text)).kind !== 'answer') this.#stream.tell(text);
      return;
    }
    const isLast = readEnvelope(Buffer.from(text)).kind === 'answer';
    if (isLast) this.#waiting.delete(about ?? '');
    if (isLast && !waiting.controller) return waiting.first.resolve(asJson(text));
    if (!waiting.controller) {
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => {
          waiting.controller = controller;
        },
        cancel: () => void this.#waiting.delete(about ?? ''),
      });
      waiting.first.resolve(asStream(body));
    }
    waiting.controller?.enqueue(Buffer.from(`event: message\ndata: ${text}\n\n`));
    if (isLast) waiting.controller?.close();
  }

  close(): void {
    this.#stream.close();
    for (const { first, controller } of this.#waiting.values()) {
      first.resolve({ status: 404, headers: {} });
      controller?.close();
    }
    this.#waiting.clear();
  }
}
