import type { ProgramRecord } from '../../../shared/program-record.ts';
import { deadline, gatewaySession } from '../../limits.ts';
import type { ProgramAnswer, ProgramRequest } from '../../gateway-ports.ts';
import { noMcp } from '../../oauth/discovery/no-mcp.ts';
import type { Clock, Random } from '../../ports.ts';
import { answerInPlace } from './answer-in-place.ts';
import { refusalOf, unusableText } from '../answers/answers.ts';
import { isCatalogued } from '../messages/catalogue.ts';
import { beginsSession, type Envelope, type RequestEnvelope } from '../messages/envelope.ts';
import { namesFor } from '../server/headers-for.ts';
import { asJson, asUnknownMethod, isOfMcp, pass } from './http-answers.ts';
import { asOlder, Asked, type Asking, takeQuestion } from './http-question.ts';
import { HttpSession } from './http-session.ts';
import { HttpSessions } from './http-sessions.ts';
import { HttpUpstream } from './http-upstream.ts';
import { listen } from './listen.ts';
import { Places } from '../limits/places.ts';
import type { ServedServer } from '../server/served-server.ts';
import type { SessionRoom } from '../limits/session-room.ts';

export interface HttpProgramPorts {
  readonly server: ServedServer;
  readonly clock: Pick<Clock, 'after'>;
  readonly random: Random;
  readonly room: SessionRoom;
  readonly record: ProgramRecord;
  /** Before a request is sent. Errors: PosternError. */
  readonly admit: () => void;
}

/** One program that uses one server by HTTP: requests and answers pass through, and nothing of them is repaired. */
export class HttpProgram {
  readonly #ports: HttpProgramPorts;
  readonly #sessions: HttpSessions;
  readonly #upstream: HttpUpstream;
  /** Of what belongs to no session, as on the newer wire. */
  readonly #places = new Places();

  constructor(ports: HttpProgramPorts) {
    this.#ports = ports;
    this.#sessions = new HttpSessions(ports.room, ports.record.id);
    this.#upstream = new HttpUpstream(ports.server);
  }

  /** `message`: the body of a POST. Never rejects. */
  async answer(request: ProgramRequest, message: Envelope | undefined): Promise<ProgramAnswer> {
    const id = request.headers['mcp-session-id'];
    const session = id === undefined ? undefined : this.#sessions.get(id);
    if (id !== undefined && !session) return { status: 404, headers: {} };
    try {
      if (message) return await this.#answerMessage(message, request, session);
      return await (request.method === 'GET' ? this.#openStream(request, session) : this.#endSession(request, session));
    } catch {
      return { status: 502, headers: {} };
    }
  }

  /** The server may be there again. Never rejects. */
  async catchUp(): Promise<void> {
    await this.#sessions.catchUp();
  }

  /** Ends all that is under way. Never rejects. */
  async close(): Promise<void> {
    this.#upstream.end();
    await this.#sessions.close();
  }

  async #answerMessage(
    message: Envelope,
    request: ProgramRequest,
    session: HttpSession | undefined,
  ): Promise<ProgramAnswer> {
    switch (message.kind) {
      case 'unusable':
        return asJson(unusableText(message.id, message.reason), 400);
      case 'request':
        return await answerInPlace(session?.places ?? this.#places, message, request.signal, () =>
          this.#answerRequest(message, request, session),
        );
      default:
        return await this.#tell(message, request, session);
    }
  }

