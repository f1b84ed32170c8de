import { product } from '../../../shared/product.ts';
import { displayText } from '../../address/display-text.ts';
import { PosternError } from '../../errors/postern-error.ts';
import type { Send } from '../../gateway-ports.ts';
import { collectionSubscriptions } from '../../limits.ts';
import { idKey } from '../../mcp/messages/message-headers.ts';
import { errorText, refusalOf, resultText, rpcCode, tooManyText, duplicateIdMessage } from '../responses/responses.ts';
import type { Refusal } from '../responses/responses.ts';
import { readApp, requestWith } from '../bridge/revisions.ts';
import { RequestSlots } from '../limits/message-budget.ts';
import type { AppBudget } from '../limits/message-budget.ts';
import { exactMember, isObject } from '../messages/envelope.ts';
import type { ResponseEnvelope, JsonObject, RequestEnvelope } from '../messages/envelope.ts';
import { mayHaveAddress, qualifiedAddress } from './addresses.ts';
import type { Member, AppContext } from './member.ts';
import type { Members } from './members.ts';
import { isList, lists, mergeHandshakes, readCursor, writeCursor } from './merged.ts';

export interface CollectionRequestsPorts {
  /** Name of the collection in entries, and its title for users. */
  readonly name: string;
  readonly title: string;
  readonly members: Members;
  /** Of the app, across all sessions. */
  readonly budget: AppBudget;
  /** Sends to the app. `about`: id of its request that this belongs to. */
  readonly send: (message: Buffer | string, about?: string) => Promise<void>;
  readonly requeue: Send;
  /** How to report a failure of the collection itself. */
  readonly refuse: (error: PosternError) => Refusal;
  /** An entry was left out of a list because another one has its name. */
  readonly onLeftOut: (entry: string) => void;
  /** A member's error, as the AI app gets it. */
  readonly rewriteError: (member: Member, response: ResponseEnvelope) => Buffer | string;
  /** This member has a request of the AI app now; without a member: all have. Never rejects. */
  readonly onForwarded: (member?: Member) => Promise<void>;
}

/** An app's requests to a collection. Each gets one response, from one member or merged from all. */
export class CollectionRequests {
  readonly #ports: CollectionRequestsPorts;
  readonly #pending: PendingRequests;
  /** Names of former members of this session, by alias. */
  readonly #gone = new Map<string, string>();
  /** Addresses that the AI app has subscribed to, as it wrote them, by member and the member's address. */
  readonly #subscribed = new Map<string, string>();
  #isDraining = false;
  #appContext: AppContext = { app: readApp({}), logLevel: undefined };

  constructor(ports: CollectionRequestsPorts) {
    this.#ports = ports;
    this.#pending = new PendingRequests(ports.budget);
  }

  get isIdle(): boolean {
    return this.#pending.isIdle;
  }

