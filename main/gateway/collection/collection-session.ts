import type { Integration } from '../../../shared/integration.ts';
import { displayText } from '../../address/display-text.ts';
import { gatewaySession } from '../../limits.ts';
import { parseExactly } from '../../mcp/messages/exact-json.ts';
import { errorText, notificationText, resultText, rpcCode, unusableText } from '../answers/answers.ts';
import { cancelText, requestText } from '../bridge/revisions.ts';
import { cancelledId, exactMember, isObject, withId } from '../messages/envelope.ts';
import type { AnswerEnvelope, Envelope, JsonObject, RequestEnvelope } from '../messages/envelope.ts';
import { CollectionRequests } from './collection-requests.ts';
import type { CollectionRequestsPorts } from './collection-requests.ts';
import type { Member, MemberPorts } from './member.ts';
import { Members } from './members.ts';
import type { MembersPorts } from './members.ts';
import { attributed } from './merged.ts';

export interface CollectionSessionPorts
  extends Pick<MembersPorts, 'clock'>, Omit<CollectionRequestsPorts, 'members' | 'inError' | 'onAsked'> {
  /** An id that nobody can guess and none had before, as JSON text. */
  readonly newId: () => string;
  readonly member: (integration: Integration, ports: Pick<MemberPorts, 'take' | 'giveBack' | 'onThere'>) => Member;
}

/**
 * Several servers as one, for a program that begins with `initialize`. Each member has a session of its own, as if the
 * program used that server alone: whatever holds for it holds here.
 */
export class CollectionSession {
  readonly #ports: CollectionSessionPorts;
  readonly #members: Members;
  readonly #requests: CollectionRequests;
  readonly #questions: Questions;
  /** Questions for the roots of an AI app that waits for nothing of this member yet. */
  readonly #waiting = new Map<Member, RequestEnvelope>();
  #hasBegun = false;
  #isClosed = false;

