import { PosternError } from '../../errors/postern-error.ts';
import type { ProgramAnswer, ProgramRequest } from '../../gateway-ports.ts';
import type { Clock, Random } from '../../ports.ts';
import { legacyVersion } from '../../oauth/wire/mcp-request.ts';
import { errorText, refusalOf, rpcCode, underWay, unusableText } from '../answers/answers.ts';
import type { AnswersByHttp, Refusal, SendAbout } from '../answers/answers.ts';
import type { CallOutcome } from '../answers/call-log.ts';
import { beginsSession, readEnvelope } from '../messages/envelope.ts';
import type { Envelope, RequestEnvelope } from '../messages/envelope.ts';
import type { Coming } from '../session/pending-requests.ts';
import { asJson, Exchanges } from './exchanges.ts';
import type { WaitOptions } from './exchanges.ts';

type Sound = Exclude<Envelope, { kind: 'unusable' }>;

/** A session behind the door: with one server, or with a collection. */
export interface DoorSession {
  /** Never rejects; resolves when the next may come. */
  receive(message: Sound, coming: Coming): Promise<void>;
  /** The app has hung up on this, or has its answer. */
  drop(about: string): void;
  /** The app listens. */
  listen(): void;
  touch(): void;
  /** Never rejects. */
  close(): Promise<void>;
}

/** What a session has of the app. */
export interface DoorSide {
  readonly send: SendAbout;
  readonly answers: AnswersByHttp;
  readonly hangUp: () => void;
  /** Several processes of the app have it, whose requests are told apart by `about`. */
  readonly isShared: boolean;
}

export interface HttpDoorPorts {
  readonly clock: Pick<Clock, 'after'>;
  readonly random: Random;
  /** Errors: PosternError. */
  readonly open: (side: DoorSide) => DoorSession | Promise<DoorSession>;
  /** What processes of the app have as one, outside of sessions; `undefined`: this goes nowhere. */
  readonly sharedBy: (message: Sound) => string | undefined;
  /** Whether there is something to listen on outside of sessions. */
  readonly hasStream: () => boolean;
  /** Why a message is not taken, as JSON text. */
  readonly refuses: (message: Sound, headers: ProgramRequest['headers']) => string | undefined;
  readonly refuse: (error: PosternError) => Refusal;
  /** Notes what was answered before any session. */
  readonly note: (request: RequestEnvelope, outcome: CallOutcome, bytes: number) => void;
}

interface Use {
  readonly exchanges: Exchanges;
  readonly session: DoorSession;
}

/** Processes of one app that speak the wire without sessions and can do different things. */
const mostKinds = 16;

/**
 * One app that uses one server or one collection by HTTP. With sessions each has an id of ours, so that it can begin
 * before the server has one, and go on with another one; without, requests are told apart by their exchange.
 */
export class HttpDoor {
  readonly #ports: HttpDoorPorts;
  readonly #sessions = new Map<string, Use>();
  /** What has no sessions, by what its processes have as one; the most recently used comes last. */
  readonly #shared = new Map<string, Promise<Use>>();
  #count = 0;
  #isClosed = false;

  constructor(ports: HttpDoorPorts) {
    this.#ports = ports;
  }

  /** `message`: the body of a POST. Never rejects. */
  async answer(request: ProgramRequest, message: Envelope | undefined): Promise<ProgramAnswer> {
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

  /** Ends all that is under way. Never rejects. */
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

  async #begin(initialize: RequestEnvelope, { headers: fields, signal }: ProgramRequest): Promise<ProgramAnswer> {
    const id = Buffer.from(this.#ports.random.bytes(24)).toString('base64url');
    let isOver = false;
    const use = await this.#open(false, () => {
      isOver = true;
      this.#end(id);
    });
    // Others have taken its place meanwhile, or the app may use nothing any more.
    if (isOver || this.#isClosed) {
      void end(use, 404);
      return { status: this.#isClosed ? 404 : 503, headers: {} };
    }
    this.#sessions.set(id, use);
    const begun = use.exchanges.wait(initialize.id, { signal, canResume: false, onGone: () => {} });
    // It may have to wait until the answer has been taken.
    void use.session.receive(initialize, { fields });
    const { answer, message } = await begun;
    const said = message === undefined ? undefined : readEnvelope(Buffer.from(message));
    // Nor has an app a session that left before it heard of it.
    if (signal.aborted || (said?.kind === 'answer' && said.hasError)) {
      this.#end(id);
      return answer;
    }
    return this.#sessions.has(id) ? { ...answer, headers: { ...answer.headers, 'mcp-session-id': id } } : answer;
  }

