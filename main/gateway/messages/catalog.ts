// Cache of one server's handshake and lists, for apps that start while the server is unreachable.

import { isObject } from '../../../shared/json-object.ts';
import type { UnusablePart } from '../../../shared/mcp-view.ts';
import type { CatalogStore, CachedCatalog } from '../../gateway-ports.ts';
import { catalogEntries, catalogKeyLength, catalogLength } from '../../limits.ts';
import { parseExactly } from '../../mcp/messages/exact-json.ts';
import { readEnvelope, statedRevision, withId } from './envelope.ts';
import type { ResponseEnvelope, JsonObject, RequestEnvelope } from './envelope.ts';
import { isList, listMemberOf, lists } from './lists.ts';
import type { List } from './lists.ts';

export function isHandshake(method: string): boolean {
  return method === 'initialize' || method === 'server/discover';
}

/** Whether responses to this method are cached: handshakes and lists. */
export function isCacheable(method: string): boolean {
  return isHandshake(method) || isList(method);
}

/** `missing`: what the app does not receive, for the log. */
interface LastPage {
  readonly response: Buffer;
  readonly missing: UnusablePart;
}

/**
 * Last handshake and lists of one server, for apps that start while it is unreachable: until they restart, apps ignore
 * a server that fails at startup. Responses are stored as received.
 */
export class Catalog {
  readonly #id: string;
  readonly #store: CatalogStore;
  readonly #ownerNow: () => string | undefined;
  #cached: { readonly owner: string; readonly entries: Promise<Map<string, string>> } | undefined;
  #writing: Promise<void> = Promise.resolve();

  /** `owner`: fingerprint of the sign-in whose lists these are; `undefined`: there is none. */
  constructor(id: string, store: CatalogStore, owner: () => string | undefined) {
    this.#id = id;
    this.#store = store;
    this.#ownerNow = owner;
  }

  /** Fingerprint of the current sign-in. */
  get owner(): string | undefined {
    return this.#ownerNow();
  }

  /** The cached response to an equal request, with the id of this one. */
  async lookUp(request: RequestEnvelope): Promise<Buffer | undefined> {
    const cached = await this.#load();
    const text = cached.get(keyOf(request)) ?? cachedInitialize(cached, request);
    return text === undefined ? undefined : responseFor(text, request);
  }

