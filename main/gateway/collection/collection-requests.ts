// An app's requests to a collection: each goes to one member, or its response is merged from all.

import { isObject } from '../../../shared/json-object.ts';
import { product } from '../../../shared/product.ts';
import { displayText } from '../../address/display-text.ts';
import { PosternError } from '../../errors/postern-error.ts';
import type { Send } from '../../gateway-ports.ts';
import { collectionSubscriptions } from '../../limits.ts';
import { idKey } from '../../mcp/messages/message-headers.ts';
import { errorText, refusalOf, resultText, rpcCode, tooManyText, duplicateIdMessage } from '../responses/responses.ts';
import type { Refusal } from '../responses/responses.ts';
import { readSessionApp, requestWith } from '../bridge/revisions.ts';
import { RequestSlots } from '../limits/message-budget.ts';
import type { AppBudget, RequestSlot } from '../limits/message-budget.ts';
import { asObject, exactMember, progressTokenOf } from '../messages/envelope.ts';
import type { ResponseEnvelope, JsonObject, RequestEnvelope } from '../messages/envelope.ts';
import { mayHaveAddress, qualifiedAddress } from './addresses.ts';
import type { Member, AppContext } from './member.ts';
import type { Members } from './members.ts';
import { isList, lists } from '../messages/lists.ts';
import { mergeHandshakes, readCursor, writeCursor } from './merge-members.ts';

export interface CollectionRequestsPorts {
  /** Name of the collection in entries, and its title for users. */
  readonly name: string;
  readonly title: string;
  readonly members: Members;
  /** Shared by all sessions of the app. */
  readonly budget: AppBudget;
  /** Sends to the app. `requestId`: its request that the message belongs to. */
  readonly send: (message: Buffer | string, requestId?: string) => Promise<void>;
  readonly requeue: Send;
  /** How to report a failure of the collection itself. */
  readonly refuse: (error: PosternError) => Refusal;
  /** Called when an entry is left out of a list because another one has its name. */
  readonly onLeftOut: (entry: string) => void;
  /** A member's error, as sent to the app. */
  readonly rewriteError: (member: Member, response: ResponseEnvelope) => Buffer | string;
  /** Called when this member (default: every member) has received a request of the app. Never rejects. */
  readonly onForwarded: (member?: Member) => Promise<void>;
}

/** An app's requests to a collection. Each gets one response, from one member or merged from all. */
export class CollectionRequests {
  readonly #ports: CollectionRequestsPorts;
  readonly #pending: PendingCollectionRequests;
  /** Names of former members of this session, by alias. */
  readonly #formerMembers = new Map<string, string>();
  /** Addresses that the app has subscribed to, as the app wrote them, by member and the member's address. */
  readonly #subscribed = new Map<string, string>();
  #isDraining = false;
  #appContext: AppContext = { app: readSessionApp({}), logLevel: undefined };

  constructor(ports: CollectionRequestsPorts) {
    this.#ports = ports;
    this.#pending = new PendingCollectionRequests(ports.budget);
  }

  get isIdle(): boolean {
    return this.#pending.isIdle;
  }