  /** Never rejects; resolves when the next message may come. */
  async begin(request: RequestEnvelope): Promise<void> {
    if (this.#isDraining) return await this.#ports.requeue(request.bytes);
    const refused = this.#pending.enter(request, () => this.#answer(request));
    if (refused !== undefined) await this.#ports.send(refused, request.id);
  }

  /** Handles a member's response. */
  async take(member: Member, response: ResponseEnvelope): Promise<void> {
    const { id } = response;
    if (!this.#pending.isOf(member, id)) return;
    await this.#end(id, await this.#rewrite(member, response));
  }

  /** The request that a member's message is about; `undefined`: the AI app waits for none of this member. */
  requestOf(member: Member, token?: unknown): string | undefined {
    return this.#pending.requestOf(member, token);
  }

  /** The list request that involves all members now. */
  get listing(): string | undefined {
    return this.#pending.listing;
  }

  /** Address of a member's resource, as the AI app subscribed to it or would read it. */
  subscribedAddress(member: Member, uri: string): string {
    return this.#subscribed.get(keyOf(member, uri)) ?? this.#ports.members.addresses.exposed(member, uri);
  }

  /** The app no longer waits. Returns the member that had the request. */
  cancel(id: string): Member | undefined {
    return this.#pending.end(id)?.member;
  }

  /** It was not sent to the server. */
  async requeue(id: string): Promise<void> {
    const pending = this.#pending.end(id);
    if (pending) await this.#ports.requeue(pending.request.bytes);
  }

  /** Requeues later requests. */
  drain(): void {
    this.#isDraining = true;
  }

  /** These are members, again or still. */
  join(members: readonly Member[]): void {
    for (const { alias } of members) this.#gone.delete(alias);
  }

  /** No longer a member: its open and later requests are answered with that. */
  async removeMember(member: Member): Promise<void> {
    this.#gone.set(member.alias, member.name);
    for (const request of this.#pending.of(member)) await this.#refuse(request, this.#memberGone(member.name));
  }

  async #answer(request: RequestEnvelope): Promise<void> {
    const { id, method, params } = request;
    const { name, uri, ref } = params;
    if (isList(method)) return await this.#list(request);
    switch (method) {
      case 'initialize':
        return await this.#initialize(request);
      case 'ping':
        return await this.#end(id, resultText(id, {}));
      case 'logging/setLevel':
        return await this.#setLevel(request);
      case 'tools/call':
        return await this.#byName('tools/list', request, name);
      case 'prompts/get':
        return await this.#byName('prompts/list', request, name);
      case 'resources/read':
      case 'resources/subscribe':
      case 'resources/unsubscribe':
        return await this.#byUri(request, uri);
      case 'completion/complete':
        return isObject(ref) && ref['type'] === 'ref/prompt'
          ? await this.#byName('prompts/list', request, ref['name'])
          : await this.#byUri(request, isObject(ref) ? ref['uri'] : undefined);
      default:
        await this.#other(request);
    }
  }

  /** An extension's method, for the only member that can be meant. */
  async #other(request: RequestEnvelope): Promise<void> {
    const { id, method, params } = request;
    const [subject = ''] = method.split('/');
    await this.#ports.members.begin(this.#appContext);
    const { all } = this.#ports.members;
    const named = all.filter(({ extensions }) => extensions.some((each) => each.split('/').at(-1) === subject));
    const capable = named.length > 0 ? named : all.filter(({ extensions }) => extensions.length > 0);
    // Members are left untouched: Postern does not know what the extension's method refers to.
    if (subject === 'tasks' || capable.length === 0)
      return await this.#end(id, errorText(id, rpcCode.unknownMethod, 'Method not found'));
    if (typeof params['uri'] === 'string') return await this.#byUri(request, params['uri'], capable);
    const [only] = capable;
    if (only && capable.length === 1) return await this.#pass(request, only, {});
    const text = `Several servers in this collection have this method: ${capable.map(({ alias }) => alias).join(', ')}.`;
    await this.#end(id, errorText(id, rpcCode.unknownMethod, text));
  }

  async #initialize(request: RequestEnvelope): Promise<void> {
    const { name, title, members } = this.#ports;
    const app = readApp(request.params);
    const { capabilities } = request.params;
    const { roots, experimental } = isObject(capabilities) ? capabilities : {};
    // Members use the AI app's revision, so whatever only that revision has arrives too.
    const more = { ...(isObject(roots) && { roots }), ...(isObject(experimental) && { experimental }) };
    this.#appContext = {
      ...this.#appContext,
      app: { ...app, capabilities: { ...app.capabilities, ...more } },
    };
    const known = await members.handshakes(this.#appContext);
    const serverInfo = { name: `${product.name}-${name}`, title, version: product.version };
    const result = { protocolVersion: app.revision, ...mergeHandshakes(known), serverInfo };
    await this.#end(request.id, resultText(request.id, result));
  }

