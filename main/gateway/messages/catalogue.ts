import type { UnusablePart } from '../../../shared/mcp-view.ts';
import type { CatalogueStore, KeptCatalogue } from '../../gateway-ports.ts';
import { catalogueEntries, catalogueKey, catalogueSize } from '../../limits.ts';
import { parseExactly } from '../../mcp/messages/exact-json.ts';
import { isObject, readEnvelope, statedRevision, withId } from './envelope.ts';
import type { AnswerEnvelope, JsonObject, RequestEnvelope } from './envelope.ts';

/**
 * What a program asks for when it starts, each with the member of its answer that the entries are in; all of it can be
 * answered from what the server said last time.
 */
const listings = {
  'tools/list': 'tools',
  'resources/list': 'resources',
  'resources/templates/list': 'resourceTemplates',
  'prompts/list': 'prompts',
} as const satisfies Record<string, UnusablePart['list']>;
type Listing = keyof typeof listings;

/** What programs are told when an earlier answer has changed. */
const changes: Readonly<Record<Listing, string>> = {
  'tools/list': 'notifications/tools/list_changed',
  'resources/list': 'notifications/resources/list_changed',
  'resources/templates/list': 'notifications/resources/list_changed',
  'prompts/list': 'notifications/prompts/list_changed',
};

export function isHandshake(method: string): boolean {
  return method === 'initialize' || method === 'server/discover';
}

function isListing(method: string): method is Listing {
  return Object.hasOwn(listings, method);
}

/** Whether an answer to this is kept for the next time. */
export function isCatalogued(method: string): boolean {
  return isHandshake(method) || isListing(method);
}

/** The notification that says that the answer to this has changed. */
export function changeOf(method: string): string | undefined {
  return isListing(method) ? changes[method] : undefined;
}

/** The same of several, each once. */
export function changesOf(methods: Iterable<string>): ReadonlySet<string> {
  return new Set([...methods].flatMap((method) => changeOf(method) ?? []));
}

/** `missing`: what the program does not get. */
interface LastPage {
  readonly answer: Buffer;
  readonly missing: UnusablePart;
}

/**
 * What one server last said of itself, for programs that start while it cannot be asked: they would drop a server that
 * fails then for as long as they run. Answers are kept as the text that came.
 */
export class Catalogue {
  readonly #id: string;
  readonly #store: CatalogueStore;
  readonly #ownerNow: () => string | undefined;
  #kept: { readonly owner: string; readonly entries: Promise<Map<string, string>> } | undefined;
  #writing: Promise<void> = Promise.resolve();

  /** `owner`: of the sign-in that the server answers; `undefined`: there is none. */
  constructor(id: string, store: CatalogueStore, owner: () => string | undefined) {
    this.#id = id;
    this.#store = store;
    this.#ownerNow = owner;
  }

  /** Told apart by it: to which sign-in the server says something now. */
  get owner(): string | undefined {
    return this.#ownerNow();
  }

  /** The earlier answer to the same question, with the id of this one. */
  async answer(request: RequestEnvelope): Promise<Buffer | undefined> {
    const kept = await this.#load();
    const text = kept.get(keyOf(request)) ?? olderHandshake(kept, request);
    return text === undefined ? undefined : givenAs(text, request);
  }

