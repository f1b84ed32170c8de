import type { ProgramAnswer, ProgramRequest } from '../../gateway-ports.ts';
import type { Random } from '../../ports.ts';
import { errorText, rpcCode, underWay, unusableText } from '../answers/answers.ts';
import type { Bridge } from '../bridge/bridge.ts';
import type { OpenOne, SessionRoom } from '../limits/session-room.ts';
import type { Envelope, RequestEnvelope } from '../messages/envelope.ts';
import { OlderRefused } from '../server/revision-evidence.ts';
import type { ServedServer } from '../server/served-server.ts';
import { openSession } from '../session/session.ts';
import type { OpenedSession, Session } from '../session/session.ts';
import { asJson, Exchanges } from './http-answers.ts';

type OpenOptions = Parameters<typeof openSession>[1];

interface BridgedPorts extends Pick<OpenOptions, 'budget' | 'clock' | 'program' | 'admit'> {
  readonly server: ServedServer;
  readonly random: Random;
  readonly room: SessionRoom;
}

/** Requests by HTTP are noted where they come in. */
const unnoted: OpenOptions['calls'] = { begin: () => ({ end: () => {} }) };

/** The bridged sessions of one program with one server by HTTP, by the ids that it was given. */
export class BridgedSessions {
  readonly #ports: BridgedPorts;
  readonly #open = new Map<string, { readonly bridged: BridgedSession; readonly place: OpenOne }>();

  constructor(ports: BridgedPorts) {
    this.#ports = ports;
  }

  /** Answers a handshake; `own`: as the server itself does. Errors: PosternError. */
  async begin(
    initialize: RequestEnvelope,
    signal: AbortSignal,
    own: () => Promise<ProgramAnswer>,
  ): Promise<ProgramAnswer> {
    const { server } = this.#ports;
    const bridged = server.isNewerAlone ? await this.#bridge(initialize, signal) : undefined;
    if (bridged) return bridged;
    try {
      return await own();
    } catch (error) {
      const isAway = server.integration.era === 'modern' && server.judge(error).isAway;
      const late = error instanceof OlderRefused || isAway ? await this.#bridge(initialize, signal) : undefined;
      if (!late) throw error;
      return late;
    }
  }

  /** Answers what belongs to one of them; `undefined`: it has none with this id. Never rejects. */
  async answer(
    id: string,
    { method, signal }: ProgramRequest,
    message: Envelope | undefined,
  ): Promise<ProgramAnswer | undefined> {
    const open = this.#open.get(id);
    if (!open) return undefined;
    this.#ports.room.touch(open.place);
    if (method === 'GET') return open.bridged.listen();
    if (method === 'DELETE') {
      this.#end(id);
      return { status: 200, headers: {} };
    }
    if (!message) return { status: 400, headers: {} };
    if (message.kind === 'unusable') return asJson(unusableText(message.id, message.reason), 400);
    return await open.bridged.answer(message, signal);
  }

  /** Servers may be there again. Never rejects. */
  async catchUp(): Promise<void> {
    const behind = [...this.#open.values()].filter(({ bridged }) => bridged.session.isBehind);
    await Promise.all(behind.map(({ bridged }) => bridged.session.catchUp('signed-in')));
  }

  /** Never rejects. */
  async close(): Promise<void> {
    const open = [...this.#open.values()];
    for (const { bridged } of open) this.#leave(bridged.id);
    await Promise.all(open.map(({ bridged }) => bridged.close()));
  }

  /** `undefined`: the server takes it, or does not say what it speaks. Errors: GATEWAY_BUSY. */
  async #bridge(initialize: RequestEnvelope, signal: AbortSignal): Promise<ProgramAnswer | undefined> {
    const { server, random, room, ...ports } = this.#ports;
    ports.admit();
    const id = Buffer.from(random.bytes(24)).toString('base64url');
    const end = (): void => void (this.#open.has(id) ? this.#end(id) : bridged.close());
    const bridged: BridgedSession = new BridgedSession(id, (program) =>
      // Nothing of it can be given back to whoever comes by HTTP.
      openSession(server, { ...ports, ...program, calls: unnoted, giveBack: async () => {}, hangUp: () => end() }),
    );
    const answer = await bridged.begin(initialize, signal).catch(() => undefined);
    // Nor has a program a session that left before it heard of it.
    if (!answer || signal.aborted) {
      void bridged.close();
      return answer;
    }
    const place = { program: ports.program?.id ?? '', end };
    try {
      room.enter(place);
    } catch (error) {
      void bridged.close();
      throw error;
    }
    this.#open.set(id, { bridged, place });
    return answer;
  }

  #end(id: string): void {
    const open = this.#open.get(id);
    this.#leave(id);
    void open?.bridged.close();
  }

  #leave(id: string): void {
    const open = this.#open.get(id);
    if (open) this.#ports.room.leave(open.place);
    this.#open.delete(id);
  }
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
class BridgedSession {
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
