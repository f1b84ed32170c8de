import { isObject } from '../../../shared/json-object.ts';
import type { PosternError } from '../../errors/postern-error.ts';
import { LostRequest } from '../../errors/request-error.ts';
import { gatewaySession, messageBudget } from '../../limits.ts';
import type { LocalProcessListener, LocalProcess } from '../../local-ports.ts';
import { latestSessionRevision } from '../../oauth/http/mcp-request.ts';
import { clientInfo } from '../client/opening-requests.ts';
import { parseExactly } from '../messages/exact-json.ts';
import { handleLine } from '../messages/message-body.ts';
import { surveyJson, withIdAt } from '../messages/survey-json.ts';

/** A pending request. */
interface PendingRequest {
  /** Absent: our own request. */
  readonly session?: SharedSession;
  /** Original id of the session, as JSON. */
  readonly id: string;
  /** Original progress token of the session. */
  readonly progressToken?: unknown;
  /** Transforms the response. */
  readonly rewrite?: (response: Message) => Message;
}

/** Requests that a session may send: anything but tools may belong to a single session. */
const allowedMethods: ReadonlySet<unknown> = new Set(['tools/list', 'tools/call', 'server/discover']);
/** Maximum bytes of a server message that is parsed, not just passed on. */
const maxParsedBytes = 1_048_576;

/**
 * One server process for several sessions, each of which sees its own. Request ids and progress tokens are rewritten,
 * so that sessions never see each other's; they share only the tools.
 */
export class SharedProcess {
  readonly #sessions = new Set<SharedSession>();
  /** By rewritten id. */
  readonly #pending = new Map<string, PendingRequest>();
  /** An abandoned request may still be answered. */
  #hasAbandonedRequest = false;
  #next = 1;
  #process: LocalProcess | undefined;
  #initialization: Promise<Message> | undefined;
  #endError: PosternError | undefined;
  readonly #leftError: () => PosternError;

  /** `left`: the error for a session that left on its own. */
  constructor(leftError: () => PosternError) {
    this.#leftError = leftError;
  }

  readonly listener: LocalProcessListener = {
    onLine: (bytes) => handleLine(bytes, (message) => this.#handleMessage(message)),
    onTooLong: (beginning) => this.#refuseLong(beginning),
    onEnd: (error) => {
      this.#endError = error;
      for (const session of this.#sessions) session.end(error);
      this.#sessions.clear();
    },
  };

  get isOver(): boolean {
    return this.#endError !== undefined;
  }

  get hasSessions(): boolean {
    return this.#sessions.size > 0;
  }

  attach(process: LocalProcess): void {
    this.#process = process;
  }

  /** The process as one session sees it; stopping it ends only that session, and the last one stops the process. */
  join(listener: LocalProcessListener): LocalProcess {
    const session = new SharedSession(listener);
    if (this.#endError) session.end(this.#endError);
    else this.#sessions.add(session);
    return {
      send: (line) => this.#forward(session, line),
      stop: () => this.#leave(session),
    };
  }

  /** Ends it. Never rejects. */
  async stop(): Promise<void> {
    await this.#process?.stop();
  }

  async #leave(session: SharedSession): Promise<void> {
    if (!this.#sessions.delete(session)) return;
    for (const [id, pending] of this.#pending) {
      if (pending.session !== session) continue;
      this.#pending.delete(id);
      this.#hasAbandonedRequest = true;
      void this.#send({ method: 'notifications/cancelled', params: { requestId: Number(id) } });
    }
    if (!this.hasSessions) await this.stop();
    session.end(this.#leftError());
  }

  async #forward(session: SharedSession, line: string): Promise<void> {
    const message = readMessage(line);
    if (!message || typeof message['method'] !== 'string') return;
    const { id, method } = message;
    const params = (message['params'] ?? {}) as Message;
    if (id === undefined) {
      if (method === 'notifications/cancelled') await this.#cancel(session, params);
    } else if (method === 'initialize') await this.#initialize(session, JSON.stringify(id), params);
    else if (method === 'ping') session.send({ id, result: {} });
    else if (allowedMethods.has(method)) await this.#request({ session, id: JSON.stringify(id) }, message);
    else
      session.send({
        id,
        error: { code: -32_601, message: 'Sessions share this server; only its tools are available.' },
      });
  }

  async #cancel(session: SharedSession, params: Message): Promise<void> {
    const requestId = JSON.stringify(params['requestId']);
    for (const [id, pending] of this.#pending) {
      if (pending.session !== session || pending.id !== requestId) continue;
      await this.#send({ method: 'notifications/cancelled', params: { ...params, requestId: Number(id) } });
    }
  }

  /** The process is initialized once (MCP 2025-11-25, lifecycle), and each session gets its result. */
  async #initialize(session: SharedSession, id: string, { protocolVersion }: Message): Promise<void> {
    this.#initialization ??= this.#initializeProcess();
    const response = await this.#initialization;
    if (!('result' in response)) this.#initialization = undefined;
    const result = response['result'] as Message | undefined;
    // Tools are the same in older revisions, and an app need not know a newer one.
    const versions = [result?.['protocolVersion'], protocolVersion].filter((version) => typeof version === 'string');
    const version = versions.toSorted()[0];
    const reply = result
      ? { result: { ...onlyTools(result), protocolVersion: version } }
      : { error: response['error'] };
    session.send({ ...reply, id: parseExactly(id) });
  }

  async #initializeProcess(): Promise<Message> {
    const { promise, resolve } = Promise.withResolvers<Message>();
    const params = { protocolVersion: latestSessionRevision, capabilities: {}, clientInfo };
    const rewrite = (response: Message): Message => {
      resolve(response);
      return response;
    };
    await this.#request({ id: '0', rewrite }, { method: 'initialize', params });
    const response = await promise;
    if ('result' in response) await this.#send({ method: 'notifications/initialized' });
    return response;
  }