  /** What the server last answered to this, to whichever program. */
  async resultsOf(method: Listing): Promise<readonly JsonObject[]> {
    const kept = [...(await this.#load())].filter(([key]) => key.startsWith(`${method} `));
    return kept.flatMap(([, text]) => {
      const message = JSON.parse(text) as JsonObject;
      return isObject(message['result']) ? [message['result']] : [];
    });
  }

  /**
   * An empty last page in place of one that failed: the pages before it are as good. `owner`: when it was asked.
   * `undefined`: this asks for no page that the server has named. Never rejects.
   */
  async lastPage(request: RequestEnvelope, owner: string | undefined): Promise<LastPage | undefined> {
    const { method, params } = request;
    const { cursor } = params;
    if (!isListing(method) || typeof cursor !== 'string' || owner === undefined || owner !== this.owner)
      return undefined;
    const pages = await this.resultsOf(method);
    if (!pages.some(({ nextCursor }) => nextCursor === cursor)) return undefined;
    return { answer: emptyLastPage(request), missing: { list: listings[method], member: 'nextCursor' } };
  }

  /** `owner`: when it was asked. Never rejects: at worst it is not kept. */
  async keep(request: RequestEnvelope, answer: AnswerEnvelope, owner: string | undefined): Promise<void> {
    const kept = await this.#load();
    if (owner === undefined || owner !== this.owner) return;
    const key = keyOf(request);
    // No program has such a question, and a file with it could not be read again.
    if (key.length > catalogueKey) return;
    const text = asKept(answer);
    const before = kept.get(key);
    if (before === text) return;
    kept.set(key, text);
    // Later pages belong to the first one that was there with them.
    if (before !== undefined && request.params['cursor'] === undefined) forgetLaterPages(kept, request.method, key);
    while ((sizeOf(kept) > catalogueSize || kept.size > catalogueEntries) && kept.size > 0)
      kept.delete([...kept.keys()][0] ?? '');
    const catalogue: KeptCatalogue = { owner, entries: [...kept] };
    this.#writing = this.#writing.then(() => this.#store.write(this.#id, catalogue)).catch(() => {});
  }

  /** Resolves when all that was kept is written. */
  async settle(): Promise<void> {
    await this.#writing;
  }

  /** What was said to another sign-in is of no use any more. */
  forget(): void {
    this.#kept = undefined;
    this.#writing = this.#writing.then(() => this.#store.forget(this.#id));
  }

  /** Of the sign-in that there is now. */
  #load(): Promise<Map<string, string>> {
    const { owner } = this;
    if (owner === undefined) this.forget();
    else if (this.#kept?.owner !== owner) this.#kept = { owner, entries: this.#read(owner) };
    return this.#kept?.entries ?? Promise.resolve(new Map());
  }

  async #read(owner: string): Promise<Map<string, string>> {
    await this.#writing;
    const kept = await this.#store.read(this.#id);
    if (!kept) return new Map();
    if (kept.owner !== owner) {
      await this.#store.forget(this.#id);
      return new Map();
    }
    // A file can be damaged, and still be read.
    return new Map(kept.entries.filter(([, text]) => readEnvelope(Buffer.from(text)).kind === 'answer'));
  }
}

/** The answer to a request for one more page of a list: there is none, and some of the list is left out. */
export function emptyLastPage({ method, params, id }: RequestEnvelope): Buffer {
  const list = isListing(method) ? listings[method] : '';
  const hints = statedRevision(params) === undefined ? '' : '"resultType":"complete","ttlMs":0,"cacheScope":"private",';
  const result = `{${hints}"${list}":[],"_meta":{"dev.postern/left-out":{"rest":true}}}`;
  return Buffer.from(`{"jsonrpc":"2.0","id":${id},"result":${result}}`);
}

/** Whether a program that was `given` this in the server's place was told something else than what the server says. */
export function hasChanged(given: Buffer, request: RequestEnvelope, answer: AnswerEnvelope): boolean {
  return givenAs(asKept(answer), request)?.equals(given) !== true;
}

function asKept(answer: AnswerEnvelope): string {
  return withId(answer, '0').toString('utf8');
}

function givenAs(kept: string, request: RequestEnvelope): Buffer | undefined {
  const answer = readEnvelope(Buffer.from(withoutLifetime(kept)));
  return answer.kind === 'answer' ? withId(answer, request.id) : undefined;
}

/** Method, page and revision: a program of another one may be told something else. */
function keyOf({ method, params }: RequestEnvelope): string {
  const { cursor = '' } = params;
  return `${method} ${revisionOf(params)} ${method === 'initialize' ? '' : JSON.stringify(cursor)}`;
}

function revisionOf(params: JsonObject): string {
  const { protocolVersion } = params;
  return typeof protocolVersion === 'string' ? protocolVersion : (statedRevision(params) ?? 'legacy');
}

/** A server that was asked with another revision of the same era would most likely have taken this one too. */
function olderHandshake(kept: ReadonlyMap<string, string>, { method, params }: RequestEnvelope): string | undefined {
  if (method !== 'initialize' || typeof params['protocolVersion'] !== 'string') return undefined;
  const other = [...kept].find(([key]) => key.startsWith('initialize '));
  const answer: unknown = other && JSON.parse(other[1]);
  if (!isObject(answer) || !isObject(answer['result'])) return undefined;
  return JSON.stringify({ ...answer, result: { ...answer['result'], protocolVersion: params['protocolVersion'] } });
}

function forgetLaterPages(kept: Map<string, string>, method: string, first: string): void {
  const [, revision] = first.split(' ');
  for (const key of kept.keys()) if (key !== first && key.startsWith(`${method} ${revision} `)) kept.delete(key);
}

/** What is kept may be old already: a program that keeps it as well asks again at once (MCP 2026-07-28, caching). */
function withoutLifetime(text: string): string {
  if (!text.includes('"ttlMs"')) return text;
  const answer = parseExactly(text);
  if (!isObject(answer) || !isObject(answer['result']) || !('ttlMs' in answer['result'])) return text;
  return JSON.stringify({ ...answer, result: { ...answer['result'], ttlMs: 0 } });
}

function sizeOf(kept: ReadonlyMap<string, string>): number {
  let size = 0;
  for (const text of kept.values()) size += text.length;
  return size;
}
