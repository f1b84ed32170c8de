import type { Integration } from '../../../shared/integration.ts';
import { PosternError } from '../../errors/postern-error.ts';
import type { ProgramSession, Send } from '../../gateway-ports.ts';
import type { Refusal } from '../answers/answers.ts';
import { refusedHandshake } from '../answers/judge-failure.ts';
import { extensionsIn, requestText } from '../bridge/revisions.ts';
import type { OlderProgram } from '../bridge/revisions.ts';
import { exactMember, isObject, readEnvelope } from '../messages/envelope.ts';
import type { AnswerEnvelope, Envelope, JsonObject } from '../messages/envelope.ts';

/** Whom a collection speaks for. */
export interface Speaking {
  readonly program: OlderProgram;
  readonly logLevel: string | undefined;
}

/** One server of a collection, and the session with it, which begins when it is needed. */
export class Member {
  readonly #ports: MemberPorts;
  #session: MemberSession | undefined;
  #beginning: Promise<boolean> | undefined;
  #handshake: JsonObject | undefined;
  #refusal: Refusal | undefined;
  #speaking: Speaking | undefined;
  #isClosed = false;
  readonly #own = new Map<string, (answer: AnswerEnvelope | undefined) => void>();

  constructor(ports: MemberPorts) {
    this.#ports = ports;
  }

  get id(): string {
    return this.#ports.integration.id;
  }

  get name(): string {
    return this.#ports.integration.name;
  }

  get alias(): string {
    return this.#ports.integration.alias ?? this.id;
  }

  get isIdle(): boolean {
    return this.#session?.asked.isIdle ?? true;
  }

  /** Whether it offers this, as far as it has said. */
  can(capability: string): boolean {
    const { capabilities } = this.#handshake ?? {};
    // One that says nothing of what it has may have tools.
    return isObject(capabilities)
      ? isObject(capabilities[capability])
      : this.#handshake !== undefined && capability === 'tools';
  }

  /** Names of the extensions that it has, as far as it has said. */
  get extensions(): readonly string[] {
    const { capabilities } = this.#handshake ?? {};
    return Object.keys(extensionsIn(isObject(capabilities) ? capabilities : undefined));
  }

  /** What it has said of itself in this session; `undefined` where it has not. */
  get handshake(): JsonObject | undefined {
    return this.#handshake;
  }

