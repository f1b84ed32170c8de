import { product } from '../../../shared/product.ts';
import type { Send } from '../../gateway-ports.ts';
import { PosternError } from '../../postern-error.ts';
import { errorText, refusalOf, resultText, rpcCode } from '../answers/answers.ts';
import type { Refusal } from '../answers/answers.ts';
import { readProgram } from '../bridge/both-eras.ts';
import { requestText } from '../bridge/message-texts.ts';
import { isObject } from '../messages/envelope.ts';
import type { AnswerEnvelope, JsonObject, RequestEnvelope } from '../messages/envelope.ts';
import type { Member, Speaking } from './member.ts';
import type { Members } from './members.ts';
import { PendingRequests } from './pending-requests.ts';
import { isList, lists, mergeHandshakes, paramsOf, readCursor, writeCursor } from './merged.ts';

export interface CollectionRequestsPorts {
  /** What the collection is called in entries, and by people. */
  readonly name: string;
  readonly title: string;
  readonly members: Members;
  /** To the program. `about`: the id of its request that this belongs to. */
  readonly send: (message: Buffer | string, about?: string) => Promise<void>;
  readonly giveBack: Send;
  /** What is said of a failure of the collection itself. */
  readonly refuse: (error: PosternError) => Refusal;
  /** An entry is left out of a list: another one has its name. */
  readonly onLeftOut: (entry: string) => void;
}

/** The requests of one program to a collection: each gets one answer, of one member or put together of those of all. */
export class CollectionRequests {
  readonly #ports: CollectionRequestsPorts;
  readonly #pending = new PendingRequests();
  /** Names of servers that were members in this session, by their aliases. */
  readonly #gone = new Map<string, string>();
  #isResting = false;
  #speaking: Speaking = { program: readProgram({}), logLevel: undefined };

  constructor(ports: CollectionRequestsPorts) {
    this.#ports = ports;
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
  async take(member: Member, { id, bytes }: AnswerEnvelope): Promise<void> {
    if (this.#pending.isOf(member, id)) await this.#end(id, bytes);
  }

  /** Which request a message of a member is about. */
  aboutOf(member: Member, token?: unknown): string | undefined {
    return this.#pending.aboutOf(member, token);
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
        await this.#end(id, errorText(id, rpcCode.unknownMethod, 'Method not found'));
    }
  }

  async #initialize(request: RequestEnvelope): Promise<void> {
    const { name, title, members } = this.#ports;
    const program = readProgram(request.params);
    this.#speaking = { ...this.#speaking, program };
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
    if (!found) return await this.#refuse(request, this.#unknown(offered));
    const params = paramsOf(request.bytes);
    const ref = request.method === 'completion/complete' && params['ref'];
    const named = isObject(ref) ? { ref: { ...ref, name: found.name } } : { name: found.name };
    await this.#pass(request, found.member, { ...params, ...named });
  }

  async #byUri(request: RequestEnvelope, uri: unknown): Promise<void> {
    const member = typeof uri === 'string' ? await this.#ports.members.ofUri(uri, this.#speaking) : undefined;
    if (member) return await this.#pass(request, member, paramsOf(request.bytes));
    const text = 'No server of this collection has this resource.';
    await this.#end(request.id, errorText(request.id, rpcCode.unknownResource, text));
  }

  async #pass(request: RequestEnvelope, member: Member, params: JsonObject): Promise<void> {
    if (!this.#pending.giveTo(member, request)) return;
    const isThere = await member.begin(this.#speaking);
    // It may have been cancelled meanwhile, or the member is gone.
    if (!this.#pending.has(request)) return;
    if (this.#isResting) return await this.giveBack(request.id);
    if (!isThere) return await this.#end(request.id, refusalOf(request.id, request.method, member.refusal));
    await member.receive(requestText(request.id, request.method, params));
  }

  #unknown(offered: unknown): PosternError {
    const name = this.#gone.get(String(offered).split('_')[0] ?? '');
    return name === undefined ? new PosternError('TOOL_NOT_FOUND', { stage: 'gateway' }) : this.#goneError(name);
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
