import type { ProgramAnswer, ProgramRequest } from '../../gateway-ports.ts';
import type { Random } from '../../ports.ts';
import { unusableText } from '../answers/answers.ts';
import type { OpenOne, SessionRoom } from '../limits/session-room.ts';
import type { Envelope, RequestEnvelope } from '../messages/envelope.ts';
import { openSession } from '../session/open-session.ts';
import type { ServedServer } from '../server/served-server.ts';
import { OlderRefused } from '../server/older-refused.ts';
import { BridgedSession } from './bridged-session.ts';
import { asJson } from './http-answers.ts';

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
    const bridged = new BridgedSession(id, (program) =>
      // Nothing of it can be given back to whoever comes by HTTP.
      openSession(server, { ...ports, ...program, calls: unnoted, giveBack: async () => {} }),
    );
    const answer = await bridged.begin(initialize, signal).catch(() => undefined);
    // Nor has a program a session that left before it heard of it.
    if (!answer || signal.aborted) {
      void bridged.close();
      return answer;
    }
    const place = { program: ports.program?.id ?? '', end: () => this.#end(id) };
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