  /** Shakes hands where that has not been done. Answers whether it can be used. Never rejects. */
  async begin(speaking: Speaking): Promise<boolean> {
    this.#speaking = speaking;
    this.#beginning ??= this.#begin(speaking).then((isThere) => {
      if (!isThere) this.#beginning = undefined;
      return isThere;
    });
    return await this.#beginning;
  }

  /** Asks a question of the collection. `undefined`: there is no answer. Never rejects. */
  async ask(method: string, params: JsonObject): Promise<AnswerEnvelope | undefined> {
    const session = this.#session;
    if (!session || this.#isClosed) return undefined;
    const id = session.newId();
    const { promise, resolve } = Promise.withResolvers<AnswerEnvelope | undefined>();
    this.#own.set(id, resolve);
    await session.asked.receive(requestText(id, method, params));
    return await promise;
  }

  /** One page of a list, as the program may see it; `undefined`: there is none. Never rejects. */
  async list(method: string, cursor: string | undefined): Promise<JsonObject | undefined> {
    const answer = await this.ask(method, cursor === undefined ? {} : { cursor });
    return answer && !answer.hasError ? exactMember(answer.bytes, 'result') : undefined;
  }

  /** The same as it was last. Never rejects. */
  async kept(method: string, { program }: Speaking, cursor?: string): Promise<JsonObject | undefined> {
    return await this.#open()?.kept(method, program, cursor);
  }

  /** A message of the program, in its session. Never rejects. */
  async receive(message: Buffer): Promise<void> {
    await this.#session?.asked.receive(message);
  }

  /** The same for one that is for nobody who is not there. */
  async tell(message: Buffer): Promise<void> {
    if (this.#handshake) await this.receive(message);
  }

  /** Why it cannot be used. */
  get refusal(): Refusal {
    return this.#refusal ?? this.#ports.refuse(new PosternError('SESSION_LOST', { stage: 'gateway' }));
  }

  /** Never rejects. */
  async rest(): Promise<void> {
    await this.#session?.asked.rest();
  }

  /** Never rejects. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const settle of this.#own.values()) settle(undefined);
    this.#own.clear();
    await this.#session?.asked.close();
  }

  async #begin({ program, logLevel }: Speaking): Promise<boolean> {
    const { revision, clientInfo, capabilities } = program;
    this.#refusal = undefined;
    if (!this.#open()) return false;
    const answer = await this.ask('initialize', { protocolVersion: revision, clientInfo, capabilities });
    if (!answer || this.#isClosed) return false;
    if (answer.hasError) {
      this.#refusal ??= this.#ports.refuse(refusedHandshake(answer, new URL(this.#ports.integration.url).host));
      return false;
    }
    this.#handshake = exactMember(answer.bytes, 'result');
    await this.#session?.asked.receive(Buffer.from('{"jsonrpc":"2.0","method":"notifications/initialized"}'));
    if (logLevel !== undefined && this.can('logging')) void this.ask('logging/setLevel', { level: logLevel });
    return true;
  }

  #open(): MemberSession | undefined {
    if (this.#isClosed) return undefined;
    try {
      this.#session ??= this.#ports.open({
        send: (message, about) => this.#take(readEnvelope(Buffer.from(message)), about),
        giveBack: (message) => this.#takeBack(readEnvelope(Buffer.from(message))),
        onRefusal: (refusal) => (this.#refusal = refusal),
        catchUp: (reason) => this.#catchUp(reason),
        isBehind: () => this.#beginning === undefined && this.#speaking !== undefined,
      });
    } catch (error) {
      this.#refusal = this.#ports.refuse(error);
    }
    // To make room for it the collection itself may have been ended.
    if (this.#isClosed) void this.#session?.asked.close();
    return this.#session;
  }

  async #take(message: Envelope, about: string | undefined): Promise<void> {
    if (message.kind === 'unusable' || this.#isClosed) return;
    const settle = message.kind === 'answer' ? this.#own.get(message.id) : undefined;
    if (!settle || message.kind !== 'answer') return await this.#ports.take(message, about);
    this.#own.delete(message.id);
    settle(message);
  }

  async #takeBack(message: Envelope): Promise<void> {
    if (message.kind !== 'request') return;
    const settle = this.#own.get(message.id);
    if (!settle) return await this.#ports.giveBack(message.id);
    this.#own.delete(message.id);
    settle(undefined);
  }

  /** One that is missing begins anew; else its session finds out. */
  async #catchUp(reason: 'signed-in' | 'perhaps'): Promise<void> {
    const speaking = this.#speaking;
    if (this.#beginning || !speaking) return await this.#session?.catchUp(reason);
    if (await this.begin(speaking)) this.#ports.onThere();
  }
}

/** What a session has of the member that it is for. */
export interface MemberLine {
  /** To the AI app. `about`: the id of its request that this belongs to, where that is known. */
  readonly send: (message: Buffer | string, about?: string) => Promise<void>;
  readonly giveBack: Send;
  /** Told of what is said to the program in the server's place. */
  readonly onRefusal: (refusal: Refusal) => void;
  /** The server may be there again. Never rejects. */
  readonly catchUp: (reason: 'signed-in' | 'perhaps') => Promise<void>;
  readonly isBehind: () => boolean;
}

/** A session with one server, as a program of an older revision has it that uses this server alone. */
export interface MemberSession {
  readonly asked: ProgramSession;
  /** What the server last said to programs, as this one may see it. Never rejects. */
  kept(method: string, program: OlderProgram, cursor?: string): Promise<JsonObject | undefined>;
  /** An id that no request of this session has, as JSON text. */
  newId(): string;
  catchUp(reason: 'signed-in' | 'perhaps'): Promise<void>;
}

export interface MemberPorts {
  readonly integration: Pick<Integration, 'id' | 'name' | 'alias' | 'url'>;
  /** Errors: PosternError. */
  readonly open: (line: MemberLine) => MemberSession;
  readonly refuse: (error: unknown) => Refusal;
  /** A message for the program; `about`: of which request, where that is known. Never rejects. */
  readonly take: (message: Exclude<Envelope, { kind: 'unusable' }>, about?: string) => Promise<void>;
  /** What the program has asked has not left for the server. Never rejects. */
  readonly giveBack: (id: string) => Promise<void>;
  /** It was missing, and can be used now. */
  readonly onThere: () => void;
}
