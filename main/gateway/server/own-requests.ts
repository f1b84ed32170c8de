// Requests that Postern itself makes within an app's session.

import { PosternError } from '../../errors/postern-error.ts';
import type { Random } from '../../ports.ts';
import { readEnvelope, withId } from '../messages/envelope.ts';
import type { JsonObject, RequestEnvelope, ResponseEnvelope } from '../messages/envelope.ts';
import { requestText } from '../responses/responses.ts';

/**
 * Requests that Postern itself makes in an app's session. Their ids are unguessable and unique: no two requests of a
 * session may have the same id (MCP 2025-11-25, base protocol, requests).
 */
export class OwnRequests {
  readonly #prefix: string;
  #count = 0;

  constructor(random: Random) {
    this.#prefix = Buffer.from(random.bytes(8)).toString('hex');
  }

  /** MCP 2025-11-25, ping: any response will do. */
  ping(): RequestEnvelope {
    return readRequest(`{"jsonrpc":"2.0","id":${this.newId()},"method":"ping"}`);
  }

  /** A copy of an app's request with an id of Postern's. */
  repeat(request: RequestEnvelope): RequestEnvelope {
    return readRequest(withId(request, this.newId()));
  }

  listTools(params: JsonObject): RequestEnvelope {
    return readRequest(requestText(this.newId(), 'tools/list', params));
  }

  /** Whether Postern made the request with this id: apps do not know the prefix. */
  isOwn(id: string): boolean {
    return id.startsWith(`"postern:${this.#prefix}:`);
  }

  /** As JSON text. */
  newId(): string {
    this.#count += 1;
    return `"postern:${this.#prefix}:${this.#count}"`;
  }
}

/** Requests that Postern makes in one session, until their responses arrive. */
export class AwaitedResponses {
  readonly #waiting = new Map<string, (response: ResponseEnvelope | undefined) => void>();

  /**
   * Sends a request with this id; resolves to its response, or to `undefined` if there is none. Never rejects, unless
   * `send` does.
   */
  async request(id: string, send: (id: string) => Promise<void>): Promise<ResponseEnvelope | undefined> {
    const { promise, resolve } = Promise.withResolvers<ResponseEnvelope | undefined>();
    this.#waiting.set(id, resolve);
    await send(id);
    return await promise;
  }

  /** Passes on the response to this request, if there is one. Returns false if Postern did not make the request. */
  settle(id: string, response?: ResponseEnvelope): boolean {
    const resolve = this.#waiting.get(id);
    this.#waiting.delete(id);
    resolve?.(response);
    return resolve !== undefined;
  }

  /** No response will arrive any more. */
  close(): void {
    for (const id of this.#waiting.keys()) this.settle(id);
  }
}

function readRequest(text: string | Buffer): RequestEnvelope {
  const envelope = readEnvelope(Buffer.from(text));
  if (envelope.kind !== 'request') throw new PosternError('INTERNAL', { stage: 'gateway' });
  return envelope;
}
