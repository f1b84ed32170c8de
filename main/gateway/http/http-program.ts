import type { ErrorCode } from '../../../shared/error-codes.ts';
import type { ProgramRecord } from '../../../shared/program-record.ts';
import { PosternError } from '../../errors/postern-error.ts';
import type { Holding, ProgramAnswer, ProgramRequest } from '../../gateway-ports.ts';
import { refusalBytes } from '../../limits.ts';
import { peek } from '../../mcp/http/ended-session.ts';
import { isOfRequest, isOfRpc, refusedAnswer } from '../../mcp/http/refused-answer.ts';
import { mediaType } from '../../mcp/messages/message-headers.ts';
import { noMcp } from '../../oauth/discovery/discovery.ts';
import { ambiguousText, refusalOf, rpcCode, tooManyText, unusableText } from '../answers/answers.ts';
import { Places } from '../limits/message-budget.ts';
import type { ReadingRoom } from '../limits/message-budget.ts';
import type { SessionRoom } from '../limits/session-room.ts';
import { isCatalogued, isHandshake } from '../messages/catalogue.ts';
import { beginsSession, cancelledId } from '../messages/envelope.ts';
import type { Envelope, RequestEnvelope } from '../messages/envelope.ts';
import { lacksId } from '../permissions/offer-of.ts';
import { namesFor } from '../server/headers-for.ts';
import { isOlderEra } from '../server/revision-evidence.ts';
import { whenGone } from './app-stream.ts';
import { BridgedSessions } from './bridged-sessions.ts';
import { CataloguedRequests } from './catalogued-requests.ts';
import type { CataloguedPorts } from './catalogued-requests.ts';
import {
  asJson,
  asStream,
  asUnknownMethod,
  isOfMcp,
  isStream,
  pass,
  passRepaired,
  withWholeEvents,
} from './http-answers.ts';
import { HttpSessions } from './http-session.ts';
import type { HttpSession } from './http-session.ts';
import { HttpUpstream } from './http-upstream.ts';
import { Subscriptions } from './subscriptions.ts';

/** Nobody waits for an answer to it. */
const goesNowhere = { status: 202, headers: {}, code: `${rpcCode.notARequest}` } as const;

interface HttpProgramPorts extends Omit<CataloguedPorts, 'permits'> {
  readonly room: SessionRoom;
  readonly record: ProgramRecord;
}

/** One program that uses one server by HTTP: requests and answers pass through, and what is sound of them as it came. */
export class HttpProgram {
  readonly #ports: HttpProgramPorts & CataloguedPorts;
  readonly #sessions: HttpSessions;
  /** Those of older programs at a newer server. */
  readonly #bridged: BridgedSessions;
  readonly #upstream: HttpUpstream;
  readonly #subscriptions = new Subscriptions((error) => this.#isAway(error));
  readonly #catalogued: CataloguedRequests;
  /** For requests without a session, as on the newer wire. */
  readonly #places: Places;
  /** Of what the server answers, until it has gone out. */
  readonly #answers: ReadingRoom;

  /** Nobody changes any more what it may call. */
  readonly #leave: () => void;