  /** The server's last results for this method, for any app. */
  async resultsOf(method: List): Promise<readonly JsonObject[]> {
    const cached = [...(await this.#load())].filter(([key]) => key.startsWith(`${method} `));
    return cached.flatMap(([, text]) => {
      const message = JSON.parse(text) as JsonObject;
      return isObject(message['result']) ? [message['result']] : [];
    });
  }

  /**
   * An empty last page in place of one that failed, since the earlier pages are still good. `owner`: at the time of the
   * request. `undefined`: the cursor is not one that the server issued. Never rejects.
   */
  async lastPage(request: RequestEnvelope, owner: string | undefined): Promise<LastPage | undefined> {
    const { method, params } = request;
    const { cursor } = params;
    if (!isList(method) || typeof cursor !== 'string' || owner === undefined || owner !== this.owner) return undefined;
    const pages = await this.resultsOf(method);
    if (!pages.some(({ nextCursor }) => nextCursor === cursor)) return undefined;
    return { response: emptyLastPage(request), missing: { list: lists[method].member, member: 'nextCursor' } };
  }

  /** `owner`: at the time of the request. Never rejects: at worst nothing is stored. */
  async store(request: RequestEnvelope, response: ResponseEnvelope, owner: string | undefined): Promise<void> {
    const cached = await this.#load();
    if (owner === undefined || owner !== this.owner) return;
    const key = keyOf(request);
    // No real app sends a request this long, and the file could not be read again.
    if (key.length > catalogKeyLength) return;
    const text = storedForm(response);
    const before = cached.get(key);
    if (before === text) return;
    cached.set(key, text);
    // Later pages are valid only with the first page that they followed.
    if (before !== undefined && request.params['cursor'] === undefined) forgetLaterPages(cached, request.method, key);
    while ((sizeOf(cached) > catalogLength || cached.size > catalogEntries) && cached.size > 0)
      cached.delete([...cached.keys()][0] ?? '');
    const catalog: CachedCatalog = { owner, entries: [...cached] };
    this.#writing = this.#writing.then(() => this.#store.write(this.#id, catalog)).catch(() => {});
  }

  /** Resolves when everything is written. */
  async settle(): Promise<void> {
    await this.#writing;
  }

  /** Discards the lists, which belong to another sign-in. */
  forget(): void {
    this.#cached = undefined;
    this.#writing = this.#writing.then(() => this.#store.forget(this.#id));
  }

  /** Entries of the current sign-in. */
  #load(): Promise<Map<string, string>> {
    const { owner } = this;
    if (owner === undefined) this.forget();
    else if (this.#cached?.owner !== owner) this.#cached = { owner, entries: this.#read(owner) };
    return this.#cached?.entries ?? Promise.resolve(new Map());
  }

  async #read(owner: string): Promise<Map<string, string>> {
    await this.#writing;
    const cached = await this.#store.read(this.#id);
    if (!cached) return new Map();
    if (cached.owner !== owner) {
      await this.#store.forget(this.#id);
      return new Map();
    }
    // A damaged file may still be readable.
    return new Map(cached.entries.filter(([, text]) => readEnvelope(Buffer.from(text)).kind === 'response'));
  }
}

/** An empty last page: the rest of the list is left out. */
export function emptyLastPage({ method, params, id }: RequestEnvelope): Buffer {
  const list = listMemberOf(method) ?? '';
  const hints = statedRevision(params) === undefined ? '' : '"resultType":"complete","ttlMs":0,"cacheScope":"private",';
  const result = `{${hints}"${list}":[],"_meta":{"dev.postern/left-out":{"rest":true}}}`;
  return Buffer.from(`{"jsonrpc":"2.0","id":${id},"result":${result}}`);
}

/** Whether the `cached` response that an app received differs from the server's. */
export function differs(cached: Buffer, request: RequestEnvelope, response: ResponseEnvelope): boolean {
  return responseFor(storedForm(response), request)?.equals(cached) !== true;
}

function storedForm(response: ResponseEnvelope): string {
  return withId(response, '0').toString('utf8');
}

function responseFor(cached: string, request: RequestEnvelope): Buffer | undefined {
  const response = readEnvelope(Buffer.from(withoutLifetime(cached)));
  return response.kind === 'response' ? withId(response, request.id) : undefined;
}

/** Method, revision and cursor: a server may respond differently to another revision. */
function keyOf({ method, params }: RequestEnvelope): string {
  const { cursor = '' } = params;
  return `${method} ${revisionOf(params)} ${method === 'initialize' ? '' : JSON.stringify(cursor)}`;
}

function revisionOf(params: JsonObject): string {
  const { protocolVersion } = params;
  return typeof protocolVersion === 'string' ? protocolVersion : (statedRevision(params) ?? 'session');
}

/** A server that accepted another session revision most likely accepts this one too. */
function cachedInitialize(
  cached: ReadonlyMap<string, string>,
  { method, params }: RequestEnvelope,
): string | undefined {
  if (method !== 'initialize' || typeof params['protocolVersion'] !== 'string') return undefined;
  const handshake = [...cached].find(([key]) => key.startsWith('initialize '));
  const response: unknown = handshake && JSON.parse(handshake[1]);
  if (!isObject(response) || !isObject(response['result'])) return undefined;
  return JSON.stringify({ ...response, result: { ...response['result'], protocolVersion: params['protocolVersion'] } });
}

function forgetLaterPages(cached: Map<string, string>, method: string, first: string): void {
  const [, revision] = first.split(' ');
  for (const key of cached.keys()) if (key !== first && key.startsWith(`${method} ${revision} `)) cached.delete(key);
}

/** Sets `ttlMs` to 0: a cached response may be old, so the app must not cache it (MCP 2026-07-28, caching). */
function withoutLifetime(text: string): string {
  if (!text.includes('"ttlMs"')) return text;
  const response = parseExactly(text);
  if (!isObject(response) || !isObject(response['result']) || !('ttlMs' in response['result'])) return text;
  return JSON.stringify({ ...response, result: { ...response['result'], ttlMs: 0 } });
}

function sizeOf(cached: ReadonlyMap<string, string>): number {
  let size = 0;
  for (const text of cached.values()) size += text.length;
  return size;
}
