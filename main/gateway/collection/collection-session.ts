import type { Integration } from '../../../shared/integration.ts';
import { displayText } from '../../address/display-text.ts';
import { gatewaySession } from '../../limits.ts';
import { parseExactly } from '../../mcp/messages/exact-json.ts';
import { errorText, notificationText, resultText, rpcCode, unusableText } from '../responses/responses.ts';
import { cancelText, requestText } from '../bridge/revisions.ts';
import { cancelledId, exactMember, isObject, withId } from '../messages/envelope.ts';
import type { ResponseEnvelope, Envelope, JsonObject, RequestEnvelope } from '../messages/envelope.ts';
import { CollectionRequests } from './collection-requests.ts';
import type { CollectionRequestsPorts } from './collection-requests.ts';
import type { Member, MemberPorts } from './member.ts';
import { Members } from './members.ts';
import type { MembersPorts } from './members.ts';
import { attributed } from './merged.ts';

export interface CollectionSessionPorts
  extends Pick<MembersPorts, 'clock'>, Omit<CollectionRequestsPorts, 'members' | 'rewriteError' | 'onForwarded'> {
  /** An unguessable, unique id, as JSON text. */
  readonly newId: () => string;
  readonly member: (integration: Integration, ports: Pick<MemberPorts, 'take' | 'requeue' | 'onAvailable'>) => Member;
}

/**
 * Several servers as one, for an app that begins with `initialize`. Each member has a session of its own, with the same
 * rules as if the app used that server alone.
 */
export class CollectionSession {
  readonly #ports: CollectionSessionPorts;
  readonly #members: Members;
  readonly #requests: CollectionRequests;
  readonly #questions: Questions;
  /** Requests for roots of members that have no request of the AI app yet. */
  readonly #waiting = new Map<Member, RequestEnvelope>();
  #hasBegun = false;
  #isClosed = false;

