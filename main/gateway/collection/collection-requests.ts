import { product } from '../../../shared/product.ts';
import { displayText } from '../../address/display-text.ts';
import { PosternError } from '../../errors/postern-error.ts';
import type { Send } from '../../gateway-ports.ts';
import { collectionSubscriptions } from '../../limits.ts';
import { idKey } from '../../mcp/messages/message-headers.ts';
import { errorText, refusalOf, resultText, rpcCode, tooManyText, underWay } from '../answers/answers.ts';
import type { Refusal } from '../answers/answers.ts';
import { readProgram, requestWith } from '../bridge/revisions.ts';
import { Places } from '../limits/message-budget.ts';
import type { AppBudget } from '../limits/message-budget.ts';
import { exactMember, isObject } from '../messages/envelope.ts';
import type { AnswerEnvelope, JsonObject, RequestEnvelope } from '../messages/envelope.ts';
import { mayHaveAddress, ownForm } from './addresses.ts';
import type { Member, Speaking } from './member.ts';
import type { Members } from './members.ts';
import { isList, lists, mergeHandshakes, readCursor, writeCursor } from './merged.ts';

export interface CollectionRequestsPorts {
  /** What the collection is called in entries, and by people. */
  readonly name: string;
  readonly title: string;
  readonly members: Members;
  /** Of the app, in all sessions. */
  readonly budget: AppBudget;
  /** To the program. `about`: the id of its request that this belongs to. */
  readonly send: (message: Buffer | string, about?: string) => Promise<void>;
  readonly giveBack: Send;
  /** What is said of a failure of the collection itself. */
  readonly refuse: (error: PosternError) => Refusal;
  /** An entry is left out of a list: another one has its name. */
  readonly onLeftOut: (entry: string) => void;
  /** An error of a member, as the AI app gets it. */
  readonly inError: (member: Member, answer: AnswerEnvelope) => Buffer | string;
  /** A member has a request of the AI app now; without one: all have. Never rejects. */
  readonly onAsked: (member?: Member) => Promise<void>;
}

/** The requests of one program to a collection: each gets one answer, of one member or put together of those of all. */
export class CollectionRequests {
  readonly #ports: CollectionRequestsPorts;
  readonly #pending: PendingRequests;
  /** Names of servers that were members in this session, by their aliases. */
  readonly #gone = new Map<string, string>();
  /** What the AI app wants to hear of, as it wrote it, by member and address there. */
  readonly #subscribed = new Map<string, string>();
  #isResting = false;
  #speaking: Speaking = { program: readProgram({}), logLevel: undefined };

  constructor(ports: CollectionRequestsPorts) {
    this.#ports = ports;
    this.#pending = new PendingRequests(ports.budget);
  }

  get isIdle(): boolean {
    return this.#pending.isIdle;
  }

