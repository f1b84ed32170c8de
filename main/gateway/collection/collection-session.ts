// Routes messages between one app and the members of a collection.

import { isObject } from '../../../shared/json-object.ts';
import type { Integration } from '../../../shared/integration.ts';
import { displayText } from '../../address/display-text.ts';
import { gatewaySession } from '../../limits.ts';
import { parseExactly } from '../../mcp/messages/exact-json.ts';
import {
  cancelText,
  errorText,
  notificationText,
  requestText,
  resultText,
  rpcCode,
  unusableText,
} from '../responses/responses.ts';
import { asObject, cancelledId, exactMember, progressTokenOf, withId } from '../messages/envelope.ts';
import type { ResponseEnvelope, Envelope, JsonObject, RequestEnvelope } from '../messages/envelope.ts';
import { listChanges } from '../messages/lists.ts';
import { CollectionRequests } from './collection-requests.ts';
import type { CollectionRequestsPorts } from './collection-requests.ts';
import type { Member, MemberEvents } from './member.ts';
import { Members } from './members.ts';
import type { MembersPorts } from './members.ts';
import { withAlias } from './merge-members.ts';

export interface CollectionSessionPorts
  extends Pick<MembersPorts, 'clock'>, Omit<CollectionRequestsPorts, 'members' | 'rewriteError' | 'onForwarded'> {
  /** An unguessable, unique id, as JSON text. */
  readonly newId: () => string;
  readonly member: (integration: Integration, events: MemberEvents) => Member;
}

/**
 * Presents several servers as one to a session app. Each member has its own session, with the same rules as if the app
 * used that server alone.
 */
export class CollectionSession {
  readonly #ports: CollectionSessionPorts;
  readonly #members: Members;
  readonly #requests: CollectionRequests;
  readonly #memberRequests: MemberRequests;
  /** `roots/list` requests of members that have received no request of the app yet. */
  readonly #waitingRootsRequests = new Map<Member, RequestEnvelope>();
  #hasBegun = false;
  #isClosed = false;