  constructor(ports: CollectionSessionPorts) {
    this.#ports = ports;
    this.#questions = new Questions(ports.newId);
    const send: CollectionRequestsPorts['send'] = (message, about) => this.#send(message, about);
    this.#members = new Members({ clock: ports.clock, onChange: (change) => this.#tell(change) });
    this.#requests = new CollectionRequests({
      ...ports,
      send,
      members: this.#members,
      inError: (member, answer) => this.#questions.inError(member, answer),
      onAsked: (member) => this.#askWaiting(member),
    });
  }

  get isIdle(): boolean {
    return this.#requests.isIdle;
  }

  /** Takes the members as they are now; the program hears of a change. Never rejects. */
  async setMembers(integrations: readonly Integration[]): Promise<void> {
    const before = this.#members.all;
    const same = (integration: Integration): Member | undefined =>
      before.find(({ id, alias }) => id === integration.id && alias === (integration.alias ?? id));
    const now = integrations.map((integration) => same(integration) ?? this.#newMember(integration));
    if (now.length === before.length && now.every((member, at) => member === before[at])) return;
    this.#members.set(now);
    this.#requests.join(now);
    for (const member of before.filter((each) => !now.includes(each))) {
      this.#waiting.delete(member);
      for (const text of this.#questions.leave(member)) await this.#send(text);
      await this.#requests.leave(member);
      void member.close();
    }
    if (this.#hasBegun) await this.#tellAllChanged();
  }

  /** A message of the program. Never rejects; resolves when the next may come. */
  async take(message: Envelope): Promise<void> {
    switch (message.kind) {
      case 'unusable':
        return await this.#send(unusableText(message.id, message.reason), message.id);
      case 'request':
        this.#hasBegun = true;
        return await this.#requests.begin(message);
      case 'notification':
        return await this.#notification(message);
      case 'answer': {
        const answered = this.#questions.answer(message);
        await answered?.member.receive(answered.text);
      }
    }
  }

  /** Lets nothing more leave for a server. Never rejects. */
  async rest(): Promise<void> {
    this.#requests.rest();
    await Promise.all(this.#members.all.map((member) => member.rest()));
  }

  /** Ends what is under way. Never rejects. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#members.all.map((member) => member.close()));
  }

  #newMember(integration: Integration): Member {
    const member: Member = this.#ports.member(integration, {
      take: (message, about) => this.#takeOf(member, message, about),
      giveBack: (id) => this.#requests.giveBack(id),
      onThere: () => {
        this.#members.forgetAddresses(member);
        void this.#tellAllChanged();
      },
    });
    return member;
  }

  async #notification(message: Extract<Envelope, { kind: 'notification' }>): Promise<void> {
    switch (message.method) {
      case 'notifications/cancelled': {
        const member = this.#requests.cancel(cancelledId(message.bytes));
        return await member?.receive(message.bytes);
      }
      case 'notifications/progress': {
        const said = this.#questions.progress(message.bytes);
        return await said?.member.receive(said.text);
      }
      case 'notifications/roots/list_changed':
        await Promise.all(this.#members.all.map((member) => member.tell(message.bytes)));
    }
  }

  /** A message of a member; `about`: of which request of the AI app, where that is known. */
  async #takeOf(
    member: Member,
    message: Exclude<Envelope, { kind: 'unusable' }>,
    about: string | undefined,
  ): Promise<void> {
    switch (message.kind) {
      case 'answer':
        return await this.#requests.take(member, message);
      case 'request':
        return await this.#question(member, message, about ?? this.#requests.aboutOf(member));
      case 'notification':
        return await this.#hear(member, message, about ?? this.#requests.aboutOf(member));
    }
  }

  /** A member asks for a request that is in flight there, and for nothing else: the user would think of another one. */
  async #question(member: Member, question: RequestEnvelope, about: string | undefined): Promise<void> {
    const { id, method } = question;
    if (method === 'ping') return await member.receive(Buffer.from(resultText(id, {})));
    if (about !== undefined) return await this.#ask(member, question, about);
    if (method !== 'roots/list') return await this.#refuse(member, question);
    // Many servers ask for these as soon as they begin, which no AI app has asked for.
    const { listing } = this.#requests;
    if (listing !== undefined) return await this.#ask(member, question, listing);
    const before = this.#waiting.get(member);
    this.#waiting.set(member, question);
    if (before) await this.#refuse(member, before);
  }

  async #askWaiting(member?: Member): Promise<void> {
    for (const [each, question] of this.#waiting) {
      if (member && each !== member) continue;
      this.#waiting.delete(each);
      await this.#question(each, question, this.#requests.aboutOf(each));
    }
  }

  async #ask(member: Member, question: RequestEnvelope, about: string): Promise<void> {
    const params = this.#members.addresses.inWords(member, exactMember(question.bytes, 'params')) as JsonObject;
    await this.#send(this.#questions.ask(member, question, params), about);
  }

  async #refuse(member: Member, { id }: RequestEnvelope): Promise<void> {
    const text = 'Nobody waits for an answer of this server.';
    await member.receive(Buffer.from(errorText(id, rpcCode.notARequest, text)));
  }

  /** A notification of a member; `about`: the request that is in flight there, if any. */
  async #hear(
    member: Member,
    message: Extract<Envelope, { kind: 'notification' }>,
    about: string | undefined,
  ): Promise<void> {
    const { method, params, bytes } = message;
    switch (method) {
      case 'notifications/cancelled': {
        if (this.#waiting.get(member)?.id === cancelledId(bytes)) this.#waiting.delete(member);
        const text = this.#questions.cancel(member, message);
        return text === undefined ? undefined : await this.#send(text);
      }
      case 'notifications/progress': {
        const { progressToken } = params;
        const of = progressToken === undefined ? undefined : this.#requests.aboutOf(member, progressToken);
        return of === undefined ? undefined : await this.#send(bytes, of);
      }
      case 'notifications/message':
        return about === undefined ? undefined : await this.#send(logOf(member, exactMember(bytes, 'params')), about);
      case 'notifications/resources/updated': {
        const said = exactMember(bytes, 'params');
        if (typeof said['uri'] !== 'string') return;
        const uri = this.#requests.updatedOf(member, said['uri']);
        return await this.#send(notificationText(method, { ...said, uri }));
      }
      case 'notifications/elicitation/complete': {
        const over = this.#questions.pageOver(member, message);
        return over && (await this.#send(notificationText(method, over)));
      }
    }
    if (method.endsWith('/list_changed')) {
      if (method === 'notifications/resources/list_changed') this.#members.forgetAddresses(member);
      return await this.#tell(method);
    }
    if (about !== undefined) await this.#send(bytes, about);
  }

  async #tellAllChanged(): Promise<void> {
    for (const kind of ['tools', 'prompts', 'resources']) await this.#tell(`notifications/${kind}/list_changed`);
  }

  async #tell(method: string): Promise<void> {
    await this.#send(JSON.stringify({ jsonrpc: '2.0', method }));
  }

  async #send(message: Buffer | string, about?: string): Promise<void> {
    if (!this.#isClosed) await this.#ports.send(message, about);
  }
}

/** What a member notes, with its name before that of what notes it there. */
function logOf(member: Member, { logger, _meta, ...said }: JsonObject): string {
  const name = typeof logger === 'string' ? attributed(member.alias, displayText(logger)) : member.alias;
  const meta = { ...(typeof _meta === 'object' && _meta), ...serverOf(member) };
  return notificationText('notifications/message', { ...said, logger: name === '' ? member.alias : name, _meta: meta });
}

interface Question {
  readonly member: Member;
  /** As the member wrote it. */
  readonly id: string;
  readonly token: unknown;
}

/** A page that a member wants opened, by its own name for it. */
interface Page {
  readonly member: Member;
  readonly id: unknown;
}

/**
 * What members have asked the program. Two of them may use the same ids, the same tokens for progress and the same names
 * for pages, so the program gets others; and it gets the name of whoever asks.
 */