  /** Handles a request; resolves when the next message can be read. Never rejects. */
  async begin(request: RequestEnvelope): Promise<void> {
    if (this.#isDraining) return await this.#ports.requeue(request.bytes);
    const refused = this.#pending.enter(request, () => this.#handle(request));
    if (refused !== undefined) await this.#ports.send(refused, request.id);
  }

  /** Handles a member's response. */
  async handleResponse(member: Member, response: ResponseEnvelope): Promise<void> {
    const { id } = response;
    if (!this.#pending.isAssignedTo(member, id)) return;
    await this.#respond(id, await this.#rewrite(member, response));
  }

  /** Id of the request that a member's message belongs to; `undefined`: none of this member's is open. */
  latestRequestOf(member: Member, token?: unknown): string | undefined {
    return this.#pending.latestRequestOf(member, token);
  }

  /** Id of the open list request, which involves all members. */
  get pendingListId(): string | undefined {
    return this.#pending.pendingListId;
  }

  /** Address of a member's resource, as the app subscribed to it or would read it. */
  subscribedAddress(member: Member, uri: string): string {
    return this.#subscribed.get(keyOf(member, uri)) ?? this.#ports.members.addresses.exposed(member, uri);
  }

  /** Ends a request that the app has canceled. Returns the member that it was sent to. */
  cancel(id: string): Member | undefined {
    return this.#pending.end(id)?.member;
  }

  /** Requeues a request that was not sent to the server. */
  async requeue(id: string): Promise<void> {
    const bytes = this.#pending.end(id)?.bytes;
    if (bytes) await this.#ports.requeue(bytes);
  }

  /** Requeues all later requests. */
  drain(): void {
    this.#isDraining = true;
  }

  /** Removes current members from the former ones. */
  readmit(members: readonly Member[]): void {
    for (const { alias } of members) this.#formerMembers.delete(alias);
  }

  /** Refuses the open and later requests of a former member. */
  async removeMember(member: Member): Promise<void> {
    this.#formerMembers.set(member.alias, member.name);
    for (const pending of this.#pending.of(member)) await this.#refuse(pending, this.#memberGoneError(member.name));
  }

  async #handle(request: RequestEnvelope): Promise<void> {
    const { id, method, params } = request;
    const { name, uri, ref } = params;
    if (isList(method)) return await this.#handleList(request);
    switch (method) {
      case 'initialize':
        return await this.#handleInitialize(request);
      case 'ping':
        return await this.#respond(id, resultText(id, {}));
      case 'logging/setLevel':
        return await this.#handleSetLevel(request);
      case 'tools/call':
        return await this.#forwardByName('tools/list', request, name);
      case 'prompts/get':
        return await this.#forwardByName('prompts/list', request, name);
      case 'resources/read':
      case 'resources/subscribe':
      case 'resources/unsubscribe':
        return await this.#forwardByUri(request, uri);
      case 'completion/complete':
        return isObject(ref) && ref['type'] === 'ref/prompt'
          ? await this.#forwardByName('prompts/list', request, ref['name'])
          : await this.#forwardByUri(request, isObject(ref) ? ref['uri'] : undefined);
      default:
        await this.#forwardExtension(request);
    }
  }

  /** Forwards an extension's method, if only one member can have it. */
  async #forwardExtension(request: RequestEnvelope): Promise<void> {
    const { id, method, params } = request;
    const [subject = ''] = method.split('/');
    await this.#ports.members.connectAll(this.#appContext);
    const { all } = this.#ports.members;
    const named = all.filter(({ extensions }) => extensions.some((each) => each.split('/').at(-1) === subject));
    const candidates = named.length > 0 ? named : all.filter(({ extensions }) => extensions.length > 0);
    // Not sent to several members: Postern does not know what the method refers to.
    if (subject === 'tasks' || candidates.length === 0)
      return await this.#respond(id, errorText(id, rpcCode.unknownMethod, 'Method not found'));
    if (typeof params['uri'] === 'string') return await this.#forwardByUri(request, params['uri'], candidates);
    const [member] = candidates;
    if (member && candidates.length === 1) return await this.#forward(request, member, {});
    const text = `Several servers in this collection have this method: ${candidates.map(({ alias }) => alias).join(', ')}.`;
    await this.#respond(id, errorText(id, rpcCode.unknownMethod, text));
  }

  async #handleInitialize(request: RequestEnvelope): Promise<void> {
    const { name, title, members } = this.#ports;
    const app = readSessionApp(request.params);
    const { capabilities } = request.params;
    const { roots, experimental } = asObject(capabilities);
    // Members use the app's revision, so also declare capabilities that only that revision has.
    const more = { ...(isObject(roots) && { roots }), ...(isObject(experimental) && { experimental }) };
    this.#appContext = {
      ...this.#appContext,
      app: { ...app, capabilities: { ...app.capabilities, ...more } },
    };
    const known = await members.handshakes(this.#appContext);
    const serverInfo = { name: `${product.name}-${name}`, title, version: product.version };
    const result = { protocolVersion: app.revision, ...mergeHandshakes(known), serverInfo };
    await this.#respond(request.id, resultText(request.id, result));
  }