  constructor(ports: CollectionSessionPorts) {
    this.#ports = ports;
    this.#memberRequests = new MemberRequests(ports.newId);
    const send: CollectionRequestsPorts['send'] = (message, requestId) => this.#send(message, requestId);
    this.#members = new Members({ clock: ports.clock, onChange: (change) => this.#notify(change) });
    this.#requests = new CollectionRequests({
      ...ports,
      send,
      members: this.#members,
      rewriteError: (member, response) => this.#memberRequests.rewriteError(member, response),
      onForwarded: (member) => this.#forwardWaiting(member),
    });
  }

  get isIdle(): boolean {
    return this.#requests.isIdle;
  }

  /** Applies the current members and notifies the app of changes. Never rejects. */
  async setMembers(integrations: readonly Integration[]): Promise<void> {
    const previous = this.#members.all;
    const same = (integration: Integration): Member | undefined =>
      previous.find(({ id, alias }) => id === integration.id && alias === (integration.alias ?? id));
    const members = integrations.map((integration) => same(integration) ?? this.#newMember(integration));
    if (members.length === previous.length && members.every((member, at) => member === previous[at])) return;
    this.#members.set(members);
    this.#requests.readmit(members);
    for (const member of previous.filter((each) => !members.includes(each))) {
      this.#waitingRootsRequests.delete(member);
      for (const text of this.#memberRequests.removeMember(member)) await this.#send(text);
      await this.#requests.removeMember(member);
      void member.close();
    }
    if (this.#hasBegun) await this.#notifyAllLists();
  }

  /** Handles a message from the app; resolves when the next can be read. Never rejects. */
  async handleAppMessage(message: Envelope): Promise<void> {
    switch (message.kind) {
      case 'unusable':
        return await this.#send(unusableText(message.id, message.reason), message.id);
      case 'request':
        this.#hasBegun = true;
        return await this.#requests.begin(message);
      case 'notification':
        return await this.#handleAppNotification(message);
      case 'response': {
        const answered = this.#memberRequests.toMember(message);
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
      onMessage: (message, requestId) => this.#handleMemberMessage(member, message, requestId),
      requeue: (id) => this.#requests.requeue(id),
      onRecovered: () => {
        this.#members.forgetAddresses(member);
        void this.#notifyAllLists();
      },
    });
    return member;
  }

  async #handleAppNotification(message: Extract<Envelope, { kind: 'notification' }>): Promise<void> {
    switch (message.method) {
      case 'notifications/cancelled': {
        const member = this.#requests.cancel(cancelledId(message.bytes));
        return await member?.receive(message.bytes);
      }
      case 'notifications/progress': {
        const outgoing = this.#memberRequests.progress(message.bytes);
        return await outgoing?.member.receive(outgoing.text);
      }
      case 'notifications/roots/list_changed':
        await Promise.all(this.#members.all.map((member) => member.notify(message.bytes)));
    }
  }

  /** Handles a message from a member. `requestId`: the app's request that it belongs to, if known. */
  async #handleMemberMessage(
    member: Member,
    message: Exclude<Envelope, { kind: 'unusable' }>,
    requestId: string | undefined,
  ): Promise<void> {
    switch (message.kind) {
      case 'response':
        return await this.#requests.handleResponse(member, message);
      case 'request':
        return await this.#handleMemberRequest(member, message, requestId ?? this.#requests.latestRequestOf(member));
      case 'notification':
        return await this.#handleMemberNotification(
          member,
          message,
          requestId ?? this.#requests.latestRequestOf(member),
        );
    }
  }

  /**
   * Handles a member's request to the app. Allowed only while a request to that member is in flight; otherwise the user
   * would attribute it to another member.
   */
  async #handleMemberRequest(member: Member, request: RequestEnvelope, requestId: string | undefined): Promise<void> {
    const { id, method } = request;
    if (method === 'ping') return await member.receive(Buffer.from(resultText(id, {})));
    if (requestId !== undefined) return await this.#forwardToApp(member, request, requestId);
    if (method !== 'roots/list') return await this.#refuse(member, request);
    // Many servers request roots as soon as they start, before any request of the app.
    const { pendingListId } = this.#requests;
    if (pendingListId !== undefined) return await this.#forwardToApp(member, request, pendingListId);
    const previous = this.#waitingRootsRequests.get(member);
    this.#waitingRootsRequests.set(member, request);
    if (previous) await this.#refuse(member, previous);
  }

  async #forwardWaiting(member?: Member): Promise<void> {
    for (const [each, request] of this.#waitingRootsRequests) {
      if (member && each !== member) continue;
      this.#waitingRootsRequests.delete(each);
      await this.#handleMemberRequest(each, request, this.#requests.latestRequestOf(each));
    }
  }

  async #forwardToApp(member: Member, request: RequestEnvelope, requestId: string): Promise<void> {
    const params = this.#members.addresses.rewriteAddresses(member, exactMember(request.bytes, 'params')) as JsonObject;
    await this.#send(this.#memberRequests.toApp(member, request, params), requestId);
  }

  async #refuse(member: Member, { id }: RequestEnvelope): Promise<void> {
    const text = 'No request of this server is in flight.';
    await member.receive(Buffer.from(errorText(id, rpcCode.notARequest, text)));
  }

  /** Handles a notification from a member. `requestId`: the app's request in flight there, if any. */
  async #handleMemberNotification(
    member: Member,
    message: Extract<Envelope, { kind: 'notification' }>,
    requestId: string | undefined,
  ): Promise<void> {
    const { method, params, bytes } = message;
    switch (method) {
      case 'notifications/cancelled': {
        if (this.#waitingRootsRequests.get(member)?.id === cancelledId(bytes))
          this.#waitingRootsRequests.delete(member);
        const text = this.#memberRequests.cancel(member, message);
        return text === undefined ? undefined : await this.#send(text);
      }
      case 'notifications/progress': {
        const { progressToken } = params;
        const target = progressToken === undefined ? undefined : this.#requests.latestRequestOf(member, progressToken);
        return target === undefined ? undefined : await this.#send(bytes, target);
      }
      case 'notifications/message':
        return requestId === undefined
          ? undefined
          : await this.#send(logNotification(member, exactMember(bytes, 'params')), requestId);
      case 'notifications/resources/updated': {
        const outgoing = exactMember(bytes, 'params');
        if (typeof outgoing['uri'] !== 'string') return;
        const uri = this.#requests.subscribedAddress(member, outgoing['uri']);
        return await this.#send(notificationText(method, { ...outgoing, uri }));
      }
      case 'notifications/elicitation/complete': {
        const completed = this.#memberRequests.completeUrl(member, message);
        return completed && (await this.#send(notificationText(method, completed)));
      }
    }
    if (method.endsWith('/list_changed')) {
      if (method === 'notifications/resources/list_changed') this.#members.forgetAddresses(member);
      return await this.#notify(method);
    }
    if (requestId !== undefined) await this.#send(bytes, requestId);
  }

  async #notifyAllLists(): Promise<void> {
    for (const { notification } of listChanges) await this.#notify(notification);
  }

  async #notify(method: string): Promise<void> {
    await this.#send(notificationText(method));
  }

  async #send(message: Buffer | string, requestId?: string): Promise<void> {
    if (!this.#isClosed) await this.#ports.send(message, requestId);
  }
}