  async #request(pending: PendingRequest, message: Message): Promise<void> {
    const id = this.#next;
    this.#next += 1;
    const params = (message['params'] ?? {}) as Message;
    const meta = params['_meta'] as Message | undefined;
    const progressToken = meta?.['progressToken'];
    const rewrite = message['method'] === 'server/discover' ? { rewrite: onlyDiscoveredTools } : {};
    this.#pending.set(String(id), { ...pending, ...(progressToken !== undefined && { progressToken }), ...rewrite });
    const rewritten =
      progressToken === undefined ? {} : { params: { ...params, _meta: { ...meta, progressToken: id } } };
    await this.#send({ ...message, ...rewritten, id });
  }

  async #send(message: Message): Promise<void> {
    await this.#process?.send(JSON.stringify({ jsonrpc: '2.0', ...message }));
  }

  async #handleMessage(bytes: Buffer): Promise<'message' | 'noise'> {
    const { id, idAt, hasId, isJson, hasMethod, hasResult, hasError } = surveyJson(bytes);
    if (!isJson || !(hasMethod || hasResult || hasError)) return 'noise';
    if (hasMethod) await this.#handleServerMessage(bytes);
    else {
      const pendingId = !hasId || id === 'null' ? this.#onlyPendingId() : (id ?? '');
      const pending = this.#pending.get(pendingId);
      this.#pending.delete(pendingId);
      if (pending?.rewrite) {
        const response = pending.rewrite(readMessage(bytes.toString('utf8')) ?? {});
        pending.session?.send({ ...response, id: parseExactly(pending.id) });
      } else pending?.session?.deliver(withIdAt(bytes, idAt, pending.id));
    }
    return 'message';
  }

  /** Id of the only pending request, which a response without an id must belong to; '' if there is none. */
  #onlyPendingId(): string {
    const [only = ''] = this.#pending.size === 1 && !this.#hasAbandonedRequest ? this.#pending.keys() : [];
    return only;
  }

  /** Routes server requests and notifications to their session; drops those that name none. */
  async #handleServerMessage(bytes: Buffer): Promise<void> {
    const message = bytes.byteLength > maxParsedBytes ? undefined : readMessage(bytes.toString('utf8'));
    if (!message) return;
    const { id, method } = message;
    const params = (message['params'] ?? {}) as Message;
    if (id !== undefined) {
      const refused = { error: { code: -32_601, message: 'No user can be asked: sessions share this server.' } };
      await this.#send({ id, ...(method === 'ping' ? { result: {} } : refused) });
    } else if (method === 'notifications/tools/list_changed') {
      for (const session of this.#sessions) session.deliver(bytes);
    } else if (method === 'notifications/progress') {
      const pending = this.#pending.get(JSON.stringify(params['progressToken']));
      if (pending?.progressToken !== undefined)
        pending.session?.send({ ...message, params: { ...params, progressToken: pending.progressToken } });
    }
  }

  #refuseLong(beginning: Buffer): void {
    const { id, idAt, hasMethod } = surveyJson(beginning);
    const pending = id === undefined || hasMethod ? undefined : this.#pending.get(id);
    if (!pending || id === undefined || !idAt) return;
    this.#pending.delete(id);
    pending.session?.deliverTooLong(withIdAt(beginning, idAt, pending.id));
  }
}

