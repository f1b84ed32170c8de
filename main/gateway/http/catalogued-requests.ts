import type { ProgramAnswer, ProgramRequest } from '../../gateway-ports.ts';
import { deadline, gatewaySession } from '../../limits.ts';
import type { CallPermits } from '../permissions/call-permits.ts';
import type { AppBudget } from '../limits/message-budget.ts';
import type { Clock, Random } from '../../ports.ts';
import { beginsSession, type RequestEnvelope } from '../messages/envelope.ts';
import type { ServedServer } from '../server/served-server.ts';
import { asJson, pass } from './http-answers.ts';
import { asOlder, Asked, type Asking, takeQuestion } from './http-question.ts';
import { HttpSession } from './http-session.ts';
import type { HttpSessions } from './http-sessions.ts';
import type { HttpUpstream } from './http-upstream.ts';
import type { Subscriptions } from './subscriptions.ts';

export interface CataloguedPorts {
  readonly server: ServedServer;
  readonly clock: Pick<Clock, 'after'>;
  readonly random: Random;
  readonly permits: CallPermits;
  /** Of the app, in all sessions. */
  readonly budget: AppBudget;
  /** Before a request is sent. Errors: PosternError. */
  readonly admit: () => void;
}

/**
 * Handshakes and listings of one program by HTTP. What the server answers is read whole, since it is kept for the next
 * time; where the server is slow or away, the program is given what was kept.
 */
export class CataloguedRequests {
  readonly #ports: CataloguedPorts;
  readonly #sessions: HttpSessions;
  readonly #subscriptions: Subscriptions;
  readonly #upstream: HttpUpstream;

  constructor(ports: CataloguedPorts, sessions: HttpSessions, subscriptions: Subscriptions, upstream: HttpUpstream) {
    this.#ports = ports;
    this.#sessions = sessions;
    this.#subscriptions = subscriptions;
    this.#upstream = upstream;
  }

  /** Errors: PosternError. */
  async answer(
    message: RequestEnvelope,
    request: ProgramRequest,
    session: HttpSession | undefined,
  ): Promise<ProgramAnswer> {
    const { server, clock } = this.#ports;
    const asked = beginsSession(message) ? this.#beginSession(message, request) : this.#goOn(message, request, session);
    const patience = Promise.withResolvers<undefined>();
    const stop = clock.after(gatewaySession.patience, () => patience.resolve(undefined));
    try {
      const inTime = await Promise.race([asked.asking, patience.promise]);
      const kept = inTime ? undefined : await server.catalogue.answer(message);
      // The server may have answered meanwhile.
      return kept && !asked.isOver ? await this.#giveKept(message, kept, asked) : (await asked.asking).answer;
    } catch (error) {
      if (!server.judge(error).isAway) throw asOlder(server, message, error);
      const kept = await server.catalogue.answer(message);
      if (!kept) throw error;
      return await this.#giveKept(message, kept, asked);
    } finally {
      stop();
    }
  }

  async #giveKept(message: RequestEnvelope, kept: Buffer, asked: Asked): Promise<ProgramAnswer> {
    if (asked.session) this.#sessions.add(asked.session);
    asked.noteKept(kept);
    return asJson(await this.#ports.permits.shown(message, kept), 200, asked.session);
  }

  #beginSession(message: RequestEnvelope, request: ProgramRequest): Asked {
    const { server, random, admit, budget } = this.#ports;
    const id = Buffer.from(random.bytes(24)).toString('base64url');
    const session = new HttpSession(id, message, {
      send: this.#upstream.openSending(),
      own: server.own,
      owner: () => server.catalogue.owner,
      admit,
      budget,
    });
    const asking = this.#ask(message, request, session).then((asked) => {
      // A server without sessions needs none from us, unless the program has been given one meanwhile.
      if (!session.server.adopt(asked.response, asked.result)) return asked;
      this.#sessions.add(session);
      return { ...asked, answer: { ...asked.answer, headers: { ...asked.answer.headers, 'mcp-session-id': id } } };
    });
    session.server.connectBy(asking).catch(() => {});
    return new Asked(server, message, { session, learning: session }, asking);
  }

  /** Of a session, or of the wire without them. */
  #goOn(message: RequestEnvelope, request: ProgramRequest, session: HttpSession | undefined): Asked {
    if (!session) this.#subscriptions.noteQuestion(message);
    const learning = session ?? this.#subscriptions;
    return new Asked(this.#ports.server, message, { session, learning }, this.#ask(message, request, session));
  }

  async #ask(message: RequestEnvelope, request: ProgramRequest, session: HttpSession | undefined): Promise<Asking> {
    const { server, admit, permits } = this.#ports;
    admit();
    if (session && !session.server.isReady && !beginsSession(message)) await session.connect();
    admit();
    if (!beginsSession(message)) await session?.server.tellInitialized();
    // The answer is kept even if the program no longer waits for it.
    const { signal: _ofTheProgram, ...lasting } = request;
    const { owner } = server.catalogue;
    const response = await this.#upstream.post({ ...lasting, deadline: deadline.mcpHeaders }, session);
    if (session?.server.isEndedBy(response)) return { response, answer: pass(response) };
    const asking = await takeQuestion(server, message, response, { session, owner });
    if (!asking.kept) return asking;
    return { ...asking, answer: { ...asking.answer, body: await permits.shown(message, asking.kept.bytes) } };
  }
}
