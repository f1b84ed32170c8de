import type { IncomingMessage } from 'node:http';
import { gatewayMessage, gatewaySession } from '../limits.ts';

/** The body of one request, in the room of its program. */
export interface Body {
  /** `undefined`: it is longer than a message may be. Errors: those of the connection. */
  read(): Promise<Buffer | undefined>;
  /** It is not held any more; once. */
  leave(): void;
}

interface Waiting {
  readonly bytes: number;
  readonly go: () => void;
}

/**
 * What is held of one program's messages by HTTP, from before their first byte until the server has answered: where
 * that is full, the next one is not read yet. Who has begun can always be read to its end.
 */
export class BodyRoom {
  readonly #waiting: Waiting[] = [];
  #held = 0;

  /** Resolves when it may be read, in the order in which they came; one without a body at once. Never rejects. */
  async enter(request: IncomingMessage): Promise<Body> {
    const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
    // What is longer is not read; of what does not say, as much as may come.
    let held = encoding === undefined ? Number(length ?? 0) : gatewayMessage.size;
    const isTooLong = held > gatewayMessage.size;
    if (isTooLong) held = 0;
    await this.#take(held);
    return {
      read: async () => {
        const body = isTooLong ? undefined : await readBody(request);
        this.#give(held - (body?.byteLength ?? 0));
        held = body?.byteLength ?? 0;
        return body;
      },
      leave: () => this.#give(held),
    };
  }

  async #take(bytes: number): Promise<void> {
    if (bytes === 0) return;
    await new Promise<void>((go) => {
      this.#waiting.push({ bytes, go });
      this.#give(0);
    });
  }

  /** Whoever waits longest goes on where there is room for it. */
  #give(bytes: number): void {
    this.#held -= bytes;
    for (let next = this.#waiting[0]; next; next = this.#waiting[0]) {
      if (this.#held + next.bytes > gatewaySession.buffer) return;
      this.#held += next.bytes;
      this.#waiting.shift();
      next.go();
    }
  }
}

async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  // The connection stays, for the answer.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.byteLength;
    if (size > gatewayMessage.size) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
