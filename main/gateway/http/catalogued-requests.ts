import { PosternError } from '../../errors/postern-error.ts';
import type { ProgramAnswer, ProgramRequest } from '../../gateway-ports.ts';
import { deadline, gatewaySession } from '../../limits.ts';
import { noMcp } from '../../oauth/discovery/discovery.ts';
import type { Clock, Random } from '../../ports.ts';
import { requireRevision } from '../answers/judge-failure.ts';
import type { AppBudget } from '../limits/message-budget.ts';
import { failureOf } from '../log/call-log.ts';
import { emptyLastPage } from '../messages/catalogue.ts';
import { beginsSession, isObject, onOneLine, readAnswer, withIdOf } from '../messages/envelope.ts';
import type { AnswerEnvelope, Other, RequestEnvelope } from '../messages/envelope.ts';
import type { CallPermits } from '../permissions/call-permits.ts';
import { boundedAnswer } from '../permissions/without-tools.ts';
import { LostCursor } from '../server/list-cursors.ts';
import { repairedAnswer } from '../server/repaired-answer.ts';
import {
  bearsOnEra,
  isAboutFields,
  isOfNewerEra,
  isWholeDiscovery,
  namesNewerEra,
  OlderRefused,
  saysNoDiscovery,
  saysNothingOfEra,
} from '../server/revision-evidence.ts';
import type { ServedServer } from '../server/served-server.ts';
import { asJson, asUnknownMethod } from './http-answers.ts';
import { HttpSession } from './http-session.ts';
import type { HttpSessions } from './http-session.ts';
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
      if (error instanceof LostCursor) {
        session?.tellChanged(message.method);
        return { ...asJson(emptyLastPage(message)), code: error.code };
      }
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
      host: server.host,
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
    // The answer is kept even if the program no longer waits for it.
    const { signal: _ofTheProgram, ...lasting } = request;
    const { owner } = server.catalogue;
    const send = (): Promise<Response> => this.#upstream.post({ ...lasting, deadline: deadline.mcpHeaders }, session);
    const ready = async (): Promise<typeof send> => {
      if (session?.server.isReady === false) await session.connect();
      admit();
      await session?.server.tellInitialized();
      return send;
    };
    const response = session && !beginsSession(message) ? await session.request(message, ready) : await send();
    const asking = await takeQuestion(server, message, response, { session, owner });
    if (!asking.kept) return asking;
    return { ...asking, answer: { ...asking.answer, body: await permits.shown(message, asking.kept.bytes) } };
  }
}

/** How a handshake or a listing ended. */
interface Asking {
  readonly response: Response;
  readonly result?: unknown;
  readonly answer: ProgramAnswer;
  /** What is kept of it for the next time. */
  readonly kept?: AnswerEnvelope;
}

/** Who learns what became of a handshake or a listing, and tells the program. */
type Learning = Pick<HttpSession, 'behind' | 'noteAnswer'>;

/** One that is on its way; `learning` is told how it went, also where the program was answered meanwhile. */
class Asked {
  readonly session: HttpSession | undefined;
  readonly asking: Promise<Asking>;
  readonly #message: RequestEnvelope;
  readonly #learning: Learning;
  /** The server has answered, or has failed to. */
  isOver = false;

  constructor(
    server: ServedServer,
    message: RequestEnvelope,
    { session, learning }: { readonly session: HttpSession | undefined; readonly learning: Learning },
    asking: Promise<Asking>,
  ) {
    this.#message = message;
    this.session = session;
    this.#learning = learning;
    this.asking = asking;
    asking.then(
      ({ kept }) => {
        this.isOver = true;
        if (kept) learning.noteAnswer(message, kept);
        else learning.behind.noteFailure(message, false);
      },
      (error: unknown) => {
        this.isOver = true;
        learning.behind.noteFailure(message, server.judge(error).isAway);
      },
    );
  }

