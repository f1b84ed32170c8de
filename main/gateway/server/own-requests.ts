import { PosternError } from '../../errors/postern-error.ts';
import type { Random } from '../../ports.ts';
import { readEnvelope, withId } from '../messages/envelope.ts';
import type { JsonObject, RequestEnvelope } from '../messages/envelope.ts';

/**
 * What Postern asks a server itself, in the session of a program. Each has an id that nobody can guess and none had
 * before: within a session no two requests have the same one (MCP 2025-11-25, base protocol, requests).
 */
export class OwnRequests {
  readonly #mark: string;
  #count = 0;

  constructor(random: Random) {
    this.#mark = Buffer.from(random.bytes(8)).toString('hex');
  }

  /** MCP 2025-11-25, ping: any answer will do. */
  ping(): RequestEnvelope {
    return readRequest(`{"jsonrpc":"2.0","id":${this.newId()},"method":"ping"}`);
  }

  /** A program's request that is repeated on its behalf. */
  again(request: RequestEnvelope): RequestEnvelope {
    return readRequest(withId(request, this.newId()));
  }

  tools(params: JsonObject): RequestEnvelope {
    return readRequest(
      `{"jsonrpc":"2.0","id":${this.newId()},"method":"tools/list","params":${JSON.stringify(params)}}`,
    );
  }

  /** Whether Postern asks this: no program knows what these ids begin with. */
  isOwn(id: string): boolean {
    return id.startsWith(`"postern:${this.#mark}:`);
  }

  /** As JSON text. */
  newId(): string {
    this.#count += 1;
    return `"postern:${this.#mark}:${this.#count}"`;
  }
}

function readRequest(text: string | Buffer): RequestEnvelope {
  const envelope = readEnvelope(Buffer.from(text));
  if (envelope.kind !== 'request') throw new PosternError('INTERNAL', { stage: 'gateway' });
  return envelope;
}
