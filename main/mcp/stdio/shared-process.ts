import type { PosternError } from '../../errors/postern-error.ts';
import { LostRequest } from '../../errors/request-error.ts';
import { gatewaySession, messageBudget } from '../../limits.ts';
import type { LocalHearing, LocalProcess } from '../../local-ports.ts';
import { legacyVersion } from '../../oauth/wire/mcp-request.ts';
import { implementation } from '../client/connect-mcp.ts';
import { parseExactly } from '../messages/exact-json.ts';
import { takeLine } from '../messages/message-body.ts';
import { surveyJson, withIdAt } from '../messages/survey-json.ts';

/** A request that the process has not answered. */
interface Asked {
  /** Absent: it is our own. */
  readonly session?: SharedSession;
  /** The id that the session gave it, as JSON. */
  readonly id: string;
  /** What the session calls its progress by. */
  readonly progressToken?: unknown;
  /** Makes something else of its answer. */
  readonly rewrite?: (answer: Message) => Message;
}

/** Requests that a session may send: what the process has beside tools may be of one session alone. */
const passed: ReadonlySet<unknown> = new Set(['tools/list', 'tools/call', 'server/discover']);
/** Characters of a message of the server that is read, and not only passed on. */
const longestNotice = 1_048_576;

/**
 * One process of a server for several sessions, each of which believes that it has one of its own. Ids and progress
 * tokens are ours towards the process, so that no session meets those of another; tools are all that they share.
 */
export class SharedProcess {
  readonly #sessions = new Set<SharedSession>();
  /** By our id. */
  readonly #asked = new Map<string, Asked>();
  /** A request was given up that the server may still answer. */
  #hasGivenUp = false;
  #next = 1;
  #process: LocalProcess | undefined;
  #greeting: Promise<Message> | undefined;
  #end: PosternError | undefined;
  readonly #left: () => PosternError;

  /** `left`: what a session is told that has ended it for itself. */
  constructor(left: () => PosternError) {
    this.#left = left;
  }

  readonly hearing: LocalHearing = {
    onLine: (bytes) => takeLine(bytes, (message) => this.#take(message)),
    onTooLong: (beginning) => this.#refuseLong(beginning),
    onEnd: (error) => {
      this.#end = error;
      for (const session of this.#sessions) session.end(error);
      this.#sessions.clear();
    },
  };

  get isOver(): boolean {
    return this.#end !== undefined;
  }

  get isUsed(): boolean {
    return this.#sessions.size > 0;
  }

  begin(process: LocalProcess): void {
    this.#process = process;
  }

  /** A process as one session sees it; its end is that of the session alone, and the last one ends all. */
  join(hearing: LocalHearing): LocalProcess {
    const session = new SharedSession(hearing);
    if (this.#end) session.end(this.#end);
    else this.#sessions.add(session);
    return {
      send: (line) => this.#pass(session, line),
      stop: () => this.#leave(session),
    };
  }

  /** Ends it. Never rejects. */
  async stop(): Promise<void> {
    await this.#process?.stop();
  }

  async #leave(session: SharedSession): Promise<void> {
    if (!this.#sessions.delete(session)) return;
    for (const [id, asked] of this.#asked) {
      if (asked.session !== session) continue;
      this.#asked.delete(id);
      this.#hasGivenUp = true;
      void this.#send({ method: 'notifications/cancelled', params: { requestId: Number(id) } });
    }
    if (!this.isUsed) await this.stop();
    session.end(this.#left());
  }

  async #pass(session: SharedSession, line: string): Promise<void> {
    const message = readMessage(line);
    if (!message || typeof message['method'] !== 'string') return;
    const { id, method } = message;
    const params = (message['params'] ?? {}) as Message;
    if (id === undefined) {
      if (method === 'notifications/cancelled') await this.#cancel(session, params);
    } else if (method === 'initialize') await this.#greet(session, JSON.stringify(id), params);
    else if (method === 'ping') session.say({ id, result: {} });
    else if (passed.has(method)) await this.#ask({ session, id: JSON.stringify(id) }, message);
    else session.say({ id, error: { code: -32_601, message: 'Its sessions share this server, and its tools alone.' } });
  }

  async #cancel(session: SharedSession, params: Message): Promise<void> {
    const meant = JSON.stringify(params['requestId']);
    for (const [id, asked] of this.#asked) {
      if (asked.session !== session || asked.id !== meant) continue;
      await this.#send({ method: 'notifications/cancelled', params: { ...params, requestId: Number(id) } });
    }
  }

  /** The process is greeted once (MCP 2025-11-25, lifecycle), and each session hears what it said. */
  async #greet(session: SharedSession, id: string, { protocolVersion }: Message): Promise<void> {
    this.#greeting ??= this.#greetProcess();
    const answer = await this.#greeting;
    if (!('result' in answer)) this.#greeting = undefined;
    const result = answer['result'] as Message | undefined;
    // Of tools an older version says nothing else, and a program need not know a newer one.
    const versions = [result?.['protocolVersion'], protocolVersion].filter((version) => typeof version === 'string');
    const version = versions.toSorted()[0];
    const said = result ? { result: { ...toolsAlone(result), protocolVersion: version } } : { error: answer['error'] };
    session.say({ ...said, id: parseExactly(id) });
  }

  async #greetProcess(): Promise<Message> {
    const { promise, resolve } = Promise.withResolvers<Message>();
    const params = { protocolVersion: legacyVersion, capabilities: {}, clientInfo: implementation };
    const rewrite = (answer: Message): Message => {
      resolve(answer);
      return answer;
    };
    await this.#ask({ id: '0', rewrite }, { method: 'initialize', params });
    const answer = await promise;
    if ('result' in answer) await this.#send({ method: 'notifications/initialized' });
    return answer;
  }