  async #list(request: RequestEnvelope): Promise<void> {
    const { id, method, params } = request;
    if (!isList(method)) return;
    const { cursor } = params;
    const cursors = cursor === undefined ? undefined : readCursor(cursor);
    if (cursor !== undefined && !cursors)
      return await this.#end(id, errorText(id, rpcCode.wrongParameters, 'This cursor does not belong to this list.'));
    void this.#ports.onForwarded();
    const { entries, next, leftOut } = await this.#ports.members.page(method, cursors, this.#appContext);
    // Some requests may not have been sent.
    if (this.#isDraining) return await this.requeue(id);
    for (const entry of leftOut) this.#ports.onLeftOut(entry);
    await this.#end(
      id,
      resultText(id, {
        [lists[method].member]: entries,
        ...(next.size > 0 && { nextCursor: writeCursor(next) }),
        ...(leftOut.length > 0 && { _meta: { 'dev.postern/left-out': leftOut } }),
      }),
    );
  }

  async #setLevel({ id, params: { level } }: RequestEnvelope): Promise<void> {
    if (typeof level !== 'string')
      return await this.#end(id, errorText(id, rpcCode.wrongParameters, 'The log level is missing.'));
    this.#appContext = { ...this.#appContext, logLevel: level };
    for (const member of this.#ports.members.all)
      if (member.hasCapability('logging')) void member.ask('logging/setLevel', { level });
    await this.#end(id, resultText(id, {}));
  }

  async #byName(list: 'tools/list' | 'prompts/list', request: RequestEnvelope, exposed: unknown): Promise<void> {
    const found = await this.#ports.members.resolveName(list, String(exposed), this.#appContext);
    if (!found) return await this.#refuse(request, this.#notFound(list, exposed));
    const ref = request.method === 'completion/complete' && request.params['ref'];
    const named = isObject(ref) ? { ref: { ...ref, name: found.name } } : { name: found.name };
    await this.#pass(request, found.member, named);
  }

  /** `capable`: members that may be meant; default: all. */
  async #byUri(request: RequestEnvelope, address: unknown, capable?: readonly Member[]): Promise<void> {
    const { id, method } = request;
    const { members } = this.#ports;
    const isReference = method === 'completion/complete';
    const found =
      typeof address === 'string'
        ? await (isReference
            ? members.ownerOfReference(address, this.#appContext)
            : members.ownerOf(address, this.#appContext))
        : undefined;
    if (typeof address !== 'string' || !found || (found.kind === 'member' && capable?.includes(found.member) === false))
      return await this.#end(
        id,
        errorText(id, rpcCode.unknownResource, 'No server in this collection has this resource.'),
      );
    if (found.kind === 'shared') return await this.#end(id, ambiguousAddressText(id, address, found.members));
    const { member, uri } = found;
    if (method === 'resources/subscribe') this.#noteSubscription(member, uri, address);
    if (method === 'resources/unsubscribe') this.#subscribed.delete(keyOf(member, uri));
    const { ref } = request.params;
    const meant = isReference && isObject(ref) ? { ref: { ...ref, uri } } : { uri };
    await this.#pass(request, member, meant, { uri, address });
  }

  #noteSubscription(member: Member, uri: string, address: string): void {
    this.#subscribed.set(keyOf(member, uri), address);
    const [oldest] = this.#subscribed.keys();
    if (oldest !== undefined && this.#subscribed.size > collectionSubscriptions) this.#subscribed.delete(oldest);
  }

  /** A member's response with its addresses as the AI app gets them; as it came if it has none. */
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

  async #pass(
    request: RequestEnvelope,
    member: Member,
    changed: JsonObject,
    resource?: RequestedResource,
  ): Promise<void> {
    if (!this.#pending.giveTo(member, request, resource)) return;
    const isThere = await member.begin(this.#appContext);
    // It may have been cancelled meanwhile, or the member is gone.
    if (!this.#pending.has(request)) return;
    if (this.#isDraining) return await this.requeue(request.id);
    if (!isThere) return await this.#end(request.id, refusalOf(request.id, request.method, member.refusal));
    await member.receive(requestWith(request, request.id, changed));
    await this.#ports.onForwarded(member);
  }

  #notFound(list: 'tools/list' | 'prompts/list', exposed: unknown): PosternError {
    const gone = this.#gone.get(String(exposed).split('_')[0] ?? '');
    if (gone !== undefined) return this.#memberGone(gone);
    if (list === 'prompts/list') return new PosternError('PROMPT_NOT_FOUND', { stage: 'gateway' });
    const name = typeof exposed === 'string' ? displayText(exposed, 128) : '';
    return new PosternError('TOOL_NOT_FOUND', { stage: 'gateway', detail: name === '' ? {} : { name } });
  }

  #memberGone(name: string): PosternError {
    return new PosternError('MEMBER_GONE', { stage: 'gateway', detail: { name } });
  }

  async #refuse(request: RequestEnvelope, error: PosternError): Promise<void> {
    await this.#end(request.id, refusalOf(request.id, request.method, this.#ports.refuse(error)));
  }

  /** Answers a request that has no response yet. */
  async #end(id: string, text: Buffer | string): Promise<void> {
    if (this.#pending.end(id)) await this.#ports.send(text, id);
  }
}