  async #handleList(request: RequestEnvelope): Promise<void> {
    const { id, method, params } = request;
    if (!isList(method)) return;
    const { cursor } = params;
    const cursors = cursor === undefined ? undefined : readCursor(cursor);
    if (cursor !== undefined && !cursors)
      return await this.#respond(
        id,
        errorText(id, rpcCode.wrongParameters, 'This cursor does not belong to this list.'),
      );
    void this.#ports.onForwarded();
    const { entries, next, leftOut } = await this.#ports.members.page(method, cursors, this.#appContext);
    // Some requests may not have been sent.
    if (this.#isDraining) return await this.requeue(id);
    for (const entry of leftOut) this.#ports.onLeftOut(entry);
    await this.#respond(
      id,
      resultText(id, {
        [lists[method].member]: entries,
        ...(next.size > 0 && { nextCursor: writeCursor(next) }),
        ...(leftOut.length > 0 && { _meta: { 'dev.postern/left-out': leftOut } }),
      }),
    );
  }

  async #handleSetLevel({ id, params: { level } }: RequestEnvelope): Promise<void> {
    if (typeof level !== 'string')
      return await this.#respond(id, errorText(id, rpcCode.wrongParameters, 'The log level is missing.'));
    this.#appContext = { ...this.#appContext, logLevel: level };
    for (const member of this.#ports.members.all)
      if (member.hasCapability('logging')) void member.request('logging/setLevel', { level });
    await this.#respond(id, resultText(id, {}));
  }

  async #forwardByName(list: 'tools/list' | 'prompts/list', request: RequestEnvelope, exposed: unknown): Promise<void> {
    const found = await this.#ports.members.resolveName(list, String(exposed), this.#appContext);
    if (!found) return await this.#refuse(request, this.#notFoundError(list, exposed));
    const ref = request.method === 'completion/complete' && request.params['ref'];
    const changedParams = isObject(ref) ? { ref: { ...ref, name: found.name } } : { name: found.name };
    await this.#forward(request, found.member, changedParams);
  }

  /** `candidates`: members that the request may go to; default: all. */
  async #forwardByUri(request: RequestEnvelope, address: unknown, candidates?: readonly Member[]): Promise<void> {
    const { id, method } = request;
    const { members } = this.#ports;
    const isReference = method === 'completion/complete';
    const found =
      typeof address === 'string'
        ? await (isReference
            ? members.ownerOfReference(address, this.#appContext)
            : members.ownerOf(address, this.#appContext))
        : undefined;
    if (
      typeof address !== 'string' ||
      !found ||
      (found.kind === 'member' && candidates?.includes(found.member) === false)
    )
      return await this.#respond(
        id,
        errorText(id, rpcCode.unknownResource, 'No server in this collection has this resource.'),
      );
    if (found.kind === 'shared') return await this.#respond(id, ambiguousAddressText(id, address, found.members));
    const { member, uri } = found;
    if (method === 'resources/subscribe') this.#noteSubscription(member, uri, address);
    if (method === 'resources/unsubscribe') this.#subscribed.delete(keyOf(member, uri));
    const { ref } = request.params;
    const changedParams = isReference && isObject(ref) ? { ref: { ...ref, uri } } : { uri };
    await this.#forward(request, member, changedParams, { uri, address });
  }

  #noteSubscription(member: Member, uri: string, address: string): void {
    this.#subscribed.set(keyOf(member, uri), address);
    const [oldest] = this.#subscribed.keys();
    if (oldest !== undefined && this.#subscribed.size > collectionSubscriptions) this.#subscribed.delete(oldest);
  }

  /** A member's response with addresses as shown to apps; unchanged if it has none. */
  async #rewrite(member: Member, response: ResponseEnvelope): Promise<Buffer | string> {
    const { id, bytes } = response;
    if (response.hasError) return this.#ports.rewriteError(member, response);
    if (!mayHaveAddress(bytes)) return bytes;
    const { members } = this.#ports;
    await members.loadAddresses(this.#appContext, true);
    const result = exactMember(response.bytes, 'result');
    const rewritten = await members.addresses.rewriteResult(member, result, this.#pending.resourceOf(id));
    return rewritten === result ? bytes : resultText(id, rewritten);
  }

  async #forward(
    request: RequestEnvelope,
    member: Member,
    changed: JsonObject,
    resource?: RequestedResource,
  ): Promise<void> {
    const pending = this.#pending.assign(member, request, resource);
    if (!pending) return;
    const isAvailable = await member.connect(this.#appContext);
    // Canceled meanwhile, or the member was removed.
    if (!this.#pending.has(pending)) return;
    if (this.#isDraining) return await this.requeue(request.id);
    if (!isAvailable) return await this.#respond(request.id, refusalOf(request.id, request.method, member.refusal));
    const forwarded = requestWith(request, request.id, changed);
    // Its member counts it from now on.
    pending.slot.releaseBytes();
    await member.receive(forwarded, { onSent: () => (pending.bytes = undefined) });
    await this.#ports.onForwarded(member);
  }

  #notFoundError(list: 'tools/list' | 'prompts/list', exposed: unknown): PosternError {
    const formerName = this.#formerMembers.get(String(exposed).split('_')[0] ?? '');
    if (formerName !== undefined) return this.#memberGoneError(formerName);
    if (list === 'prompts/list') return new PosternError('PROMPT_NOT_FOUND', { stage: 'gateway' });
    const name = typeof exposed === 'string' ? displayText(exposed, 128) : '';
    return new PosternError('TOOL_NOT_FOUND', { stage: 'gateway', detail: name === '' ? {} : { name } });
  }

  #memberGoneError(name: string): PosternError {
    return new PosternError('MEMBER_GONE', { stage: 'gateway', detail: { name } });
  }

  async #refuse({ id, method }: Pick<RequestEnvelope, 'id' | 'method'>, error: PosternError): Promise<void> {
    await this.#respond(id, refusalOf(id, method, this.#ports.refuse(error)));
  }

  /** Sends the response to a request that has none yet. */
  async #respond(id: string, text: Buffer | string): Promise<void> {
    if (this.#pending.end(id)) await this.#ports.send(text, id);
  }
}