  /** Never rejects; resolves when the next message may come. */
  async begin(request: RequestEnvelope): Promise<void> {
    if (this.#isResting) return await this.#ports.giveBack(request.bytes);
    const refused = this.#pending.enter(request, () => this.#answer(request));
    if (refused !== undefined) await this.#ports.send(refused, request.id);
  }

  /** An answer of a member. */
  async take(member: Member, answer: AnswerEnvelope): Promise<void> {
    const { id } = answer;
    if (!this.#pending.isOf(member, id)) return;
    await this.#end(id, await this.#inOurWords(member, answer));
  }

  /** Which request a message of a member is about; `undefined`: the AI app waits for none of this member. */
  aboutOf(member: Member, token?: unknown): string | undefined {
    return this.#pending.aboutOf(member, token);
  }

  /** The listing that asks all members now. */
  get listing(): string | undefined {
    return this.#pending.listing;
  }

  /** A resource of a member, as the AI app has asked to hear of it or else would read it. */
  updatedOf(member: Member, uri: string): string {
    return this.#subscribed.get(keyOf(member, uri)) ?? this.#ports.members.addresses.given(member, uri);
  }

  /** The program no longer waits: whose request that was. */
  cancel(id: string): Member | undefined {
    return this.#pending.end(id)?.member;
  }

  /** It has not left for the server. */
  async giveBack(id: string): Promise<void> {
    const pending = this.#pending.end(id);
    if (pending) await this.#ports.giveBack(pending.request.bytes);
  }

  /** Gives back what still comes. */
  rest(): void {
    this.#isResting = true;
  }

  /** These are members again, or still. */
  join(members: readonly Member[]): void {
    for (const { alias } of members) this.#gone.delete(alias);
  }

  /** It is no member any more: its requests are answered with that, and so are later ones. */
  async leave(member: Member): Promise<void> {
    this.#gone.set(member.alias, member.name);
    for (const request of this.#pending.of(member)) await this.#refuse(request, this.#goneError(member.name));
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

  /** A method of an extension, for the one member that can be meant. */
  async #other(request: RequestEnvelope): Promise<void> {
    const { id, method, params } = request;
    const [subject = ''] = method.split('/');
    await this.#ports.members.begin(this.#speaking);
    const { all } = this.#ports.members;
    const named = all.filter(({ extensions }) => extensions.some((each) => each.split('/').at(-1) === subject));
    const able = named.length > 0 ? named : all.filter(({ extensions }) => extensions.length > 0);
    // Its members stay as they are: of what an extension names nothing is known here.
    if (subject === 'tasks' || able.length === 0)
      return await this.#end(id, errorText(id, rpcCode.unknownMethod, 'Method not found'));
    if (typeof params['uri'] === 'string') return await this.#byUri(request, params['uri'], able);
    const [only] = able;
    if (only && able.length === 1) return await this.#pass(request, only, {});
    const text = `Several servers of this collection have this: ${able.map(({ alias }) => alias).join(', ')}.`;
    await this.#end(id, errorText(id, rpcCode.unknownMethod, text));
  }

  async #initialize(request: RequestEnvelope): Promise<void> {
    const { name, title, members } = this.#ports;
    const program = readProgram(request.params);
    const { capabilities } = request.params;
    const { roots, experimental } = isObject(capabilities) ? capabilities : {};
    // Members speak the revision of the AI app, so what only that one has arrives too.
    const more = { ...(isObject(roots) && { roots }), ...(isObject(experimental) && { experimental }) };
    this.#speaking = {
      ...this.#speaking,
      program: { ...program, capabilities: { ...program.capabilities, ...more } },
    };
    const known = await members.handshakes(this.#speaking);
    const serverInfo = { name: `${product.name}-${name}`, title, version: product.version };
    const result = { protocolVersion: program.revision, ...mergeHandshakes(known), serverInfo };
    await this.#end(request.id, resultText(request.id, result));
  }

  async #list(request: RequestEnvelope): Promise<void> {
    const { id, method, params } = request;
    if (!isList(method)) return;
    const { cursor } = params;
    const places = cursor === undefined ? undefined : readCursor(cursor);
    if (cursor !== undefined && !places)
      return await this.#end(id, errorText(id, rpcCode.wrongParameters, 'This cursor is none of this list.'));
    void this.#ports.onAsked();
    const { entries, next, leftOut } = await this.#ports.members.page(method, places, this.#speaking);
    // Some of it may not have left.
    if (this.#isResting) return await this.giveBack(id);
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
    if (typeof level !== 'string') return await this.#end(id, errorText(id, rpcCode.wrongParameters, 'No level.'));
    this.#speaking = { ...this.#speaking, logLevel: level };
    for (const member of this.#ports.members.all)
      if (member.can('logging')) void member.ask('logging/setLevel', { level });
    await this.#end(id, resultText(id, {}));
  }

  async #byName(list: 'tools/list' | 'prompts/list', request: RequestEnvelope, offered: unknown): Promise<void> {
    const found = await this.#ports.members.named(list, String(offered), this.#speaking);
    if (!found) return await this.#refuse(request, this.#unknown(list, offered));
    const ref = request.method === 'completion/complete' && request.params['ref'];
    const named = isObject(ref) ? { ref: { ...ref, name: found.name } } : { name: found.name };
    await this.#pass(request, found.member, named);
  }

  /** `able`: those that may be meant; left out: all. */
  async #byUri(request: RequestEnvelope, address: unknown, able?: readonly Member[]): Promise<void> {
    const { id, method } = request;
    const { members } = this.#ports;
    const isReference = method === 'completion/complete';
    const found =
      typeof address === 'string'
        ? await (isReference ? members.ofReference(address, this.#speaking) : members.ofUri(address, this.#speaking))
        : undefined;
    if (typeof address !== 'string' || !found || (found.kind === 'member' && able?.includes(found.member) === false))
      return await this.#end(
        id,
        errorText(id, rpcCode.unknownResource, 'No server of this collection has this resource.'),
      );
    if (found.kind === 'shared') return await this.#end(id, sharedText(id, address, found.members));
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

  /** An answer of a member with its addresses as the AI app gets them; as it came where it has none. */
  async #inOurWords(member: Member, answer: AnswerEnvelope): Promise<Buffer | string> {
    const { id, bytes } = answer;
    if (answer.hasError) return this.#ports.inError(member, answer);
    if (!mayHaveAddress(bytes)) return bytes;
    const { members } = this.#ports;
    await members.knowAddresses(this.#speaking, true);
    const result = exactMember(answer.bytes, 'result');
    const said = await members.addresses.resultInWords(member, result, this.#pending.askedIn(id));
    return said === result ? bytes : resultText(id, said);
  }

  async #pass(request: RequestEnvelope, member: Member, changed: JsonObject, asked?: AskedResource): Promise<void> {
    if (!this.#pending.giveTo(member, request, asked)) return;
    const isThere = await member.begin(this.#speaking);
    // It may have been cancelled meanwhile, or the member is gone.
    if (!this.#pending.has(request)) return;
    if (this.#isResting) return await this.giveBack(request.id);
    if (!isThere) return await this.#end(request.id, refusalOf(request.id, request.method, member.refusal));
    await member.receive(requestWith(request, request.id, changed));
    await this.#ports.onAsked(member);
  }

  #unknown(list: 'tools/list' | 'prompts/list', offered: unknown): PosternError {
    const gone = this.#gone.get(String(offered).split('_')[0] ?? '');
    if (gone !== undefined) return this.#goneError(gone);
    if (list === 'prompts/list') return new PosternError('PROMPT_NOT_FOUND', { stage: 'gateway' });
    const name = typeof offered === 'string' ? displayText(offered, 128) : '';
    return new PosternError('TOOL_NOT_FOUND', { stage: 'gateway', detail: name === '' ? {} : { name } });
  }

  #goneError(name: string): PosternError {
    return new PosternError('MEMBER_GONE', { stage: 'gateway', detail: { name } });
  }

  async #refuse(request: RequestEnvelope, error: PosternError): Promise<void> {
    await this.#end(request.id, refusalOf(request.id, request.method, this.#ports.refuse(error)));
  }

  /** Answers a request that has none yet. */
  async #end(id: string, text: Buffer | string): Promise<void> {
    if (this.#pending.end(id)) await this.#ports.send(text, id);
  }
}

function keyOf({ id }: Member, uri: string): string {
  return `${id} ${uri}`;
}

/** Nobody gets what could be another's: the AI app has to say whose it means. */
function sharedText(id: string, address: string, members: readonly Member[]): string {
  const whose = members.map(({ alias }) => alias);
  const text = `Several servers of this collection have this address: ${whose.join(', ')}. Use the one with the server in it.`;
  const addresses = members.map((member) => ownForm(member, address));
  return errorText(id, rpcCode.unknownResource, text, { 'dev.postern/addresses': addresses });
}

export interface AskedResource {
  readonly address: string;
  readonly uri: string;
}

/** A request of the program without an answer. */
interface Pending {
  readonly request: RequestEnvelope;
  /** Who answers it, once that is known. */
  member: Member | undefined;
  /** The resource that it is about, as the AI app and the member write it. */
  asked: AskedResource | undefined;
  readonly leave: () => void;
}

/** The requests of a program to a collection that are under way, by their ids. */
export class PendingRequests {
  readonly #places: Places;
  readonly #open = new Map<string, Pending>();

  constructor(budget: AppBudget) {
    this.#places = new Places(budget);
  }

  get isIdle(): boolean {
    return this.#open.size === 0;
  }

  /** Runs `work` in its turn. Answers what is said instead, as JSON text. */
  enter(request: RequestEnvelope, work: () => Promise<void>): string | undefined {
    const { id, bytes } = request;
    if (this.#open.has(idKey(id))) return errorText(id, rpcCode.notARequest, underWay);
    if (this.#places.isFullFor(bytes.byteLength)) return tooManyText(id);
    const place = this.#places.enter(bytes.byteLength);
    this.#open.set(idKey(id), { request, member: undefined, asked: undefined, leave: () => place.leave() });
    void place.take().then(work);
    return undefined;
  }

  /** Whether it has no answer yet. */
  has(request: RequestEnvelope): boolean {
    return this.#open.get(idKey(request.id))?.request === request;
  }

  /** Notes who answers it. Answers whether anybody waits for that. */
  giveTo(member: Member, request: RequestEnvelope, asked?: AskedResource): boolean {
    const pending = this.#open.get(idKey(request.id));
    if (pending?.request !== request) return false;
    pending.member = member;
    pending.asked = asked;
    return true;
  }

  /** Whether this member is to answer it. */
  isOf(member: Member, id: string): boolean {
    return this.#open.get(idKey(id))?.member === member;
  }

  /** Those that this member is to answer. */
  of(member: Member): readonly RequestEnvelope[] {
    return [...this.#open.values()].filter((pending) => pending.member === member).map(({ request }) => request);
  }

  /** The resource that this request is about. */
  askedIn(id: string): AskedResource | undefined {
    return this.#open.get(idKey(id))?.asked;
  }

  /** The last listing: it asks all members. */
  get listing(): string | undefined {
    return [...this.#open.values()].findLast(({ request }) => isList(request.method))?.request.id;
  }

  /**
   * The request that a message of a member is about, by its token for progress; `undefined`: the AI app waits for none
   * of this member, which then has nothing to say. Of anything else than progress a server does not say what it is
   * about; as a rule it is the one that came last.
   */
  aboutOf(member: Member, token: unknown): string | undefined {
    const isMeant = ({ params }: RequestEnvelope): boolean =>
      token === undefined || JSON.stringify(tokenOf(params)) === JSON.stringify(token);
    return this.of(member).findLast(isMeant)?.id;
  }

  /** It is over. Answers what it was; `undefined`: it was over before. */
  end(id: string): Omit<Pending, 'leave'> | undefined {
    const pending = this.#open.get(idKey(id));
    pending?.leave();
    this.#open.delete(idKey(id));
    return pending;
  }
}

function tokenOf({ _meta }: JsonObject): unknown {
  return isObject(_meta) ? _meta['progressToken'] : undefined;
}
