// Requests that Postern itself makes within an app's session.

import { PosternError } from '../../errors/postern-error.ts';
import type { Random } from '../../ports.ts';
import { readEnvelope, withId } from '../messages/envelope.ts';
import type { JsonObject, RequestEnvelope } from '../messages/envelope.ts';

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
    return readRequest(
      `{"jsonrpc":"2.0","id":${this.newId()},"method":"tools/list","params":${JSON.stringify(params)}}`,
    );
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

function readRequest(text: string | Buffer): RequestEnvelope {
  const envelope = readEnvelope(Buffer.from(text));
  if (envelope.kind !== 'request') throw new PosternError('INTERNAL', { stage: 'gateway' });
  return envelope;
}
