import { PosternError } from '../../errors/postern-error.ts';
import type { AppResponse, AppRequest } from '../../gateway-ports.ts';
import type { Clock, Random } from '../../ports.ts';
import { latestSessionRevision } from '../../oauth/http/mcp-request.ts';
import { errorText, refusalOf, rpcCode, duplicateIdMessage, unusableText } from '../responses/responses.ts';
import type { HttpResponses, Refusal, SendToApp } from '../responses/responses.ts';
import type { CallOutcome } from '../responses/call-log.ts';
import { beginsSession, readEnvelope } from '../messages/envelope.ts';
import type { Envelope, RequestEnvelope } from '../messages/envelope.ts';
import type { MessageContext } from '../session/pending-requests.ts';
import { asJson, Exchanges } from './exchanges.ts';
import type { WaitOptions } from './exchanges.ts';

type ValidMessage = Exclude<Envelope, { kind: 'unusable' }>;

/** A session behind the HTTP endpoint, with one server or a collection. */
export interface HttpSession {
  /** Never rejects; resolves when the next may come. */
  receive(message: ValidMessage, context: MessageContext): Promise<void>;
  /** The app has hung up on this request, or has its response. */
  drop(about: string): void;
  /** The app listens. */
  listen(): void;
  touch(): void;
  /** Never rejects. */
  close(): Promise<void>;
}

/** What a session needs of the app. */
export interface HttpSide {
  readonly send: SendToApp;
  readonly answers: HttpResponses;
  readonly hangUp: () => void;
  /** Shared by several processes of the app, whose requests are identified by `about`. */
  readonly isShared: boolean;
}

export interface HttpAppPorts {
  readonly clock: Pick<Clock, 'after'>;
  readonly random: Random;
  /** Errors: PosternError. */
  readonly open: (side: HttpSide) => HttpSession | Promise<HttpSession>;
  /**
   * Key of the session that the app's processes share, outside of sessions of their own; `undefined`: the message is
   * dropped.
   */
  readonly sharedKey: (message: ValidMessage) => string | undefined;
  /** Whether there is a stream outside of sessions. */
  readonly hasStream: () => boolean;
  /** Why a message is refused, as JSON text. */
  readonly refuses: (message: ValidMessage, headers: AppRequest['headers']) => string | undefined;
  readonly refuse: (error: PosternError) => Refusal;
  /** Logs a request that was answered before any session. */
  readonly note: (request: RequestEnvelope, outcome: CallOutcome, bytes: number) => void;
}

interface ActiveSession {
  readonly exchanges: Exchanges;
  readonly session: HttpSession;
}

/** Stateless processes of one app with different capabilities. */
const mostSharedSessions = 16;

/**
 * One app that uses one server or collection over HTTP. Sessions get an id of Postern's own, so that they can begin
 * before the server's and outlive it; stateless requests are identified by their exchange.
 */
export class HttpApp {
  readonly #ports: HttpAppPorts;
  readonly #sessions = new Map<string, ActiveSession>();
  /** Shared sessions of stateless processes, by key; the most recently used is last. */
  readonly #shared = new Map<string, Promise<ActiveSession>>();
  #count = 0;
  #isClosed = false;

  constructor(ports: HttpAppPorts) {
    this.#ports = ports;
  }