/** A member's log message, with the member's alias before the logger. */
function logNotification(member: Member, { logger, _meta, ...outgoing }: JsonObject): string {
  const name = typeof logger === 'string' ? withAlias(member.alias, displayText(logger)) : member.alias;
  const meta = { ...(typeof _meta === 'object' && _meta), ...serverOf(member) };
  return notificationText('notifications/message', {
    ...outgoing,
    logger: name === '' ? member.alias : name,
    _meta: meta,
  });
}

interface MemberRequest {
  readonly member: Member;
  /** As the member wrote it. */
  readonly id: string;
  readonly token: unknown;
}

/** A URL elicitation of a member. `id`: its elicitation id, as the member wrote it. */
interface UrlElicitation {
  readonly member: Member;
  readonly id: unknown;
}

/**
 * Requests of members to the app. Members may use the same ids, progress tokens and elicitation ids, so these are
 * replaced, and the name of the member is added.
 */
class MemberRequests {
  readonly #newId: () => string;
  /** By the id that was sent to the app. */
  readonly #open = new Map<string, MemberRequest>();
  /** By the elicitation id sent to the app, oldest first. They may outlive the request (MCP 2025-11-25, URL mode). */
  readonly #urlElicitations = new Map<string, UrlElicitation>();

  constructor(newId: () => string) {
    this.#newId = newId;
  }

  /** The request as sent to the app. `params`: with addresses as shown to apps. */
  toApp(member: Member, { id, method }: RequestEnvelope, { _meta, ...params }: JsonObject): Buffer {
    const appId = this.#newId();
    const meta = { ...(isObject(_meta) && _meta), ...serverOf(member) };
    const token = progressTokenOf({ _meta });
    this.#open.set(appId, { member, id, token });
    const outgoing = token === undefined ? meta : { ...meta, progressToken: JSON.parse(appId) as unknown };
    const outgoingRequest =
      method === 'elicitation/create' ? this.#elicitation(member, params) : withoutContext(params);
    return requestText(appId, method, { ...outgoingRequest, _meta: outgoing });
  }