  constructor(ports: CollectionSessionPorts) {
    this.#ports = ports;
    this.#questions = new Questions(ports.newId);
    const send: CollectionRequestsPorts['send'] = (message, about) => this.#send(message, about);
    this.#members = new Members({ clock: ports.clock, onChange: (change) => this.#notify(change) });
    this.#requests = new CollectionRequests({
      ...ports,
      send,
      members: this.#members,
      rewriteError: (member, response) => this.#questions.rewriteError(member, response),
      onForwarded: (member) => this.#askWaiting(member),
    });
  }

  get isIdle(): boolean {
    return this.#requests.isIdle;
  }

  /** Applies the current members and notifies the app of changes. Never rejects. */
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
      for (const text of this.#questions.removeMember(member)) await this.#send(text);
      await this.#requests.removeMember(member);
      void member.close();
    }
    if (this.#hasBegun) await this.#notifyAllLists();
  }

  /** Handles a message of the app. Never rejects; resolves when the next may come. */
  async take(message: Envelope): Promise<void> {
    switch (message.kind) {
      case 'unusable':
        return await this.#send(unusableText(message.id, message.reason), message.id);
      case 'request':
        this.#hasBegun = true;
        return await this.#requests.begin(message);
      case 'notification':
        return await this.#notification(message);
      case 'response': {
        const answered = this.#questions.respond(message);
        await answered?.member.receive(answered.text);
      }
    }
  }

  /** Sends nothing more to any server. Never rejects. */
  async drain(): Promise<void> {
    this.#requests.drain();
    await Promise.all(this.#members.all.map((member) => member.drain()));
  }

  /** Ends what is in flight. Never rejects. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#members.all.map((member) => member.close()));
  }

  #newMember(integration: Integration): Member {
    const member: Member = this.#ports.member(integration, {
      take: (message, about) => this.#takeFromMember(member, message, about),
      requeue: (id) => this.#requests.requeue(id),
      onAvailable: () => {
        this.#members.forgetAddresses(member);
        void this.#notifyAllLists();
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
        const outgoing = this.#questions.progress(message.bytes);
        return await outgoing?.member.receive(outgoing.text);
      }
      case 'notifications/roots/list_changed':
        await Promise.all(this.#members.all.map((member) => member.notify(message.bytes)));
    }
  }

  /** Handles a member's message; `about`: the request of the AI app it belongs to, if known. */
  async #takeFromMember(
    member: Member,
    message: Exclude<Envelope, { kind: 'unusable' }>,
    about: string | undefined,
  ): Promise<void> {
    switch (message.kind) {
      case 'response':
        return await this.#requests.take(member, message);
      case 'request':
        return await this.#question(member, message, about ?? this.#requests.requestOf(member));
      case 'notification':
        return await this.#handleNotification(member, message, about ?? this.#requests.requestOf(member));
    }
  }

  /**
   * A member may ask only during a request that is in flight there; otherwise the user would connect it with another
   * one.
   */
  async #question(member: Member, question: RequestEnvelope, about: string | undefined): Promise<void> {
    const { id, method } = question;
    if (method === 'ping') return await member.receive(Buffer.from(resultText(id, {})));
    if (about !== undefined) return await this.#ask(member, question, about);
    if (method !== 'roots/list') return await this.#refuse(member, question);
    // Many servers request roots as soon as they start, before the AI app has asked for anything.
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
      await this.#question(each, question, this.#requests.requestOf(each));
    }
  }

  async #ask(member: Member, question: RequestEnvelope, about: string): Promise<void> {
    const params = this.#members.addresses.rewriteAddresses(
      member,
      exactMember(question.bytes, 'params'),
    ) as JsonObject;
    await this.#send(this.#questions.ask(member, question, params), about);
  }

  async #refuse(member: Member, { id }: RequestEnvelope): Promise<void> {
    const text = 'No request of this server is in flight.';
    await member.receive(Buffer.from(errorText(id, rpcCode.notARequest, text)));
  }

  /** Handles a member's notification; `about`: the request that is in flight there, if any. */
  async #handleNotification(
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
        const of = progressToken === undefined ? undefined : this.#requests.requestOf(member, progressToken);
        return of === undefined ? undefined : await this.#send(bytes, of);
      }
      case 'notifications/message':
        return about === undefined ? undefined : await this.#send(logOf(member, exactMember(bytes, 'params')), about);
      case 'notifications/resources/updated': {
        const outgoing = exactMember(bytes, 'params');
        if (typeof outgoing['uri'] !== 'string') return;
        const uri = this.#requests.subscribedAddress(member, outgoing['uri']);
        return await this.#send(notificationText(method, { ...outgoing, uri }));
      }
      case 'notifications/elicitation/complete': {
        const over = this.#questions.pageOver(member, message);
        return over && (await this.#send(notificationText(method, over)));
      }
    }
    if (method.endsWith('/list_changed')) {
      if (method === 'notifications/resources/list_changed') this.#members.forgetAddresses(member);
      return await this.#notify(method);
    }
    if (about !== undefined) await this.#send(bytes, about);
  }

  async #notifyAllLists(): Promise<void> {
    for (const kind of ['tools', 'prompts', 'resources']) await this.#notify(`notifications/${kind}/list_changed`);
  }

  async #notify(method: string): Promise<void> {
    await this.#send(JSON.stringify({ jsonrpc: '2.0', method }));
  }

  async #send(message: Buffer | string, about?: string): Promise<void> {
    if (!this.#isClosed) await this.#ports.send(message, about);
  }
}

/** A member's log message, with the member's name before the logger. */
function logOf(member: Member, { logger, _meta, ...outgoing }: JsonObject): string {
  const name = typeof logger === 'string' ? attributed(member.alias, displayText(logger)) : member.alias;
  const meta = { ...(typeof _meta === 'object' && _meta), ...serverOf(member) };
  return notificationText('notifications/message', {
    ...outgoing,
    logger: name === '' ? member.alias : name,
    _meta: meta,
  });
}

interface Question {
  readonly member: Member;
  /** As the member wrote it. */
  readonly id: string;
  readonly token: unknown;
}

/** A page that a member wants opened, by the member's own id. */
interface Page {
  readonly member: Member;
  readonly id: unknown;
}

/**
 * Questions of members to the app. Two members may use the same ids, progress tokens and page ids, so the app gets
 * others, and the name of the member that asks.
 */
class Questions {
  readonly #newId: () => string;
  /** By the id that the app knows. */
  readonly #open = new Map<string, Question>();
  /** The same, oldest first. They may complete long after the question (MCP 2025-11-25, elicitation by URL). */
  readonly #pages = new Map<string, Page>();

  constructor(newId: () => string) {
    this.#newId = newId;
  }

