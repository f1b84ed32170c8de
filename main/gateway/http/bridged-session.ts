import type { ProgramAnswer } from '../../gateway-ports.ts';
import { errorText, rpcCode, underWay } from '../answers/answers.ts';
import type { Bridge } from '../bridge/bridge.ts';
import type { Envelope, RequestEnvelope } from '../messages/envelope.ts';
import type { OpenedSession } from '../session/open-session.ts';
import type { Session } from '../session/session.ts';
import { Exchanges } from './exchanges.ts';
import { asJson } from './http-answers.ts';

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
  readonly #exchanges = new Exchanges();
  readonly #declined = Promise.withResolvers<undefined>();

  constructor(id: string, open: Open) {
    this.id = id;
    const { session, bridge } = open({
      send: (message, about) => this.#exchanges.tell(message, about),
      decline: async () => this.#declined.resolve(undefined),
    });
    this.session = session;
    this.#bridge = bridge;
  }

  /** Answers the handshake; `undefined`: it is the server's own to answer. */
  async begin(initialize: RequestEnvelope, signal: AbortSignal): Promise<ProgramAnswer | undefined> {
    const answer = this.#exchanges.wait(initialize.id, signal);
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
    if (this.#exchanges.has(id)) return asJson(errorText(id, rpcCode.notARequest, underWay));
    const answer = this.#exchanges.wait(id, signal);
    await this.#bridge.takeOfProgram(message.bytes);
    return await answer;
  }

  /** What the program listens on. */
  listen(): ProgramAnswer {
    return this.#exchanges.listen();
  }

  /** Never rejects. */
  async close(): Promise<void> {
    this.#exchanges.close();
    await this.session.close();
  }
}