  /** `message`: the body of a POST. Never rejects. */
  async answer(request: AppRequest, message: Envelope | undefined): Promise<AppResponse> {
    if (this.#isClosed) return { status: 404, headers: {} };
    const id = request.headers['mcp-session-id'];
    const use = id === undefined ? undefined : this.#sessions.get(id);
    if (id !== undefined && !use) {
      if (message?.kind === 'request') this.#ports.note(message, 'SESSION_LOST', 0);
      return { status: 404, headers: {} };
    }
    if (message?.kind === 'unusable') return asJson(unusableText(message.id, message.reason), 400);
    const refused = message && this.#ports.refuses(message, request.headers);
    if (refused !== undefined) return asJson(refused, 400);
    try {
      if (use) return await this.#inSession(id ?? '', use, request, message);
      if (!message) return await this.#withoutMessage(request);
      if (message.kind === 'request' && beginsSession(message)) return await this.#begin(message, request);
      return await this.#outside(message, request);
    } catch (error) {
      if (message?.kind !== 'request' || !(error instanceof PosternError)) return { status: 502, headers: {} };
      const refusal = this.#ports.refuse(error);
      const text = refusalOf(message.id, message.method, refusal);
      this.#ports.note(message, refusal.code, Buffer.byteLength(text));
      return asJson(text);
    }
  }

  /** Ends everything in flight. Never rejects. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const shared = await Promise.allSettled(this.#shared.values());
    const uses = [
      ...this.#sessions.values(),
      ...shared.flatMap((use) => (use.status === 'fulfilled' ? use.value : [])),
    ];
    this.#sessions.clear();
    this.#shared.clear();
    await Promise.all(uses.map((use) => end(use, 404)));
  }

  async #begin(initialize: RequestEnvelope, { headers: fields, signal }: AppRequest): Promise<AppResponse> {
    const id = Buffer.from(this.#ports.random.bytes(24)).toString('base64url');
    let isOver = false;
    const use = await this.#open(false, () => {
      isOver = true;
      this.#end(id);
    });
    // It was ended to make room, or the app may use nothing any more.
    if (isOver || this.#isClosed) {
      void end(use, 404);
      return { status: this.#isClosed ? 404 : 503, headers: {} };
    }
    this.#sessions.set(id, use);
    const begun = use.exchanges.wait(initialize.id, { signal, canResume: false, onGone: () => {} });
    // Not awaited: it may last until the response is taken.
    void use.session.receive(initialize, { fields });
    const { answer, message } = await begun;
    const reply = message === undefined ? undefined : readEnvelope(Buffer.from(message));
    // An app that left before it learned of its session has none.
    if (signal.aborted || (reply?.kind === 'response' && reply.hasError)) {
      this.#end(id);
      return answer;
    }
    return this.#sessions.has(id) ? { ...answer, headers: { ...answer.headers, 'mcp-session-id': id } } : answer;
  }

  async #inSession(
    id: string,
    use: ActiveSession,
    { method, headers, signal }: AppRequest,
    message: ValidMessage | undefined,
  ): Promise<AppResponse> {
    const { exchanges, session } = use;
    session.touch();
    if (method === 'GET') {
      const lastEventId = headers['last-event-id'];
      if (lastEventId === undefined) return listen(use);
      return exchanges.resume(lastEventId, signal) ?? { status: 400, headers: {} };
    }
    if (method === 'DELETE') this.#end(id);
    if (!message) return { status: 200, headers: {} };
    if (message.kind === 'request' && exchanges.has(message.id))
      return asJson(errorText(message.id, rpcCode.notARequest, duplicateIdMessage));
    const { status, ...answer } = await answerIn(use, message, {
      about: message.kind === 'request' ? message.id : '',
      context: { fields: headers },
      signal,
      canResume: supportsResumption(headers['mcp-protocol-version']),
    });
    // A 404 would end the session.
    return { ...answer, status: status === 404 && !signal.aborted && this.#sessions.has(id) ? 200 : status };
  }

  async #withoutMessage({ method }: AppRequest): Promise<AppResponse> {
    const { hasStream } = this.#ports;
    if (method !== 'GET' || !hasStream())
      return { status: 405, headers: { allow: hasStream() ? 'POST, GET' : 'POST' } };
    return listen(await this.#sharedUse(''));
  }

  /** Several processes may use the same ids. An app that hangs up does not want the response any more. */
  async #outside(message: ValidMessage, { headers: fields, signal }: AppRequest): Promise<AppResponse> {
    const key = this.#ports.sharedKey(message);
    if (key === undefined) return { status: 202, headers: {} };
    const use = await this.#sharedUse(key);
    use.session.touch();
    const about = `exchange ${(this.#count += 1)}`;
    return await answerIn(use, message, { about, context: { about, fields }, signal, canResume: false });
  }

  async #sharedUse(key: string): Promise<ActiveSession> {
    const use = this.#shared.get(key) ?? this.#open(true, () => this.#endShared(key));
    use.catch(() => this.#shared.delete(key));
    this.#shared.delete(key);
    this.#shared.set(key, use);
    const [oldest] = this.#shared.keys();
    if (oldest !== undefined && this.#shared.size > mostSharedSessions) this.#endShared(oldest);
    return await use;
  }

  async #open(isShared: boolean, hangUp: () => void): Promise<ActiveSession> {
    const exchanges = new Exchanges(this.#ports.clock);
    const send: SendToApp = (message, about, arrival) => exchanges.send(message, about, arrival);
    return { exchanges, session: await this.#ports.open({ send, answers: exchanges, hangUp, isShared }) };
  }

  #end(id: string): void {
    const use = this.#sessions.get(id);
    this.#sessions.delete(id);
    if (use) void end(use, 404);
  }

  #endShared(key: string): void {
    const use = this.#shared.get(key);
    this.#shared.delete(key);
    // Waiting requests have no session that has ended, so they may be repeated.
    void use?.then((open) => end(open, 503)).catch(() => {});
  }
}

/** Apps of older revisions treat an event without data as a message (MCP 2025-11-25, sending messages 6). */
function supportsResumption(revision: string | undefined): boolean {
  return revision !== undefined && revision >= latestSessionRevision;
}

/** `about`: identifies the request. */
async function answerIn(
  { exchanges, session }: ActiveSession,
  message: ValidMessage,
  {
    about,
    context,
    ...waiting
  }: Omit<WaitOptions, 'onGone'> & { readonly about: string; readonly context: MessageContext },
): Promise<AppResponse> {
  if (message.kind !== 'request') {
    await session.receive(message, context);
    return { status: 202, headers: {} };
  }
  let isGone = false;
  const onGone = (): void => {
    isGone = true;
    session.drop(about);
  };
  const begun = exchanges.wait(about, { ...waiting, onGone });
  // An app that hung up before its request was in flight did not want it either.
  if (!isGone) void session.receive(message, context).then(() => isGone && session.drop(about));
  return (await begun).answer;
}

function listen({ exchanges, session }: ActiveSession): AppResponse {
  session.listen();
  return exchanges.listen();
}

async function end({ exchanges, session }: ActiveSession, status: 404 | 503): Promise<void> {
  exchanges.close(status);
  await session.close();
}