  /** The program is answered in the server's place. */
  noteKept(given: Buffer): void {
    if (this.isOver) this.#learning.behind.noteListing(this.#message);
    else this.#learning.behind.noteKept(this.#message, given);
  }
}

/**
 * Reads the answer to a handshake or a listing whole, and keeps it for the next time. `owner`: whose lists the server had
 * when it was asked. Errors: PosternError.
 */
async function takeQuestion(
  server: ServedServer,
  message: RequestEnvelope,
  response: Response,
  { session, owner }: { readonly session: HttpSession | undefined; readonly owner: string | undefined },
): Promise<Asking> {
  const { status } = response;
  // What comes before the answer is heard where the program listens.
  const tell = (other: Other): void =>
    session?.stream.tell(onOneLine(other.bytes).toString('utf8'), isAboutRequest(other) ? message : undefined);
  const found = await readAnswer(response, { id: message.id, host: server.host }, tell).finally(() =>
    session?.stream.forget(message),
  );
  // Older servers have no other answer to a method that they have never heard of.
  if (!found && message.method === 'server/discover' && status === 400) {
    return { response, answer: asUnknownMethod(message.id) };
  }
  const isMute = message.method === 'server/discover' && saysNothingOfEra(status);
  if (!found || isMute) throw noMcp('connection', { host: server.host, status });
  if (beginsSession(message)) requireRevision(found, message, { host: server.host, status });
  // What the account before may see goes to nobody.
  if (owner !== server.catalogue.owner) throw new PosternError('SESSION_LOST', { stage: 'gateway' });
  const judged = await judge(server, message, withIdOf(message, found), { status, owner });
  const { result } = (judged.kept ?? found).message;
  return { response, ...(beginsSession(message) && { result }), ...judged };
}

/** An older program's handshake fails at a server of the newer wire alone. */
function asOlder({ integration }: ServedServer, message: RequestEnvelope, error: unknown): unknown {
  const isOlder = beginsSession(message) && integration.era === 'modern';
  return isOlder ? new OlderRefused() : error;
}

/** Whether nothing more comes on it once its request is answered. */
function isAboutRequest({ kind, method }: Other): boolean {
  return kind === 'request' || method === 'notifications/progress' || method === 'notifications/cancelled';
}

async function judge(
  server: ServedServer,
  message: RequestEnvelope,
  given: AnswerEnvelope,
  { status, owner }: { readonly status: number; readonly owner: string | undefined },
): Promise<Pick<Asking, 'answer' | 'kept'>> {
  const bounded = await boundedAnswer(message.method, given);
  if (bounded !== given) server.noteMisfit('long-listing');
  const answer = await repairedAnswer(message, bounded, server.noteUnusable);
  const { error } = answer.hasError ? answer.message : {};
  const code = isObject(error) ? error['code'] : undefined;
  if (error === undefined) {
    if (message.method === 'tools/list') await server.learnTools(answer.bytes);
    if (message.method === 'server/discover' && namesNewerEra(answer.message['result'])) void server.noteEra('modern');
    await server.catalogue.keep(message, answer, owner);
    return { answer: asJson(answer.bytes, status), kept: answer };
  }
  if (isAboutFields(status)) return { answer: asJson(answer.bytes, status) };
  const last = await server.catalogue.lastPage(message, owner);
  if (last) {
    server.noteUnusable(last.missing);
    return { answer: { ...asJson(last.answer), code: failureOf(answer) } };
  }
  if (saysNoDiscovery(message, code)) {
    if (isWholeDiscovery(message)) void server.noteEra('legacy');
    return { answer: asUnknownMethod(message.id) };
  }
  if (isOfNewerEra(code) && bearsOnEra(message)) void server.noteEra('modern');
  if (beginsSession(message) && (isOfNewerEra(code) || server.integration.era === 'modern')) {
    throw new OlderRefused();
  }
  return { answer: asJson(answer.bytes, status) };
}