  constructor(around: HttpProgramPorts) {
    const { permits, close } = around.server.tools.open(around.record, () => this.#tellToolsChanged());
    const ports = { ...around, permits };
    this.#ports = ports;
    this.#leave = close;
    this.#places = new Places(ports.budget);
    this.#answers = ports.budget.openSession();
    this.#sessions = new HttpSessions(ports.room, ports.record.id);
    this.#bridged = new BridgedSessions({ ...ports, program: ports.record });
    this.#upstream = new HttpUpstream(ports.server);
    this.#catalogued = new CataloguedRequests(ports, this.#sessions, this.#subscriptions, this.#upstream);
  }

  /** `message`: the body of a POST. Never rejects. */
  async answer(request: ProgramRequest, message: Envelope | undefined): Promise<ProgramAnswer> {
    const id = request.headers['mcp-session-id'];
    const bridged = id === undefined ? undefined : await this.#bridged.answer(id, request, message);
    if (bridged) return bridged;
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
    const { own } = this.#ports.server;
    const answersAgain = async (question: RequestEnvelope): Promise<boolean> =>
      (await this.#upstream.ask(own.again(question))) !== undefined;
    await Promise.all([this.#bridged.catchUp(), this.#sessions.catchUp(), this.#subscriptions.catchUp(answersAgain)]);
  }

  /** Ends all that is under way. Never rejects. */
  async close(): Promise<void> {
    this.#leave();
    this.#subscriptions.close();
    this.#upstream.end();
    await Promise.all([this.#bridged.close(), this.#sessions.close()]);
    await this.#upstream.close();
  }

  async #answerMessage(
    message: Envelope,
    request: ProgramRequest,
    session: HttpSession | undefined,
  ): Promise<ProgramAnswer> {
    if (this.#ports.permits.refuses(message, request.headers))
      return message.kind === 'request' ? asJson(ambiguousText(message.id), 400) : goesNowhere;
    if (message.kind === 'notification' && lacksId(message.method)) return goesNowhere;
    switch (message.kind) {
      case 'unusable':
        return asJson(unusableText(message.id, message.reason), 400);
      case 'request':
        return await this.#answerInPlace(message, request, session);
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
    if (isInitialized) session?.server.noteInitialized(message.bytes.toString('utf8'));
    const refused = this.#refuses(message, session);
    if (refused) return { status: 202, headers: {}, code: refused };
    // Sent with the handshake, when that can be repeated.
    if (session && !session.server.isReady) return { status: 202, headers: {} };
    if (isInitialized) session?.server.settleInitialized();
    const giveBack = this.#ports.budget.take(message.bytes.byteLength);
    try {
      const send = (): Promise<Response> => this.#upstream.post(request, session);
      const response = await (session ? session.server.inSession(send) : send());
      // Sent with the next handshake, where it is part of that; anything else is about a session that is not there.
      return response ? pass(response) : { status: 202, headers: {} };
    } finally {
      giveBack();
    }
  }

  /**
   * Why a program may tell the server nothing now. What has left before a pause goes on: it can be stopped, and what the
   * server asks meanwhile be answered.
   */
  #refuses(
    message: Exclude<Envelope, { kind: 'unusable' | 'request' }>,
    session: HttpSession | undefined,
  ): ErrorCode | undefined {
    if (message.kind === 'answer' && session && session.hasLeft.size > 0) return undefined;
    const isStop = message.kind === 'notification' && message.method === 'notifications/cancelled';
    if (isStop && session?.hasLeft.has(cancelledId(message.bytes))) return undefined;
    try {
      this.#ports.admit();
      return undefined;
    } catch (error) {
      return error instanceof PosternError ? error.code : 'INTERNAL';
    }
  }

  /** A request has its place until its answer has gone out. */
  async #answerInPlace(
    message: RequestEnvelope,
    request: ProgramRequest,
    session: HttpSession | undefined,
  ): Promise<ProgramAnswer> {
    const places = session?.places ?? this.#places;
    const { byteLength } = message.bytes;
    if (places.isFullFor(byteLength)) return asJson(tooManyText(message.id));
    const place = places.enter(byteLength);
    await place.take();
    whenGone(request.signal, () => place.leave());
    return await this.#answerRequest(message, request, session);
  }

  async #answerRequest(
    message: RequestEnvelope,
    request: ProgramRequest,
    session: HttpSession | undefined,
  ): Promise<ProgramAnswer> {
    const { method, id } = message;
    const { server } = this.#ports;
    const { owner } = server.catalogue;
    if (method === 'server/discover' && isOlderEra(server.integration.era)) return asUnknownMethod(id);
    try {
      const known = (): Promise<ProgramAnswer> => this.#catalogued.answer(message, request, session);
      if (beginsSession(message)) return await this.#bridged.begin(message, request.signal, known);
      if (isCatalogued(method)) return await known();
      if (method !== 'subscriptions/listen' || session) return await this.#passRepaired(message, request, session);
      const open = (): Promise<Response> => this.#forward(message, request, session);
      return await this.#subscriptions.listen(message, { open, signal: request.signal });
    } catch (error) {
      const { isAway, isStoppedHere, refusal: judged } = server.judge(error);
      const last = isStoppedHere ? undefined : await server.catalogue.lastPage(message, owner);
      // Of a list whose further page failed only the person can help, or the next try.
      const refusal = last && !isAway ? judged : server.refuse(this.#ports.record.name, error);
      if (last) {
        server.noteUnusable(last.missing);
        return { ...asJson(last.answer), code: refusal.code };
      }
      return { ...asJson(refusalOf(id, method, refusal)), code: refusal.code };
    }
  }

  /** What is held of an answer is the app's until that has gone out; where all have too much, it ends. */
  #holdFor(request: ProgramRequest): { readonly holding: Holding; readonly signal: AbortSignal } {
    const dropped = new AbortController();
    const holding = this.#answers.open(() => dropped.abort(new PosternError('GATEWAY_BUSY', { stage: 'gateway' })));
    whenGone(request.signal, () => void holding.hold(0));
    return { holding, signal: AbortSignal.any([request.signal, dropped.signal]) };
  }

  async #passRepaired(
    message: RequestEnvelope,
    request: ProgramRequest,
    session: HttpSession | undefined,
  ): Promise<ProgramAnswer> {
    const { holding, signal } = this.#holdFor(request);
    const response = await this.#forward(message, { ...request, signal }, session);
    const { noteUnusable: onUnusable, host } = this.#ports.server;
    return await passRepaired(response, message, { onUnusable, host, holding });
  }

  async #forward(
    message: RequestEnvelope,
    request: ProgramRequest,
    session: HttpSession | undefined,
  ): Promise<Response> {
    try {
      const response = await this.#send(message, request, session);
      const { status } = response;
      if (isOfMcp(response) && !isOfRequest(status)) return response;
      const { begun: body, whole } = await peek(response, refusalBytes);
      if (isOfMcp(whole) && isOfRpc(body)) return whole;
      void whole.body?.cancel();
      const { host } = this.#ports.server;
      throw refusedAnswer({ host, status, type: mediaType(response), body }, !isHandshake(message.method));
    } catch (error) {
      if (this.#isAway(error)) (session ?? this.#subscriptions).behind.begin();
      throw error;
    }
  }

  async #send(message: RequestEnvelope, request: ProgramRequest, session: HttpSession | undefined): Promise<Response> {
    const ready = (): Promise<() => Promise<Response>> => this.#ready(message, request, session);
    if (!session) return await (await ready())();
    return await session.request(message, ready);
  }

  /** A ping asks the server nothing, so whoever may not ask it may still send one where there is a session. */
  async #ready(
    message: RequestEnvelope,
    request: ProgramRequest,
    session: HttpSession | undefined,
  ): Promise<() => Promise<Response>> {
    const { server, admit, permits } = this.#ports;
    const isPing = message.method === 'ping';
    if (!isPing || session?.server.isReady === false) admit();
    const names = await permits.admitReady(message, { signal: request.signal, tell: () => {} }, async () => {
      if (session && !session.server.isReady) await session.connect();
      return await namesFor({ server, upstream: this.#upstream }, message);
    });
    if (!isPing) {
      admit();
      await session?.server.tellInitialized();
    }
    const fields = permits.fieldsOf(request.headers, names, server.parameters.of(message));
    session?.hasLeft.add(message.id);
    whenGone(request.signal, () => session?.hasLeft.delete(message.id));
    return () => this.#upstream.post(request, session, fields);
  }

  async #openStream(request: ProgramRequest, session: HttpSession | undefined): Promise<ProgramAnswer> {
    const open = async (headers = request.headers): Promise<Response> => {
      this.#ports.admit();
      const { holding, signal } = this.#holdFor(request);
      const response = await this.#upstream.pass({ ...request, headers, signal }, 'GET', session);
      return this.#ports.server.hasWholeEvents ? response : withWholeEvents(response, holding);
    };
    if (session) return await listen(session, () => openIn(session, request, open), request.signal, this.#isAway);
    // The newer wire has no such stream (MCP 2026-07-28, streamable HTTP).
    if (this.#ports.server.integration.era === 'modern') return pass(await open());
    return await listen(this.#subscriptions, open, request.signal, this.#isAway);
  }

  async #endSession(request: ProgramRequest, session: HttpSession | undefined): Promise<ProgramAnswer> {
    if (!session) return pass(await this.#upstream.pass(request, 'DELETE', session));
    this.#sessions.delete(session);
    const ending = session.server.end();
    if (session.server.isReady) await ending;
    // It has ended here, whatever the server still knows of it.
    return { status: 200, headers: {} };
  }

  #tellToolsChanged(): void {
    this.#sessions.tellToolsChanged();
    this.#subscriptions.tell(this.#subscriptions.behind.toolsChanged());
  }

  readonly #isAway = (error: unknown): boolean => this.#ports.server.judge(error).isAway;
}

/**
 * The server's stream for a session. Where it refuses that, it may have forgotten the session, or the event that the app
 * has read last is none of this one: then it is asked again for a new one, or has none. Errors: PosternError.
 */
async function openIn(
  session: HttpSession,
  { headers }: ProgramRequest,
  open: (headers?: ProgramRequest['headers']) => Promise<Response>,
): Promise<Response> {
  const response = await open();
  if (!isRefusal(response)) return response;
  await response.body?.cancel();
  await session.reach();
  const again = await open({ ...headers, 'last-event-id': undefined });
  if (!isRefusal(again)) return again;
  await again.body?.cancel();
  return new Response(null, { status: 405 });
}

/** 405 says of a stream and of the end of a session that the server does not do that. */
function isRefusal({ status }: { readonly status: number }): boolean {
  return status >= 400 && status < 500 && status !== 405;
}

/** Asks the server for its stream. Errors: PosternError. */
type OpenAtServer = () => Promise<Response>;

/** What a program listens to by HTTP: in a session, or where its server has none. `isReady`: that can be asked. */
type Listened = Pick<HttpSession, 'stream' | 'behind' | 'reached' | 'isReady'>;

/**
 * A stream for a program that wants to hear what its server sends by itself. Where the server has none, or cannot be
 * asked, it is ours, so that the program is told when it has to ask again. Errors: PosternError.
 */
export async function listen(
  { stream, behind, reached, isReady }: Listened,
  open: OpenAtServer,
  /** Aborts when the program no longer listens. */
  signal: AbortSignal,
  isAway: (error: unknown) => boolean,
): Promise<ProgramAnswer> {
  if (isReady) {
    try {
      const response = await open();
      if (isStream(response))
        return { ...pass(response), body: stream.open(Promise.resolve(response.body ?? undefined)) };
      if (response.status < 500) {
        if (response.status !== 405) return pass(response);
        // A server without such a stream sends nothing by itself; Postern may have something to say.
        await response.body?.cancel();
        return asStream(stream.open(Promise.resolve(undefined)));
      }
      await response.body?.cancel();
      throw noMcp('connection', { status: response.status });
    } catch (error) {
      if (!isAway(error)) throw error;
      behind.begin();
    }
  }
  return asStream(stream.open(reached(signal).then(open).then(bodyOf)));
}

async function bodyOf(response: Response): Promise<ReadableStream<Uint8Array> | undefined> {
  if (isStream(response)) return response.body ?? undefined;
  await response.body?.cancel();
  if (response.status === 405) return undefined;
  throw noMcp('connection', { status: response.status });
}