  /** The question for the app. `params`: with addresses as the app gets them. */
  ask(member: Member, { id, method }: RequestEnvelope, { _meta, ...params }: JsonObject): Buffer {
    const own = this.#newId();
    const meta = { ...(isObject(_meta) && _meta), ...serverOf(member) };
    const token = isObject(_meta) ? _meta['progressToken'] : undefined;
    this.#open.set(own, { member, id, token });
    const outgoing = token === undefined ? meta : { ...meta, progressToken: JSON.parse(own) as unknown };
    const outgoingQuestion =
      method === 'elicitation/create' ? this.#elicitation(member, params) : withoutContext(params);
    return requestText(own, method, { ...outgoingQuestion, _meta: outgoing });
  }

  /** A member's error, with the pages that it wants opened first (MCP 2025-11-25, elicitation by URL). */
  rewriteError(member: Member, { bytes, id }: ResponseEnvelope): Buffer | string {
    const message = bytes.includes('elicitations') ? parseExactly(bytes.toString('utf8')) : undefined;
    const error = isObject(message) && isObject(message['error']) ? message['error'] : {};
    const data = isObject(error['data']) ? error['data'] : {};
    const { elicitations } = data;
    if (!Array.isArray(elicitations)) return bytes;
    const outgoingQuestion = elicitations
      .slice(0, gatewaySession.serverRequests)
      .map((each: unknown) => (isObject(each) ? this.#elicitation(member, each) : each));
    const outgoing = JSON.stringify({ ...error, data: { ...data, elicitations: outgoingQuestion } });
    return `{"jsonrpc":"2.0","id":${id},"error":${outgoing}}`;
  }

  /** The member that a response is for, and its text; `undefined`: not requested, or answered before. */
  respond(response: ResponseEnvelope): { member: Member; text: Buffer } | undefined {
    const question = this.#open.get(response.id);
    this.#open.delete(response.id);
    return question && { member: question.member, text: withId(response, question.id) };
  }

  /** The same for the app's progress notifications. */
  progress(bytes: Buffer): { member: Member; text: Buffer } | undefined {
    const { progressToken, ...params } = exactMember(bytes, 'params');
    const question = this.#open.get(JSON.stringify(progressToken) ?? '');
    if (question?.token === undefined) return undefined;
    const outgoing: JsonObject = { progressToken: question.token, ...params };
    const text = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params: outgoing });
    return { member: question.member, text: Buffer.from(text) };
  }

  /** A member withdraws a question: the notification for the app; `undefined`: not open. */
  cancel(member: Member, { bytes }: Extract<Envelope, { kind: 'notification' }>): string | undefined {
    const id = cancelledId(bytes);
    const found = [...this.#open].find(([, question]) => question.member === member && question.id === id);
    if (!found) return undefined;
    this.#open.delete(found[0]);
    return cancelText(found[0]);
  }

  /** A page of a member is complete: the parameters for the app; `undefined`: unknown. */
  pageOver(member: Member, { bytes }: Extract<Envelope, { kind: 'notification' }>): JsonObject | undefined {
    const params = exactMember(bytes, 'params');
    const id = JSON.stringify(params['elicitationId']);
    const [own] = [...this.#pages].find(([, page]) => page.member === member && JSON.stringify(page.id) === id) ?? [];
    return own === undefined ? undefined : { ...params, elicitationId: parseExactly(own) };
  }

  /** A member is gone: the cancellations for the app. */
  removeMember(member: Member): readonly string[] {
    const own = [...this.#open].filter(([, question]) => question.member === member).map(([id]) => id);
    for (const id of own) this.#open.delete(id);
    for (const [id, page] of this.#pages) if (page.member === member) this.#pages.delete(id);
    return own.map((id) => cancelText(id));
  }

  #elicitation(member: Member, { elicitationId, ...outgoingQuestion }: JsonObject): JsonObject {
    const { message } = outgoingQuestion;
    return {
      ...outgoingQuestion,
      ...(typeof message === 'string' && { message: attributed(member.alias, message) }),
      ...(elicitationId !== undefined && { elicitationId: this.#pageOf(this.#newId(), { member, id: elicitationId }) }),
    };
  }

  #pageOf(name: string, page: Page): unknown {
    this.#pages.set(name, page);
    const [oldest] = this.#pages.keys();
    if (oldest !== undefined && this.#pages.size > gatewaySession.serverRequests) this.#pages.delete(oldest);
    return parseExactly(name);
  }
}

/** For the AI app the collection is a single server, whose context would be that of all members. */
function withoutContext(params: JsonObject): JsonObject {
  return params['includeContext'] === undefined ? params : { ...params, includeContext: 'none' };
}

/** Names the member that a message is from, in `_meta`. */
function serverOf({ alias }: Member): JsonObject {
  return { 'dev.postern/server': alias };
}