function keyOf({ id }: Member, uri: string): string {
  return `${id} ${uri}`;
}

/** Error for an ambiguous address, with the qualified addresses to use instead. */
function ambiguousAddressText(id: string, address: string, members: readonly Member[]): string {
  const aliases = members.map(({ alias }) => alias);
  const text = `Several servers in this collection have this address: ${aliases.join(', ')}. Use an address that names the server.`;
  const addresses = members.map((member) => qualifiedAddress(member, address));
  return errorText(id, rpcCode.unknownResource, text, { 'dev.postern/addresses': addresses });
}

export interface RequestedResource {
  readonly address: string;
  readonly uri: string;
}

/** A request of the app without a response. */
class PendingRequest {
  readonly id: string;
  readonly method: string;
  /** Its progress token, as JSON text. */
  readonly token: string | undefined;
  /** As the app wrote it, until it is sent to the server: only then can it no longer be requeued. */
  bytes: Buffer | undefined;
  /** The member that it was sent to, once known. */
  member: Member | undefined;
  /** The resource that it refers to, with the app's and the member's address. */
  resource: RequestedResource | undefined;
  readonly slot: RequestSlot;

  constructor({ id, method, params, bytes }: RequestEnvelope, slot: RequestSlot) {
    this.id = id;
    this.method = method;
    this.token = JSON.stringify(progressTokenOf(params));
    this.bytes = bytes;
    this.slot = slot;
  }
}

/** An app's requests to a collection in flight, by id. */
class PendingCollectionRequests {
  readonly #slots: RequestSlots;
  readonly #open = new Map<string, PendingRequest>();

  constructor(budget: AppBudget) {
    this.#slots = new RequestSlots(budget);
  }

  get isIdle(): boolean {
    return this.#open.size === 0;
  }

  /** Runs `work` when a slot is free. Returns the error to send if it is refused. */
  enter(request: RequestEnvelope, work: () => Promise<void>): string | undefined {
    const { id, bytes } = request;
    if (this.#open.has(idKey(id))) return errorText(id, rpcCode.notARequest, duplicateIdMessage);
    if (this.#slots.isFullFor(bytes.byteLength)) return tooManyText(id);
    const slot = this.#slots.enter(bytes.byteLength);
    this.#open.set(idKey(id), new PendingRequest(request, slot));
    void slot.acquire().then(work);
    return undefined;
  }

  /** Whether it has no response yet. */
  has(pending: PendingRequest): boolean {
    return this.#open.get(idKey(pending.id)) === pending;
  }

  /** Assigns the request to a member. `undefined`: the app no longer waits. */
  assign(member: Member, { id, bytes }: RequestEnvelope, resource?: RequestedResource): PendingRequest | undefined {
    const pending = this.#open.get(idKey(id));
    if (pending?.bytes !== bytes) return undefined;
    pending.member = member;
    pending.resource = resource;
    return pending;
  }

  /** Whether the request is assigned to this member. */
  isAssignedTo(member: Member, id: string): boolean {
    return this.#open.get(idKey(id))?.member === member;
  }

  /** Requests that are assigned to this member. */
  of(member: Member): readonly PendingRequest[] {
    return [...this.#open.values()].filter((pending) => pending.member === member);
  }

  /** The resource that this request refers to. */
  resourceOf(id: string): RequestedResource | undefined {
    return this.#open.get(idKey(id))?.resource;
  }

  /** Id of the last list request, which involves all members. */
  get pendingListId(): string | undefined {
    return [...this.#open.values()].findLast(({ method }) => isList(method))?.id;
  }

  /**
   * Id of the request that a member's message belongs to: by progress token, otherwise the latest, since other messages
   * do not name their request. `undefined`: none of this member's is open, so the message is not sent to the app.
   */
  latestRequestOf(member: Member, token: unknown): string | undefined {
    const wanted = JSON.stringify(token);
    return this.of(member).findLast((pending) => wanted === undefined || pending.token === wanted)?.id;
  }

  /** Ends the request and returns it; `undefined`: already ended. */
  end(id: string): PendingRequest | undefined {
    const pending = this.#open.get(idKey(id));
    pending?.slot.release();
    this.#open.delete(idKey(id));
    return pending;
  }
}