  async #tell(
    message: Exclude<Envelope, { kind: 'unusable' | 'request' }>,
    request: ProgramRequest,
    session: HttpSession | undefined,
  ): Promise<ProgramAnswer> {
    const isInitialized = message.kind === 'notification' && message.method === 'notifications/initialized';
    if (isInitialized) session?.noteInitialized(message.bytes.toString('utf8'));
    // Sent with the handshake, when that can be repeated.
    if (session && !session.isReady) return { status: 202, headers: {} };
    return pass(await this.#upstream.post(request, session));
  }

  async #answerRequest(
    message: RequestEnvelope,
    request: ProgramRequest,
    session: HttpSession | undefined,
  ): Promise<ProgramAnswer> {
    const { method, id } = message;
    const { server } = this.#ports;
    if (method === 'server/discover' && server.integration.era === 'legacy') return asUnknownMethod(id);
    if (!isCatalogued(method)) {
      return await this.#forward(message, request, session).catch((error: unknown) => {
        if (this.#isAway(error)) session?.behind.begin();
        return this.#refuse(message, error);
      });
    }
    // What is listed is read whole, since it is kept for the next time.
    const asked = beginsSession(message)
      ? this.#beginSession(message, request)
      : new Asked(server, message, session, this.#question(message, request, session));
    const patience = Promise.withResolvers<undefined>();
    const stop = this.#ports.clock.after(gatewaySession.patience, () => patience.resolve(undefined));
    try {
      const inTime = await Promise.race([asked.asking, patience.promise]);
      const kept = inTime ? undefined : await server.catalogue.answer(message);
      // The server may have answered meanwhile.
      return kept && !asked.isOver ? this.#giveKept(kept, asked) : (await asked.asking).answer;
    } catch (error) {
      if (!this.#isAway(error)) return this.#refuse(message, asOlder(server, message, error));
      const kept = await server.catalogue.answer(message);
      return kept ? this.#giveKept(kept, asked) : this.#refuse(message, error);
    } finally {
      stop();
    }
  }

  #giveKept(kept: Buffer, asked: Asked): ProgramAnswer {
    if (asked.session) this.#sessions.add(asked.session);
    asked.noteKept(kept);
    return asJson(kept, 200, asked.session);
  }

  #beginSession(message: RequestEnvelope, request: ProgramRequest): Asked {
    const id = Buffer.from(this.#ports.random.bytes(24)).toString('base64url');
    const session = new HttpSession(id, message, this.#upstream.openSending(), this.#ports.server.own);
    const asking = this.#question(message, request, session).then((asked) => {
      // A server without sessions needs none of ours, unless the program has been given one meanwhile.
      if (!session.adopt(asked.response, asked.result)) return asked;
      this.#sessions.add(session);
      return { ...asked, answer: { ...asked.answer, headers: { ...asked.answer.headers, 'mcp-session-id': id } } };
    });
    session.connectBy(asking).catch(() => {});
    return new Asked(this.#ports.server, message, session, asking);
  }

  async #question(
    message: RequestEnvelope,
    request: ProgramRequest,
    session: HttpSession | undefined,
  ): Promise<Asking> {
    this.#ports.admit();
    if (session && !session.isReady && !beginsSession(message)) await session.connect();
    this.#ports.admit();
    // The answer is kept even if the program no longer waits for it.
    const { signal: _ofTheProgram, ...lasting } = request;
    const response = await this.#upstream.post({ ...lasting, deadline: deadline.mcpHeaders }, session);
    if (session?.isEndedBy(response)) return { response, answer: pass(response) };
    return await takeQuestion(this.#ports.server, message, response, session);
  }

  async #forward(
    message: RequestEnvelope,
    request: ProgramRequest,
    session: HttpSession | undefined,
  ): Promise<ProgramAnswer> {
    const isPing = message.method === 'ping';
    if (!isPing || session?.isReady === false) this.#ports.admit();
    if (session && !session.isReady) await session.connect();
    const names = await namesFor({ server: this.#ports.server, upstream: this.#upstream }, message);
    if (!isPing) this.#ports.admit();
    const response = await this.#upstream.post(request, session, names);
    if (isOfMcp(response) || session?.isEndedBy(response)) return pass(response);
    await response.body?.cancel();
    throw noMcp('connection', { status: response.status });
  }

  async #openStream(request: ProgramRequest, session: HttpSession | undefined): Promise<ProgramAnswer> {
    const open = (): Promise<Response> => this.#upstream.pass(request, 'GET', session);
    return session ? await listen(session, open, request.signal, this.#isAway) : pass(await open());
  }

  async #endSession(request: ProgramRequest, session: HttpSession | undefined): Promise<ProgramAnswer> {
    if (session) this.#sessions.delete(session);
    if (!session || session.isReady) return pass(await this.#upstream.pass(request, 'DELETE', session));
    void session.end();
    return { status: 200, headers: {} };
  }

  readonly #isAway = (error: unknown): boolean => this.#ports.server.judge(error).isAway;

  #refuse({ id, method }: RequestEnvelope, error: unknown): ProgramAnswer {
    const refusal = this.#ports.server.refuse(this.#ports.record.name, error);
    return { ...asJson(refusalOf(id, method, refusal)), code: refusal.code };
  }
}