class Questions {
  readonly #newId: () => string;
  /** By the id that the program knows. */
  readonly #open = new Map<string, Question>();
  /** The same; the oldest first. They may be over long after the question (MCP 2025-11-25, elicitation by URL). */
  readonly #pages = new Map<string, Page>();

  constructor(newId: () => string) {
    this.#newId = newId;
  }

  /** The same question for the program. `params`: with addresses as the program gets them. */
  ask(member: Member, { id, method }: RequestEnvelope, { _meta, ...params }: JsonObject): Buffer {
    const own = this.#newId();
    const meta = { ...(isObject(_meta) && _meta), ...serverOf(member) };
    const token = isObject(_meta) ? _meta['progressToken'] : undefined;
    this.#open.set(own, { member, id, token });
    const said = token === undefined ? meta : { ...meta, progressToken: JSON.parse(own) as unknown };
    const asked = method === 'elicitation/create' ? this.#elicitation(member, params) : withoutContext(params);
    return requestText(own, method, { ...asked, _meta: said });
  }

  /** An error of a member, with the pages that it wants opened first (MCP 2025-11-25, elicitation by URL). */
  inError(member: Member, { bytes, id }: AnswerEnvelope): Buffer | string {
    const message = bytes.includes('elicitations') ? parseExactly(bytes.toString('utf8')) : undefined;
    const error = isObject(message) && isObject(message['error']) ? message['error'] : {};
    const data = isObject(error['data']) ? error['data'] : {};
    const { elicitations } = data;
    if (!Array.isArray(elicitations)) return bytes;
    const asked = elicitations
      .slice(0, gatewaySession.questions)
      .map((each: unknown) => (isObject(each) ? this.#elicitation(member, each) : each));
    const said = JSON.stringify({ ...error, data: { ...data, elicitations: asked } });
    return `{"jsonrpc":"2.0","id":${id},"error":${said}}`;
  }

  /** Whose this answer is, and what it gets; `undefined`: nobody has asked, or it is answered. */
  answer(answer: AnswerEnvelope): { member: Member; text: Buffer } | undefined {
    const question = this.#open.get(answer.id);
    this.#open.delete(answer.id);
    return question && { member: question.member, text: withId(answer, question.id) };
  }

  /** The same for what the program says of its progress. */
  progress(bytes: Buffer): { member: Member; text: Buffer } | undefined {
    const { progressToken, ...params } = exactMember(bytes, 'params');
    const question = this.#open.get(JSON.stringify(progressToken) ?? '');
    if (question?.token === undefined) return undefined;
    const said: JsonObject = { progressToken: question.token, ...params };
    const text = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params: said });
    return { member: question.member, text: Buffer.from(text) };
  }

  /** A member no longer wants an answer: what the program is told; `undefined`: it has not asked that. */
  cancel(member: Member, { bytes }: Extract<Envelope, { kind: 'notification' }>): string | undefined {
    const id = cancelledId(bytes);
    const found = [...this.#open].find(([, question]) => question.member === member && question.id === id);
    if (!found) return undefined;
    this.#open.delete(found[0]);
    return cancelText(found[0]);
  }

  /** What is over at a page of a member, as the program knows it; `undefined`: it has not asked for that. */
  pageOver(member: Member, { bytes }: Extract<Envelope, { kind: 'notification' }>): JsonObject | undefined {
    const params = exactMember(bytes, 'params');
    const id = JSON.stringify(params['elicitationId']);
    const [own] = [...this.#pages].find(([, page]) => page.member === member && JSON.stringify(page.id) === id) ?? [];
    return own === undefined ? undefined : { ...params, elicitationId: parseExactly(own) };
  }

  /** A member is gone: what the program is told of each of its questions. */
  leave(member: Member): readonly string[] {
    const own = [...this.#open].filter(([, question]) => question.member === member).map(([id]) => id);
    for (const id of own) this.#open.delete(id);
    for (const [id, page] of this.#pages) if (page.member === member) this.#pages.delete(id);
    return own.map((id) => cancelText(id));
  }

  #elicitation(member: Member, { elicitationId, ...asked }: JsonObject): JsonObject {
    const { message } = asked;
    return {
      ...asked,
      ...(typeof message === 'string' && { message: attributed(member.alias, message) }),
      ...(elicitationId !== undefined && { elicitationId: this.#pageOf(this.#newId(), { member, id: elicitationId }) }),
    };
  }

  #pageOf(name: string, page: Page): unknown {
    this.#pages.set(name, page);
    const [oldest] = this.#pages.keys();
    if (oldest !== undefined && this.#pages.size > gatewaySession.questions) this.#pages.delete(oldest);
    return parseExactly(name);
  }
}

/** To the AI app the collection is one server, whose context is that of all members. */
function withoutContext(params: JsonObject): JsonObject {
  return params['includeContext'] === undefined ? params : { ...params, includeContext: 'none' };
}

/** Which member a message is of, in `_meta`. */
function serverOf({ alias }: Member): JsonObject {
  return { 'dev.postern/server': alias };
}