/** An unvalidated message. */
type Message = Readonly<Record<string, unknown>>;

/** `undefined` if it is not a message. Numbers keep their exact text. */
function readMessage(text: string): Message | undefined {
  try {
    const message = parseExactly(text);
    return isObject(message) ? message : undefined;
  } catch {
    return undefined;
  }
}

/** The server's `initialize` result without capabilities that sessions do not share. */
function onlyTools(result: Message): Message {
  const { tools } = (result['capabilities'] ?? {}) as Message;
  return { ...result, capabilities: tools === undefined ? {} : { tools } };
}

/** The same for the stateless protocol (MCP 2026-07-28, discovery). */
function onlyDiscoveredTools(response: Message): Message {
  return response['result'] ? { ...response, result: onlyTools(response['result'] as Message) } : response;
}

/** Approximate overhead of a queued message, in bytes. */
const messageOverhead = 1_024;
/** Sessions with undelivered messages, and their total size in bytes. */
const backlog = { sessions: new Set<SharedSession>(), bytes: 0 };

/**
 * One session of a shared process. A slow session does not block the others, so its backlog is bounded: per session,
 * and in total by the budget of all messages.
 */
class SharedSession {
  readonly #listener: LocalProcessListener;
  #backlog = 0;
  #last: Promise<unknown> = Promise.resolve();
  #isOver = false;

  constructor(listener: LocalProcessListener) {
    this.#listener = listener;
  }

  /** Delivers messages in order. */
  deliver(bytes: Buffer): void {
    if (this.#isOver) return;
    const cost = bytes.byteLength + messageOverhead;
    this.#count(cost);
    this.#last = this.#last
      .then(() => (this.#isOver ? undefined : this.#listener.onLine(bytes)))
      .finally(() => this.#count(-cost));
    if (this.#backlog > gatewaySession.buffer) this.#drop();
    while (backlog.bytes > messageBudget.all) {
      const [first = this, ...others] = backlog.sessions;
      others.reduce((largest, other) => (other.#backlog > largest.#backlog ? other : largest), first).#drop();
    }
  }

  #count(cost: number): void {
    if (this.#isOver) return;
    this.#backlog += cost;
    backlog.bytes += cost;
    if (this.#backlog > 0) backlog.sessions.add(this);
    else backlog.sessions.delete(this);
  }

  #drop(): void {
    this.end(new LostRequest('GATEWAY_BUSY', { stage: 'local' }));
  }

  /** Delivers a message of our own. */
  send(message: object): void {
    this.deliver(Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message })));
  }

  deliverTooLong(beginning: Buffer): void {
    if (!this.#isOver) this.#listener.onTooLong(beginning);
  }

  /** Reports the end, once. */
  end(error: PosternError): void {
    if (this.#isOver) return;
    this.#count(-this.#backlog);
    this.#isOver = true;
    this.#listener.onEnd(error);
  }
}
