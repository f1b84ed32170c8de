import type { ProgramAnswer } from '../../gateway-ports.ts';
import { errorText, rpcCode, underWay } from '../answers/answers.ts';
import type { Bridge } from '../bridge/bridge.ts';
import { readEnvelope } from '../messages/envelope.ts';
import type { Envelope, RequestEnvelope } from '../messages/envelope.ts';
import type { OpenedSession } from '../session/open-session.ts';
import type { Session } from '../session/session.ts';
import { asJson, asStream } from './http-answers.ts';
import { ProgramStream } from './program-stream.ts';
import { whenGone } from './when-gone.ts';

/** What the answer to one POST of the program gets: one message alone as it is, several as a stream. */
interface Waiting {
  readonly first: PromiseWithResolvers<ProgramAnswer>;
  controller: ReadableStreamDefaultController<Uint8Array> | undefined;
}

/** Opens the session below; `send` and `decline` are what it has of its program. */
type Open = (program: {
  readonly send: (message: Buffer | string, about?: string) => Promise<void>;
  readonly decline: () => Promise<void>;
}) => OpenedSession;

/**
 * A session by HTTP of an older program at a newer server. Its id is ours, since the newer wire has none, and what the
 * server says goes where the program waits for it (MCP 2025-11-25, streamable HTTP).
 */
export class BridgedSession {
  readonly id: string;
  readonly session: Session;
  readonly #bridge: Bridge;
  readonly #stream = new ProgramStream();
  readonly #waiting = new Map<string, Waiting>();
  readonly #declined = Promise.withResolvers<undefined>();

  constructor(id: string, open: Open) {
    this.id = id;
    const { session, bridge } = open({
      send: (message, about) => this.#tell(message, about),
      decline: async () => this.#declined.resolve(undefined),
    });
    this.session = session;
    this.#bridge = bridge;
  }

  /** Answers the handshake; `undefined`: it is the server's own to answer. */
  async begin(initialize: RequestEnvelope, signal: AbortSignal): Promise<ProgramAnswer | undefined> {
    const answer = this.#wait(initialize, signal);
    this.#bridge.begin(initialize);
    const begun = await Promise.race([answer, this.#declined.promise]);
    return begun && { ...begun, headers: { ...begun.headers, 'mcp-session-id': this.id } };
  }

  /** A message of the program that can be read. */
  async answer(message: Exclude<Envelope, { kind: 'unusable' }>, signal: AbortSignal): Promise<ProgramAnswer> {
    if (message.kind !== 'request') {
      await this.#bridge.takeOfProgram(message.bytes);
      return { status: 202, headers: {} };
    }
    const { id } = message;
    if (this.#waiting.has(id)) return asJson(errorText(id, rpcCode.notARequest, underWay));
    const answer = this.#wait(message, signal);
    await this.#bridge.takeOfProgram(message.bytes);
    return await answer;
  }

  /** What the program listens on. */
  listen(): ProgramAnswer {
    return asStream(this.#stream.open(Promise.resolve(undefined)));
  }

  /** Never rejects. */
  async close(): Promise<void> {
    this.#stream.close();
    for (const { first, controller } of this.#waiting.values()) {
      first.resolve({ status: 404, headers: {} });
      controller?.close();
    }
    this.#waiting.clear();
    await this.session.close();
  }

  #wait({ id }: RequestEnvelope, signal: AbortSignal): Promise<ProgramAnswer> {
    const waiting: Waiting = { first: Promise.withResolvers(), controller: undefined };
    this.#waiting.set(id, waiting);
    whenGone(signal, () => {
      if (this.#waiting.get(id) === waiting) this.#waiting.delete(id);
      // For nobody, but whoever waits for it goes on.
      waiting.first.resolve({ status: 404, headers: {} });
    });
    return waiting.first.promise;
  }

  async #tell(message: Buffer | string, about: string | undefined): Promise<void> {
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
}
