// One app over HTTP: its sessions, and its stateless requests outside of sessions.

import { PosternError } from '../../errors/postern-error.ts';
import type { AppResponse, AppRequest } from '../../gateway-ports.ts';
import type { Clock, Random } from '../../ports.ts';
import { latestSessionRevision } from '../../oauth/http/mcp-request.ts';
import { errorText, refusalOf, rpcCode, duplicateIdMessage, unusableText } from '../responses/responses.ts';
import type { HttpResponses, Refusal, SendToApp } from '../responses/responses.ts';
import type { CallOutcome } from '../responses/call-log.ts';
import { isSessionHandshake, readEnvelope } from '../messages/envelope.ts';
import type { Envelope, RequestEnvelope } from '../messages/envelope.ts';
import type { AppSession } from '../session/open-session.ts';
import type { MessageContext } from '../session/pending-requests.ts';
import { asJson, Exchanges } from './exchanges.ts';
import type { WaitOptions } from './exchanges.ts';

type ValidMessage = Exclude<Envelope, { kind: 'unusable' }>;

/** The app's side of a session. */
export interface HttpSide {
  readonly send: SendToApp;
  readonly httpResponses: HttpResponses;
  readonly hangUp: () => void;
  /** Shared by several processes of the app, whose requests are identified by `requestKey`. */
  readonly isShared: boolean;
}

export interface HttpAppPorts {
  readonly clock: Pick<Clock, 'after'>;
  readonly random: Random;
  /** Errors: PosternError. */
  readonly open: (side: HttpSide) => Promise<AppSession>;
  /**
   * Key of the session that the app's processes share for messages outside of MCP sessions; `undefined`: the message is
   * dropped.
   */
  readonly sharedKey: (message: ValidMessage) => string | undefined;
  /** Whether a GET outside of sessions opens a stream. */
  readonly hasStream: () => boolean;
  /** The JSON-RPC error for a message that is refused at once. */
  readonly rejectionOf: (message: ValidMessage, headers: AppRequest['headers']) => string | undefined;
  readonly refuse: (error: PosternError) => Refusal;
  /** Logs a request that was answered without a session. */
  readonly log: (request: RequestEnvelope, outcome: CallOutcome, bytes: number) => void;
}

interface ActiveSession {
  readonly exchanges: Exchanges;
  readonly session: AppSession;
}

/** Maximum number of stateless processes of one app with different capabilities. */
const maxSharedSessions = 16;