  async #inSession(
    id: string,
    use: Use,
    { method, headers, signal }: ProgramRequest,
    message: Sound | undefined,
  ): Promise<ProgramAnswer> {
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
      return asJson(errorText(message.id, rpcCode.notARequest, underWay));
    const { status, ...answer } = await answerIn(use, message, {
      about: message.kind === 'request' ? message.id : '',
      coming: { fields: headers },
      signal,
      canResume: takesUp(headers['mcp-protocol-version']),
    });
    // The session is not over.
    return { ...answer, status: status === 404 && !signal.aborted && this.#sessions.has(id) ? 200 : status };
  }

  async #withoutMessage({ method }: ProgramRequest): Promise<ProgramAnswer> {
    const { hasStream } = this.#ports;
    if (method !== 'GET' || !hasStream())
      return { status: 405, headers: { allow: hasStream() ? 'POST, GET' : 'POST' } };
    return listen(await this.#sharedUse(''));
  }

  /** Several processes may use the same ids. An app that hangs up does not want the answer any more. */
  async #outside(message: Sound, { headers: fields, signal }: ProgramRequest): Promise<ProgramAnswer> {
    const key = this.#ports.sharedBy(message);
    if (key === undefined) return { status: 202, headers: {} };
    const use = await this.#sharedUse(key);
    use.session.touch();
    const about = `exchange ${(this.#count += 1)}`;
    return await answerIn(use, message, { about, coming: { about, fields }, signal, canResume: false });
  }

  async #sharedUse(key: string): Promise<Use> {
    const use = this.#shared.get(key) ?? this.#open(true, () => this.#endShared(key));
    use.catch(() => this.#shared.delete(key));
    this.#shared.delete(key);
    this.#shared.set(key, use);
    const [oldest] = this.#shared.keys();
    if (oldest !== undefined && this.#shared.size > mostKinds) this.#endShared(oldest);
    return await use;
  }

  async #open(isShared: boolean, hangUp: () => void): Promise<Use> {
    const exchanges = new Exchanges(this.#ports.clock);
    const send: SendAbout = (message, about, arrival) => exchanges.tell(message, about, arrival);
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
    // Those that wait have no session that is over: they may ask again.
    void use?.then((open) => end(open, 503)).catch(() => {});
  }
}

/** Apps of older revisions take an event without data for a message (MCP 2025-11-25, sending messages 6). */
function takesUp(revision: string | undefined): boolean {
  return revision !== undefined && revision >= legacyVersion;
}

/** `about`: what a request is known by. */
async function answerIn(
  { exchanges, session }: Use,
  message: Sound,
  { about, coming, ...waiting }: Omit<WaitOptions, 'onGone'> & { readonly about: string; readonly coming: Coming },
): Promise<ProgramAnswer> {
  if (message.kind !== 'request') {
    await session.receive(message, coming);
    return { status: 202, headers: {} };
  }
  let isGone = false;
  const onGone = (): void => {
    isGone = true;
    session.drop(about);
  };
  const begun = exchanges.wait(about, { ...waiting, onGone });
  // An app that has hung up before it was under way did not want it either.
  if (!isGone) void session.receive(message, coming).then(() => isGone && session.drop(about));
  return (await begun).answer;
}

function listen({ exchanges, session }: Use): ProgramAnswer {
  session.listen();
  return exchanges.listen();
}

async function end({ exchanges, session }: Use, status: 404 | 503): Promise<void> {
  exchanges.close(status);
  await session.close();
}