  async #ask(asked: Asked, message: Message): Promise<void> {
    const id = this.#next;
    this.#next += 1;
    const params = (message['params'] ?? {}) as Message;
    const meta = params['_meta'] as Message | undefined;
    const progressToken = meta?.['progressToken'];
    const rewrite = message['method'] === 'server/discover' ? { rewrite: discoverTools } : {};
    this.#asked.set(String(id), { ...asked, ...(progressToken !== undefined && { progressToken }), ...rewrite });
    const own = progressToken === undefined ? {} : { params: { ...params, _meta: { ...meta, progressToken: id } } };
    await this.#send({ ...message, ...own, id });
  }

  async #send(message: Message): Promise<void> {
    await this.#process?.send(JSON.stringify({ jsonrpc: '2.0', ...message }));
  }

  async #take(bytes: Buffer): Promise<'message' | 'noise'> {
    const { id, idAt, hasId, isJson, hasMethod, hasResult, hasError } = surveyJson(bytes);
    if (!isJson || !(hasMethod || hasResult || hasError)) return 'noise';
    if (hasMethod) await this.#hear(bytes);
    else {
      const ours = !hasId || id === 'null' ? this.#only() : (id ?? '');
      const asked = this.#asked.get(ours);
      this.#asked.delete(ours);
      if (asked?.rewrite) {
        const answer = asked.rewrite(readMessage(bytes.toString('utf8')) ?? {});
        asked.session?.say({ ...answer, id: parseExactly(asked.id) });
      } else asked?.session?.hear(withIdAt(bytes, idAt, asked.id));
    }
    return 'message';
  }

  /** The id of the one request that an answer without an id can be to; '': there is none. */
  #only(): string {
    const [only = ''] = this.#asked.size === 1 && !this.#hasGivenUp ? this.#asked.keys() : [];
    return only;
  }

  /** What the server sends by itself: to whom it belongs, and to nobody where that is not said. */
  async #hear(bytes: Buffer): Promise<void> {
    const message = bytes.byteLength > longestNotice ? undefined : readMessage(bytes.toString('utf8'));
    if (!message) return;
    const { id, method } = message;
    const params = (message['params'] ?? {}) as Message;
    if (id !== undefined) {
      const refused = { error: { code: -32_601, message: 'Nobody can be asked: sessions share this server.' } };
      await this.#send({ id, ...(method === 'ping' ? { result: {} } : refused) });
    } else if (method === 'notifications/tools/list_changed') {
      for (const session of this.#sessions) session.hear(bytes);
    } else if (method === 'notifications/progress') {
      const asked = this.#asked.get(JSON.stringify(params['progressToken']));
      if (asked?.progressToken !== undefined)
        asked.session?.say({ ...message, params: { ...params, progressToken: asked.progressToken } });
    }
  }

  #refuseLong(beginning: Buffer): void {
    const { id, idAt, hasMethod } = surveyJson(beginning);
    const asked = id === undefined || hasMethod ? undefined : this.#asked.get(id);
    if (!asked || id === undefined || !idAt) return;
    this.#asked.delete(id);
    asked.session?.hearTooLong(withIdAt(beginning, idAt, asked.id));
  }
}