  /** A member's error, including required URL elicitations (MCP 2025-11-25, elicitation, URL mode). */
  rewriteError(member: Member, { bytes, id }: ResponseEnvelope): Buffer | string {
    const message = bytes.includes('elicitations') ? parseExactly(bytes.toString('utf8')) : undefined;
    const error = asObject(asObject(message)['error']);
    const data = asObject(error['data']);
    const { elicitations } = data;
    if (!Array.isArray(elicitations)) return bytes;
    const outgoingRequest = elicitations
      .slice(0, gatewaySession.serverRequests)
      .map((each: unknown) => (isObject(each) ? this.#elicitation(member, each) : each));
    const outgoing = JSON.stringify({ ...error, data: { ...data, elicitations: outgoingRequest } });
    return `{"jsonrpc":"2.0","id":${id},"error":${outgoing}}`;
  }

  /** The app's response as sent to its member; `undefined`: it matches no open request. */
  toMember(response: ResponseEnvelope): { member: Member; text: Buffer } | undefined {
    const request = this.#open.get(response.id);
    this.#open.delete(response.id);
    return request && { member: request.member, text: withId(response, request.id) };
  }

  /** The app's progress notification as sent to its member; `undefined`: it matches no open request. */
  progress(bytes: Buffer): { member: Member; text: Buffer } | undefined {
    const { progressToken, ...params } = exactMember(bytes, 'params');
    const request = this.#open.get(JSON.stringify(progressToken) ?? '');
    if (request?.token === undefined) return undefined;
    const outgoing: JsonObject = { progressToken: request.token, ...params };
    return { member: request.member, text: Buffer.from(notificationText('notifications/progress', outgoing)) };
  }

  /** A member's cancellation as sent to the app; `undefined`: the request is not open. */
  cancel(member: Member, { bytes }: Extract<Envelope, { kind: 'notification' }>): string | undefined {
    const id = cancelledId(bytes);
    const found = [...this.#open].find(([, request]) => request.member === member && request.id === id);
    if (!found) return undefined;
    this.#open.delete(found[0]);
    return cancelText(found[0]);
  }

  /** Parameters of a member's `elicitation/complete` as sent to the app; `undefined`: unknown id. */
  completeUrl(member: Member, { bytes }: Extract<Envelope, { kind: 'notification' }>): JsonObject | undefined {
    const params = exactMember(bytes, 'params');
    const id = JSON.stringify(params['elicitationId']);
    const [appId] =
      [...this.#urlElicitations].find(
        ([, elicitation]) => elicitation.member === member && JSON.stringify(elicitation.id) === id,
      ) ?? [];
    return appId === undefined ? undefined : { ...params, elicitationId: parseExactly(appId) };
  }

  /** Removes a member; returns the cancellations to send to the app. */
  removeMember(member: Member): readonly string[] {
    const appId = [...this.#open].filter(([, request]) => request.member === member).map(([id]) => id);
    for (const id of appId) this.#open.delete(id);
    for (const [id, elicitation] of this.#urlElicitations)
      if (elicitation.member === member) this.#urlElicitations.delete(id);
    return appId.map((id) => cancelText(id));
  }

  #elicitation(member: Member, { elicitationId, ...outgoingRequest }: JsonObject): JsonObject {
    const { message } = outgoingRequest;
    return {
      ...outgoingRequest,
      ...(typeof message === 'string' && { message: withAlias(member.alias, message) }),
      ...(elicitationId !== undefined && {
        elicitationId: this.#registerUrl(this.#newId(), { member, id: elicitationId }),
      }),
    };
  }

  #registerUrl(name: string, elicitation: UrlElicitation): unknown {
    this.#urlElicitations.set(name, elicitation);
    const [oldest] = this.#urlElicitations.keys();
    if (oldest !== undefined && this.#urlElicitations.size > gatewaySession.serverRequests)
      this.#urlElicitations.delete(oldest);
    return parseExactly(name);
  }
}

/** Disables `includeContext`: to the app, the context of one member would be that of the whole collection. */
function withoutContext(params: JsonObject): JsonObject {
  return params['includeContext'] === undefined ? params : { ...params, includeContext: 'none' };
}

/** Names the member that a message is from, in `_meta`. */
function serverOf({ alias }: Member): JsonObject {
  return { 'dev.postern/server': alias };
}
