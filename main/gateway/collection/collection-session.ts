import type { Integration } from '../../../shared/integration.ts';
import { unusableText } from '../answers/answers.ts';
import { cancelledId } from '../messages/envelope.ts';
import type { Envelope } from '../messages/envelope.ts';
import { CollectionRequests } from './collection-requests.ts';
import type { CollectionRequestsPorts } from './collection-requests.ts';
import type { Member } from './member.ts';
import type { MemberPorts } from './member-ports.ts';
import { Members } from './members.ts';
import type { MembersPorts } from './members.ts';
import { Questions } from './questions.ts';

export interface CollectionSessionPorts extends Pick<MembersPorts, 'clock'>, Omit<CollectionRequestsPorts, 'members'> {
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
  #hasBegun = false;
  #isClosed = false;

  constructor(ports: CollectionSessionPorts) {
    this.#ports = ports;
    this.#questions = new Questions(ports.newId);
    const send: CollectionRequestsPorts['send'] = (message, about) => this.#send(message, about);
    this.#members = new Members({ clock: ports.clock, onChange: (change) => this.#tell(change) });
    this.#requests = new CollectionRequests({ ...ports, send, members: this.#members });
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
      take: (message) => this.#takeOf(member, message),
      giveBack: (id) => this.#requests.giveBack(id),
      onThere: () => void this.#tellAllChanged(),
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

  /** A message of a member. */
  async #takeOf(member: Member, message: Exclude<Envelope, { kind: 'unusable' }>): Promise<void> {
    switch (message.kind) {
      case 'answer':
        return await this.#requests.take(member, message);
      case 'request':
        return await this.#send(this.#questions.ask(member, message), this.#requests.aboutOf(member));
      case 'notification': {
        const isCancel = message.method === 'notifications/cancelled';
        const text = isCancel ? this.#questions.cancel(member, message) : message.bytes;
        const { progressToken } = message.method === 'notifications/progress' ? message.params : {};
        const about = progressToken === undefined ? undefined : this.#requests.aboutOf(member, progressToken);
        if (text !== undefined) await this.#send(text, about);
      }
    }
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