function keyOf({ id }: Member, uri: string): string {
  return `${id} ${uri}`;
}

/** An ambiguous address is refused: the AI app has to name the member. */
function ambiguousAddressText(id: string, address: string, members: readonly Member[]): string {
  const whose = members.map(({ alias }) => alias);
  const text = `Several servers in this collection have this address: ${whose.join(', ')}. Use an address that names the server.`;
  const addresses = members.map((member) => qualifiedAddress(member, address));
  return errorText(id, rpcCode.unknownResource, text, { 'dev.postern/addresses': addresses });
}

export interface RequestedResource {
  readonly address: string;
  readonly uri: string;
}

/** An app's request without a response. */
interface Pending {
  readonly request: RequestEnvelope;
  /** The member that answers it, once known. */
  member: Member | undefined;
  /** The resource that it is about, as the AI app and the member write it. */
  resource: RequestedResource | undefined;
  readonly releaseSlot: () => void;
}

/** An app's requests to a collection in flight, by id. */
export class PendingRequests {
  readonly #slots: RequestSlots;
  readonly #open = new Map<string, Pending>();

  constructor(budget: AppBudget) {
    this.#slots = new RequestSlots(budget);
  }

  get isIdle(): boolean {
    return this.#open.size === 0;
  }

  /** Runs `work` when a slot is free. Returns a response to send instead, as JSON text. */
  enter(request: RequestEnvelope, work: () => Promise<void>): string | undefined {
    const { id, bytes } = request;
    if (this.#open.has(idKey(id))) return errorText(id, rpcCode.notARequest, duplicateIdMessage);
    if (this.#slots.isFullFor(bytes.byteLength)) return tooManyText(id);
    const slot = this.#slots.enter(bytes.byteLength);
    this.#open.set(idKey(id), { request, member: undefined, resource: undefined, releaseSlot: () => slot.release() });
    void slot.acquire().then(work);
    return undefined;
  }

  /** Whether it has no response yet. */
  has(request: RequestEnvelope): boolean {
    return this.#open.get(idKey(request.id))?.request === request;
  }

  /** Records which member answers it. Returns whether the app still waits. */
  giveTo(member: Member, request: RequestEnvelope, resource?: RequestedResource): boolean {
    const pending = this.#open.get(idKey(request.id));
    if (pending?.request !== request) return false;
    pending.member = member;
    pending.resource = resource;
    return true;
  }

  /** Whether this member is to answer it. */
  isOf(member: Member, id: string): boolean {
    return this.#open.get(idKey(id))?.member === member;
  }

  /** Requests that this member is to answer. */
  of(member: Member): readonly RequestEnvelope[] {
    return [...this.#open.values()].filter((pending) => pending.member === member).map(({ request }) => request);
  }

  /** The resource that this request is about. */
  resourceOf(id: string): RequestedResource | undefined {
    return this.#open.get(idKey(id))?.resource;
  }

  /** The last list request: it involves all members. */
  get listing(): string | undefined {
    return [...this.#open.values()].findLast(({ request }) => isList(request.method))?.request.id;
  }

  /**
   * The request that a member's message is about, by its progress token; `undefined`: the AI app waits for none of this
   * member, so the member has nothing to say. Other messages do not name their request; as a rule it is the latest.
   */
  requestOf(member: Member, token: unknown): string | undefined {
    const isMeant = ({ params }: RequestEnvelope): boolean =>
      token === undefined || JSON.stringify(tokenOf(params)) === JSON.stringify(token);
    return this.of(member).findLast(isMeant)?.id;
  }

  /** Ends it. Returns what it was; `undefined`: it had ended before. */
  end(id: string): Omit<Pending, 'releaseSlot'> | undefined {
    const pending = this.#open.get(idKey(id));
    pending?.releaseSlot();
    this.#open.delete(idKey(id));
    return pending;
  }
}

function tokenOf({ _meta }: JsonObject): unknown {
  return isObject(_meta) ? _meta['progressToken'] : undefined;
}
