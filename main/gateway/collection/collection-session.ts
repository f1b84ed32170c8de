import type { Integration } from '../../../shared/integration.ts';
import { errorText, notificationText, resultText, rpcCode, unusableText } from '../answers/answers.ts';
import { displayText } from '../../address/display-text.ts';
import { cancelledId } from '../messages/envelope.ts';
import type { Envelope, JsonObject, RequestEnvelope } from '../messages/envelope.ts';
import { CollectionRequests } from './collection-requests.ts';
import type { CollectionRequestsPorts } from './collection-requests.ts';
import type { Member } from './member.ts';
import type { MemberPorts } from './member-ports.ts';
import { Members } from './members.ts';
import type { MembersPorts } from './members.ts';
import { attributed, paramsOf } from './merged.ts';
import { Questions, serverOf } from './questions.ts';

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
    const params = this.#members.addresses.inWords(member, paramsOf(question.bytes)) as JsonObject;
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
        return about === undefined ? undefined : await this.#send(logOf(member, paramsOf(bytes)), about);
      case 'notifications/resources/updated': {
        const said = paramsOf(bytes);
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
