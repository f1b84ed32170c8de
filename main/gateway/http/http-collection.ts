import type { Collection } from '../../../shared/collection.ts';
import type { ProgramRecord } from '../../../shared/program-record.ts';
import { PosternError } from '../../errors/postern-error.ts';
import type { ProgramAnswer, ProgramRequest } from '../../gateway-ports.ts';
import type { Random } from '../../ports.ts';
import { errorText, refusalOf, rpcCode, underWay, unusableText } from '../answers/answers.ts';
import { isOfNewerWire, ProgramOfCollection } from '../collection/app-of-collection.ts';
import type { OpenCollections } from '../collection/open-collections.ts';
import { beginsSession, isObject } from '../messages/envelope.ts';
import type { Envelope, RequestEnvelope } from '../messages/envelope.ts';
import { namesAnother } from '../permissions/call-permits.ts';
import { whenGone } from './app-stream.ts';
import { asJson, Exchanges } from './http-answers.ts';

interface HttpCollectionPorts {
  readonly collection: Collection;
  readonly open: OpenCollections;
  readonly record: ProgramRecord;
  readonly isOnce: boolean;
  readonly random: Random;
}

interface Use {
  readonly exchanges: Exchanges;
  readonly program: ProgramOfCollection;
}

/** Processes of one program that speak the newer wire and can do different things. */
const mostKinds = 16;

/** One program that uses one collection by HTTP: older ones have sessions with an id of ours, newer ones have none. */
export class HttpCollection {
  readonly #ports: HttpCollectionPorts;
  readonly #sessions = new Map<string, Use>();
  /** By what the program says it is and can do, as each of its requests does; the most recently used comes last. */
  readonly #newer = new Map<string, Promise<Use>>();

  constructor(ports: HttpCollectionPorts) {
    this.#ports = ports;
  }

  /** `message`: the body of a POST. Never rejects. */
  async answer(request: ProgramRequest, message: Envelope | undefined): Promise<ProgramAnswer> {
    const { headers, signal } = request;
    const id = headers['mcp-session-id'];
    try {
      if (message?.kind === 'unusable') return asJson(unusableText(message.id, message.reason), 400);
      if (message?.kind === 'request' && namesAnother(message, headers))
        return asJson(errorText(message.id, rpcCode.headerMismatch, 'A header field says something else.'), 400);
      if (id !== undefined) return await this.#inSession(id, request, message);
      if (!message) return { status: 405, headers: { allow: 'POST' } };
      if (message.kind !== 'request') return { status: 202, headers: {} };
      if (beginsSession(message)) return await this.#begin(message, signal);
      if (!isOfNewerWire(message))
        return asJson(errorText(message.id, rpcCode.notARequest, 'A session begins with initialize.'), 400);
      return withStatus(await this.#askNewer(message, signal));
    } catch (error) {
      if (message?.kind !== 'request' || !(error instanceof PosternError)) return { status: 502, headers: {} };
      const { open, collection } = this.#ports;
      return asJson(refusalOf(message.id, message.method, open.refuses(collection)(error)));
    }
  }

  /** Ends all that is under way. Never rejects. */
  async close(): Promise<void> {
    const newer = await Promise.allSettled(this.#newer.values());
    const uses = [...this.#sessions.values(), ...newer.flatMap((use) => (use.status === 'fulfilled' ? use.value : []))];
    this.#sessions.clear();
    this.#newer.clear();
    await Promise.all(uses.map(end));
  }

  async #begin(initialize: RequestEnvelope, signal: AbortSignal): Promise<ProgramAnswer> {
    const id = Buffer.from(this.#ports.random.bytes(24)).toString('base64url');
    const use = await this.#open(() => this.#end(id));
    this.#sessions.set(id, use);
    const answer = use.exchanges.wait(initialize.id, signal);
    await use.program.take(initialize);
    const begun = await answer;
    // A program has no session that left before it heard of it.
    if (signal.aborted) this.#end(id);
    return { ...begun, headers: { ...begun.headers, 'mcp-session-id': id } };
  }

  async #inSession(
    id: string,
    { method, signal }: ProgramRequest,
    message: Exclude<Envelope, { kind: 'unusable' }> | undefined,
  ): Promise<ProgramAnswer> {
    const use = this.#sessions.get(id);
    if (!use) return { status: 404, headers: {} };
    use.program.touch();
    if (method === 'GET') return use.exchanges.listen();
    if (method === 'DELETE') this.#end(id);
    if (!message) return { status: 200, headers: {} };
    if (message.kind !== 'request') {
      await use.program.take(message);
      return { status: 202, headers: {} };
    }
    if (use.exchanges.has(message.id)) return asJson(errorText(message.id, rpcCode.notARequest, underWay));
    const answer = use.exchanges.wait(message.id, signal);
    await use.program.take(message);
    return await answer;
  }

  /** Several processes may use the same ids. A program that hangs up does not want the answer any more. */
  async #askNewer(message: RequestEnvelope, signal: AbortSignal): Promise<ProgramAnswer> {
    const { exchanges, program } = await this.#useOf(message);
    program.touch();
    const about = this.#ports.open.newId();
    const answer = exchanges.wait(about, signal);
    whenGone(signal, () => void program.cancel(about));
    await program.take(message, about);
    return await answer;
  }

  async #useOf({ params: { _meta } }: RequestEnvelope): Promise<Use> {
    const said = isObject(_meta) ? _meta : {};
    const key = JSON.stringify(
      ['clientInfo', 'clientCapabilities'].map((name) => said[`io.modelcontextprotocol/${name}`]),
    );
    const use = this.#newer.get(key) ?? this.#open(() => this.#endNewer(key));
    use.catch(() => this.#newer.delete(key));
    this.#newer.delete(key);
    this.#newer.set(key, use);
    const [oldest] = this.#newer.keys();
    if (oldest !== undefined && this.#newer.size > mostKinds) this.#endNewer(oldest);
    return await use;
  }

  async #open(hangUp: () => void): Promise<Use> {
    const { collection, open, record, isOnce } = this.#ports;
    const exchanges = new Exchanges();
    const program = await ProgramOfCollection.open(
      (way) => open.open(collection, { ...way, program: record, record, isOnce, hangUp, isAtSocket: false }),
      {
        send: (message, about) => exchanges.tell(message, about),
        // Nothing can be given back to whoever comes by HTTP.
        giveBack: async () => {},
        newId: open.newId,
        refuse: open.refuses(collection),
        touch: (session) => open.touch(session),
        close: async (session) => void (await open.close(session)),
      },
    );
    return { exchanges, program };
  }

  #end(id: string): void {
    const use = this.#sessions.get(id);
    this.#sessions.delete(id);
    if (use) void end(use);
  }

  #endNewer(key: string): void {
    const use = this.#newer.get(key);
    this.#newer.delete(key);
    void use?.then(end).catch(() => {});
  }
}

async function end({ exchanges, program }: Use): Promise<void> {
  exchanges.close();
  await program.close();
}

/** What the newer wire says of an error by its status (MCP 2026-07-28, streamable HTTP). */
function withStatus(answer: ProgramAnswer): ProgramAnswer {
  return typeof answer.body === 'string' && answer.body.includes(`"code":${rpcCode.unknownRevision}`)
    ? { ...answer, status: 400 }
    : answer;
}