/**
 * One app that uses one server or collection over HTTP. Sessions get their id from Postern, so that they can begin
 * before the server's session and outlive it. Each stateless request gets a key.
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

  /** Responds to one HTTP request. `message`: the body of a POST. Never rejects. */
  async handle(request: AppRequest, message: Envelope | undefined): Promise<AppResponse> {
    if (this.#isClosed) return { status: 404, headers: {} };
    const id = request.headers['mcp-session-id'];
    const active = id === undefined ? undefined : this.#sessions.get(id);
    if (id !== undefined && !active) {
      if (message?.kind === 'request') this.#ports.log(message, 'SESSION_LOST', 0);
      return { status: 404, headers: {} };
    }
    if (message?.kind === 'unusable') return asJson(unusableText(message.id, message.reason), 400);
    const rejection = message && this.#ports.rejectionOf(message, request.headers);
    if (rejection !== undefined) return asJson(rejection, 400);
    try {
      if (active) return await this.#handleInSession(id ?? '', active, request, message);
      if (!message) return await this.#handleWithoutMessage(request);
      if (message.kind === 'request' && isSessionHandshake(message)) return await this.#beginSession(message, request);
      return await this.#handleOutsideSession(message, request);
    } catch (error) {
      if (message?.kind !== 'request' || !(error instanceof PosternError)) return { status: 502, headers: {} };
      const refusal = this.#ports.refuse(error);
      const text = refusalOf(message.id, message.method, refusal);
      this.#ports.log(message, refusal.code, Buffer.byteLength(text));
      return asJson(text);
    }
  }

  /** Ends everything in flight. Never rejects. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const shared = await Promise.allSettled(this.#shared.values());
    const activeSessions = [
      ...this.#sessions.values(),
      ...shared.flatMap((active) => (active.status === 'fulfilled' ? active.value : [])),
    ];
    this.#sessions.clear();
    this.#shared.clear();
    await Promise.all(activeSessions.map((active) => end(active, 404)));
  }

  async #beginSession(initialize: RequestEnvelope, { headers: fields, signal }: AppRequest): Promise<AppResponse> {
    const id = Buffer.from(this.#ports.random.bytes(24)).toString('base64url');
    let isEvicted = false;
    const active = await this.#open(false, () => {
      isEvicted = true;
      this.#endSession(id);
    });
    // Evicted, or the app lost its permission.
    if (isEvicted || this.#isClosed) {
      void end(active, 404);
      return { status: this.#isClosed ? 404 : 503, headers: {} };
    }
    this.#sessions.set(id, active);
    const first = active.exchanges.wait(initialize.id, { signal, canResume: false, onAbandoned: () => {} });
    // Not awaited: it may take until the response is read.
    void active.session.receive(initialize.bytes, { fields });
    const { response, message } = await first;
    const reply = message === undefined ? undefined : readEnvelope(Buffer.from(message));
    // An app that disconnected before it received the session id cannot use the session.
    if (signal.aborted || (reply?.kind === 'response' && reply.hasError)) {
      this.#endSession(id);
      return response;
    }
    return this.#sessions.has(id) ? { ...response, headers: { ...response.headers, 'mcp-session-id': id } } : response;
  }

  async #handleInSession(
    id: string,
    active: ActiveSession,
    { method, headers, signal }: AppRequest,
    message: ValidMessage | undefined,
  ): Promise<AppResponse> {
    const { exchanges, session } = active;
    session.touch();
    if (method === 'GET') {
      const lastEventId = headers['last-event-id'];
      if (lastEventId === undefined) return listen(active);
      return exchanges.resume(lastEventId, signal) ?? { status: 400, headers: {} };
    }
    if (method === 'DELETE') this.#endSession(id);
    if (!message) return { status: 200, headers: {} };
    if (message.kind === 'request' && exchanges.has(message.id))
      return asJson(errorText(message.id, rpcCode.notARequest, duplicateIdMessage));
    const { status, ...response } = await handleIn(active, message, {
      requestKey: message.kind === 'request' ? message.id : '',
      context: { fields: headers },
      signal,
      canResume: supportsResumption(headers['mcp-protocol-version']),
    });
    // A 404 would end the session.
    return { ...response, status: status === 404 && !signal.aborted && this.#sessions.has(id) ? 200 : status };
  }

  async #handleWithoutMessage({ method }: AppRequest): Promise<AppResponse> {
    const { hasStream } = this.#ports;
    if (method !== 'GET' || !hasStream())
      return { status: 405, headers: { allow: hasStream() ? 'POST, GET' : 'POST' } };
    return listen(await this.#sharedSession(''));
  }

  /** Gives each request its own key, since several processes may use the same ids. Disconnecting cancels a request. */
  async #handleOutsideSession(message: ValidMessage, { headers: fields, signal }: AppRequest): Promise<AppResponse> {
    const key = this.#ports.sharedKey(message);
    if (key === undefined) return { status: 202, headers: {} };
    const active = await this.#sharedSession(key);
    active.session.touch();
    const requestKey = `exchange ${(this.#count += 1)}`;
    return await handleIn(active, message, { requestKey, context: { requestKey, fields }, signal, canResume: false });
  }

  async #sharedSession(key: string): Promise<ActiveSession> {
    const active = this.#shared.get(key) ?? this.#open(true, () => this.#endShared(key));
    active.catch(() => this.#shared.delete(key));
    this.#shared.delete(key);
    this.#shared.set(key, active);
    const [oldest] = this.#shared.keys();
    if (oldest !== undefined && this.#shared.size > maxSharedSessions) this.#endShared(oldest);
    return await active;
  }

  async #open(isShared: boolean, hangUp: () => void): Promise<ActiveSession> {
    const exchanges = new Exchanges(this.#ports.clock);
    const send: SendToApp = (message, requestKey, arrival) => exchanges.send(message, requestKey, arrival);
    return { exchanges, session: await this.#ports.open({ send, httpResponses: exchanges, hangUp, isShared }) };
  }

  #endSession(id: string): void {
    const active = this.#sessions.get(id);
    this.#sessions.delete(id);
    if (active) void end(active, 404);
  }

  #endShared(key: string): void {
    const active = this.#shared.get(key);
    this.#shared.delete(key);
    // 503 instead of 404: the app has no session that ended, so it may repeat its requests.
    void active?.then((open) => end(open, 503)).catch(() => {});
  }
}

/** Before 2025-11-25, apps treat an event without data as a message (MCP 2025-11-25, sending messages 6). */
function supportsResumption(revision: string | undefined): boolean {
  return revision !== undefined && revision >= latestSessionRevision;
}

/** Handles one message in a session. `requestKey`: identifies the request. */
async function handleIn(
  { exchanges, session }: ActiveSession,
  message: ValidMessage,
  {
    requestKey,
    context,
    ...waitOptions
  }: Omit<WaitOptions, 'onAbandoned'> & { readonly requestKey: string; readonly context: MessageContext },
): Promise<AppResponse> {
  if (message.kind !== 'request') {
    await session.receive(message.bytes, context);
    return { status: 202, headers: {} };
  }
  let isAbandoned = false;
  const onAbandoned = (): void => {
    isAbandoned = true;
    session.drop(requestKey);
  };
  const first = exchanges.wait(requestKey, { ...waitOptions, onAbandoned });
  // An app that disconnected before its request was sent no longer needs it.
  if (!isAbandoned) void session.receive(message.bytes, context).then(() => isAbandoned && session.drop(requestKey));
  return (await first).response;
}

function listen({ exchanges, session }: ActiveSession): AppResponse {
  session.listen();
  return exchanges.listen();
}

async function end({ exchanges, session }: ActiveSession, status: 404 | 503): Promise<void> {
  exchanges.close(status);
  await session.close();
}