/** A message whose members nobody has looked at yet. */
type Message = Readonly<Record<string, unknown>>;

/** `undefined`: it is no message. Numbers in it stay as they are written. */
function readMessage(text: string): Message | undefined {
  try {
    const message = parseExactly(text);
    return typeof message === 'object' && message !== null && !Array.isArray(message)
      ? (message as Message)
      : undefined;
  } catch {
    return undefined;
  }
}

/** What a server says of itself, without what its sessions do not share. */
function toolsAlone(result: Message): Message {
  const { tools } = (result['capabilities'] ?? {}) as Message;
  return { ...result, capabilities: tools === undefined ? {} : { tools } };
}

/** The same of the newer wire (MCP 2026-07-28, discovery). */
function discoverTools(answer: Message): Message {
  return answer['result'] ? { ...answer, result: toolsAlone(answer['result'] as Message) } : answer;
}

/** Bytes that keeping a message takes beside its text, roughly. */
const eachWaiting = 1_024;
/** Sessions that have not taken all that came for them, and the bytes of all of that. */
const untaken = { sessions: new Set<SharedSession>(), bytes: 0 };

/**
 * One of the sessions that share a process. The others wait for none of them, so what it does not take is bounded: for
 * each of them, and for all of them by what all messages may take.
 */
class SharedSession {
  readonly #hearing: LocalHearing;
  #untaken = 0;
  #last: Promise<unknown> = Promise.resolve();
  #isOver = false;

  constructor(hearing: LocalHearing) {
    this.#hearing = hearing;
  }

  /** Hands it a message, one after the other. */
  hear(bytes: Buffer): void {
    if (this.#isOver) return;
    const cost = bytes.byteLength + eachWaiting;
    this.#count(cost);
    this.#last = this.#last
      .then(() => (this.#isOver ? undefined : this.#hearing.onLine(bytes)))
      .finally(() => this.#count(-cost));
    if (this.#untaken > gatewaySession.buffer) this.#drop();
    while (untaken.bytes > messageBudget.all) {
      const [first = this, ...others] = untaken.sessions;
      others.reduce((most, other) => (other.#untaken > most.#untaken ? other : most), first).#drop();
    }
  }

  #count(cost: number): void {
    if (this.#isOver) return;
    this.#untaken += cost;
    untaken.bytes += cost;
    if (this.#untaken > 0) untaken.sessions.add(this);
    else untaken.sessions.delete(this);
  }

  #drop(): void {
    this.end(new LostRequest('GATEWAY_BUSY', { stage: 'local' }));
  }

  /** The same for a message of ours. */
  say(message: object): void {
    this.hear(Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message })));
  }

  hearTooLong(beginning: Buffer): void {
    if (!this.#isOver) this.#hearing.onTooLong(beginning);
  }

  /** Told once. */
  end(error: PosternError): void {
    if (this.#isOver) return;
    this.#count(-this.#untaken);
    this.#isOver = true;
    this.#hearing.onEnd(error);
  }
}
