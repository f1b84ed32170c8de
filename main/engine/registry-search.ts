import { domainToASCII } from 'node:url';
import * as z from 'zod/mini';
import { officialRegistry } from '../../shared/choices.ts';
import type { RegistryRemote, RegistryServer } from '../../shared/list-calls.ts';
import { authorityOf } from '../../shared/web-address.ts';
import { atSameOrigin, checkAddress, createAddressPolicy } from '../address/check-address.ts';
import type { AddressPolicy, CheckedAddress } from '../address/check-address.ts';
import { displayHostAndPort, displayText, isConfusableHost } from '../address/display-text.ts';
import { registrableDomain } from '../address/domain-owner.ts';
import { classifyHost } from '../address/host.ts';
import { parseAddress, parseInput } from '../address/parse-address.ts';
import { PosternError } from '../errors/postern-error.ts';
import { displayNameLength, urlLength } from '../limits.ts';
import type { Clock, Http, HttpResponse } from '../ports.ts';

interface RegistrySearchResult {
  readonly servers: RegistryServer[];
  /** How many have no usable address. */
  readonly leftOut: number;
  readonly isPartial: boolean;
  /** Time of the oldest response in it, in milliseconds since 1970. */
  readonly askedAt: number;
}

interface CachedPage extends RegistryPage {
  readonly at: number;
  readonly etag?: string;
}

const stage = 'postern';

/**
 * Searches an MCP registry on the user's request. Responses are cached in memory only: on disk they would reveal what
 * the user searched for.
 */
export class RegistrySearch {
  readonly #http: Pick<Http, 'exchange'>;
  readonly #clock: Pick<Clock, 'now' | 'monotonic'>;
  readonly #cache = new Map<string, CachedPage>();

  constructor(http: Pick<Http, 'exchange'>, clock: Pick<Clock, 'now' | 'monotonic'>) {
    this.#http = http;
    this.#clock = clock;
  }

  forget(): void {
    this.#cache.clear();
  }

  /** Errors: REGISTRY_*, those of `Http.exchange`. */
  async search(registry: Registry, words: string, signal: AbortSignal): Promise<RegistrySearchResult> {
    const servers = new Map<string, RegistryServer | undefined>();
    const end = this.#clock.monotonic() + registrySearch.deadline;
    const seenCursors = new Set<string>();
    let askedAt = this.#clock.now();
    let cursor: string | undefined;
    for (let pages = 0; pages < registrySearch.pages && usable(servers).length < registrySearch.results; pages += 1) {
      const page = await this.#page(registry, { words, cursor, end, signal });
      askedAt = Math.min(askedAt, page.at);
      for (const server of page.servers)
        if (!servers.has(server.name)) servers.set(server.name, describeServer(server, registry));
      cursor = page.nextCursor;
      if (cursor === undefined) break;
      // A cursor seen before would loop forever.
      if (seenCursors.has(cursor)) {
        cursor = undefined;
        break;
      }
      seenCursors.add(cursor);
    }
    const found = usable(servers);
    return {
      servers: found.slice(0, registrySearch.results),
      leftOut: servers.size - found.length,
      isPartial: cursor !== undefined || found.length > registrySearch.results,
      askedAt,
    };
  }

  async #page(
    registry: Registry,
    { words, cursor, end, signal }: { words: string; cursor: string | undefined; end: number; signal: AbortSignal },
  ): Promise<CachedPage> {
    const query = new URLSearchParams({ search: words, version: 'latest', limit: String(registrySearch.pageSize) });
    if (cursor !== undefined) query.set('cursor', cursor);
    const base = new URL(registry.address);
    const url = atSameOrigin(registry.address, `${base.pathname.replace(/\/$/u, '')}/v0.1/servers`, query.toString());
    const cached = this.#cache.get(url);
    if (cached && isFresh(cached, this.#clock.now())) return cached;
    const response = await this.#http.exchange({
      purpose: 'registry',
      stage,
      method: 'GET',
      url,
      headers: { accept: 'application/json', ...(cached?.etag && { 'if-none-match': cached.etag }) },
      policy: registry.policy,
      redirects: 'same-origin',
      deadline: Math.max(1, end - this.#clock.monotonic()),
      bodyLimit: registrySearch.bodyBytes,
      signal,
    });
    const page = cached && response.status === 304 ? cached : readResponse(response, registry);
    const etag = readTag(response) ?? (page === cached ? cached?.etag : undefined);
    const { servers, nextCursor } = page;
    return this.#store(url, {
      servers,
      ...(nextCursor !== undefined && { nextCursor }),
      ...(etag !== undefined && { etag }),
      at: this.#clock.now(),
    });
  }

  /** Evicts the oldest page when the cache is full. */
  #store(url: string, page: CachedPage): CachedPage {
    this.#cache.delete(url);
    this.#cache.set(url, page);
    const [oldest] = this.#cache.keys();
    if (this.#cache.size > registrySearch.cachedPages && oldest !== undefined) this.#cache.delete(oldest);
    return page;
  }
}

const usable = (servers: ReadonlyMap<string, RegistryServer | undefined>): RegistryServer[] =>
  [...servers.values()].filter((server) => server !== undefined);

/** A page from the future is stale, since the clock was set back. */
const isFresh = ({ at }: CachedPage, now: number): boolean => now >= at && now - at < registrySearch.fresh;

/** Errors: REGISTRY_BUSY, REGISTRY_UNUSABLE. */
function readResponse({ status, body }: HttpResponse, { host }: Registry): RegistryPage {
  const isBusy = status === 429 || status >= 500;
  if (isBusy || status !== 200)
    throw new PosternError(isBusy ? 'REGISTRY_BUSY' : 'REGISTRY_UNUSABLE', { stage, detail: { host, status } });
  const page = readPage(body);
  if (!page) throw new PosternError('REGISTRY_UNUSABLE', { stage, detail: { host } });
  return page;
}

function readTag({ headers }: HttpResponse): string | undefined {
  const tag = headers.get('etag') ?? '';
  return /^(?:W\/)?"[\x21\x23-\x7e]*"$/u.test(tag) && tag.length <= registrySearch.etag ? tag : undefined;
}

/** A registry entry for display; `undefined` if none of its addresses is usable. */
export function describeServer(published: PublishedServer, registry: Registry): RegistryServer | undefined {
  const { name } = published;
  const title = displayText(published.title ?? '', displayNameLength);
  const does = displayText(published.description ?? '', registryEntry.text);
  const remotes = published.remotes
    .slice(0, registryEntry.remotes)
    .flatMap((remote) => describeRemote(remote, name, registry) ?? [])
    // Streamable HTTP with the fewest blanks and headers first.
    .toSorted((one, other) => rank(one) - rank(other));
  if (remotes.length === 0) return undefined;
  return { name, ...(title && isPlain(title) && { title }), ...(does && { does }), remotes };
}

const rank = ({ transport, blanks, headers }: RegistryRemote): number =>
  (transport === 'sse' ? 100 : 0) + blanks.length + headers.length;

/** True if no word has confusable letters, by the rule for hosts. */
function isPlain(title: string): boolean {
  return title
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .every((word) => !isConfusableHost(`${domainToASCII(word) || word}.com`));
}

/** A registry that may be searched. */
interface Registry {
  readonly address: CheckedAddress;
  readonly policy: AddressPolicy;
  /** For display. */
  readonly host: string;
  /** The user configured it: it may be in their own network, and so may the servers it lists. */
  readonly isCustom: boolean;
}

/** Errors: URL_*, HOST_BLOCKED. */
export function openRegistry(address: string): Registry {
  const isCustom = address !== officialRegistry;
  const policy = createAddressPolicy({ url: address, local: isCustom, allowedHosts: [], allowHttp: false });
  const url = parseInput(address);
  return { address: checkAddress(url, policy, 'address'), policy, host: displayHostAndPort(url), isCustom };
}

type Blank = RegistryRemote['blanks'][number];

const placeholder = /\{(\w{1,64})\}/gu;
const transports: Readonly<Record<string, RegistryRemote['transport'] | undefined>> = {
  'streamable-http': 'http',
  sse: 'sse',
};

/**
 * One address of a server; `undefined` if a registry may not list it: another scheme or transport, a host in the user's
 * own network named by a public registry, or more blanks than anyone would fill in.
 */
function describeRemote(published: unknown, name: string, registry: Registry): RegistryRemote | undefined {
  const remote = readRemote(published);
  const transport = remote && Object.hasOwn(transports, remote.type) ? transports[remote.type] : undefined;
  if (!remote || !transport) return undefined;
  const template = fillKnown(remote);
  if (template.length > urlLength.received) return undefined;
  const names = [...new Set([...template.matchAll(placeholder)].map(([, blank = '']) => blank))];
  // Every blank gets a sample value: only a whole address can be checked.
  const url = parseListed(template.replaceAll(placeholder, 'x'), registry);
  if (!url || names.length > registryEntry.blanks || !isFillable(template)) return undefined;
  return {
    url: names.length === 0 ? url.href : template,
    place: displayAddress(template, url),
    transport,
    blanks: names.map((blank) => describeBlank(blank, inputOf(remote, blank))),
    headers: requiredHeaders(remote),
    isAtOwnDomain: isAtDomainOf(name, url),
  };
}

/**
 * Fills in values fixed by the publisher, which the user cannot change. An overlong value makes the address overlong.
 */
function fillKnown(remote: PublishedRemote): string {
  return remote.url.replaceAll(
    placeholder,
    (blank, name: string) => inputOf(remote, name)?.value?.slice(0, urlLength.received + 1) ?? blank,
  );
}

function inputOf({ variables }: PublishedRemote, name: string): PublishedInput | undefined {
  return Object.hasOwn(variables, name) ? readInput(variables[name]) : undefined;
}

function parseListed(address: string, registry: Registry): URL | undefined {
  try {
    const url = parseAddress(address, 'discovery');
    const kind = classifyHost(url.hostname);
    if (kind === 'forbidden') return undefined;
    const isInside = kind === 'loopback' || kind === 'private';
    if (isInside && !registry.isCustom) return undefined;
    return url.protocol === 'https:' || (kind === 'loopback' && registry.isCustom) ? url : undefined;
  } catch (error) {
    if (!(error instanceof PosternError)) throw error;
    return undefined;
  }
}

/**
 * True if the address shows who owns it: a blank is the whole host or comes before a registrable domain, and all
 * characters can be displayed as they are.
 */
function isFillable(template: string): boolean {
  if (!template.includes('{')) return true;
  const authority = authorityOf(template);
  const [, domain] = /\}\.([\w.-]+(?::\d+)?)$/u.exec(authority) ?? [];
  const isWhole = /^\{\w+\}(?::\d+)?$/u.test(authority);
  const isOwned = domain !== undefined && registrableDomain(domain.replace(/:\d+$/u, '')) !== undefined;
  return /^[!-~]+$/u.test(template) && (!authority.includes('{') || isWhole || isOwned);
}

function displayAddress(template: string, url: URL): string {
  const authority = authorityOf(template);
  return authority.includes('{') ? authority : displayHostAndPort(url);
}

function describeBlank(name: string, input: PublishedInput | undefined): Blank {
  const { description = '', default: defaultValue, choices = [], isSecret = false } = input ?? {};
  const label = displayText(description, registryEntry.text);
  const usual = displayText(defaultValue ?? '', displayNameLength);
  const uniqueChoices = choices
    .slice(0, registryEntry.choices)
    .flatMap((choice) => (typeof choice === 'string' ? displayText(choice, displayNameLength) : []))
    .filter((choice, index, all) => choice !== '' && all.indexOf(choice) === index);
  return {
    name,
    ...(label && { what: label }),
    ...(usual && { usual }),
    ...(uniqueChoices.length > 0 && { choices: uniqueChoices }),
    isSecret,
  };
}

function requiredHeaders({ headers }: PublishedRemote): RegistryRemote['headers'] {
  return headers.slice(0, registryEntry.headers).flatMap((each) => {
    const { name = '', description = '', isRequired } = readInput(each) ?? {};
    if (isRequired !== true || !/^[\w!#$%&'*+.^`|~-]{1,128}$/u.test(name)) return [];
    const label = displayText(description, registryEntry.text);
    return [{ name, ...(label && { what: label }) }];
  });
}

/** A name `com.example/x` is issued only to the owner of example.com, which proves nothing about other domains. */
function isAtDomainOf(name: string, url: URL): boolean {
  const [reversed = ''] = name.split('/');
  const domain = registrableDomain(reversed.split('.').toReversed().join('.'));
  return domain !== undefined && domain === registrableDomain(url.hostname);
}

/** Bounds of one registry search. `cachedPages` are used for `fresh` milliseconds without a request. */
const registrySearch = {
  words: 80,
  pages: 3,
  pageSize: 100,
  results: 50,
  bodyBytes: 1_048_576,
  /** Milliseconds for all pages. */
  deadline: 15_000,
  cachedPages: 30,
  fresh: 3_600_000,
  cursor: 1_024,
  etag: 256,
} as const;

/** Bounds of one entry: addresses, blanks, choices, headers; characters of each text. */
const registryEntry = { name: 200, remotes: 6, blanks: 8, choices: 40, headers: 8, text: 240 } as const;

/** An optional text. A value of another type does not invalidate its entry. */
const optionalText = z.catch(z.optional(z.string()), undefined);
const optionalBoolean = z.catch(z.optional(z.boolean()), undefined);
const optionalList = z.catch(z.array(z.unknown()), []);

/** What the user fills in: part of an address, or a header value. */
const inputSchema = z.object({
  name: optionalText,
  description: optionalText,
  isRequired: optionalBoolean,
  isSecret: optionalBoolean,
  value: optionalText,
  default: optionalText,
  choices: optionalList,
});

const remoteSchema = z.object({
  type: z.string(),
  url: z.string().check(z.maxLength(urlLength.received)),
  headers: optionalList,
  variables: z.catch(z.record(z.string(), z.unknown()), {}),
});

/** A name is a reversed domain with one slash, in ASCII (server.json, 2025-12-11). */
const name = z.string().check(z.maxLength(registryEntry.name), z.regex(/^[A-Za-z0-9.-]+\/[A-Za-z0-9._-]+$/u));

const official = 'io.modelcontextprotocol.registry/official';
const publishedSchema = z.object({ status: optionalText, isLatest: optionalBoolean });

const entrySchema = z.object({
  server: z.object({ name, title: optionalText, description: optionalText, remotes: optionalList }),
  /** Optional in other registries. */
  _meta: z.catch(z.optional(z.object({ [official]: z.catch(z.optional(publishedSchema), undefined) })), undefined),
});

const pageSchema = z.object({
  servers: z.array(z.unknown()),
  metadata: z.catch(
    z.optional(
      z.object({ nextCursor: z.catch(z.optional(z.string().check(z.maxLength(registrySearch.cursor))), undefined) }),
    ),
    undefined,
  ),
});

type PublishedServer = z.infer<typeof entrySchema>['server'];
type PublishedRemote = z.infer<typeof remoteSchema>;
type PublishedInput = z.infer<typeof inputSchema>;

interface RegistryPage {
  readonly servers: readonly PublishedServer[];
  readonly nextCursor?: string;
}

/**
 * One page of the server list (API v0.1). An invalid entry is skipped; deleted and earlier versions are left out.
 * `undefined`: not such a page.
 */
function readPage(body: Uint8Array): RegistryPage | undefined {
  const page = pageSchema.safeParse(parseText(body));
  if (!page.success) return undefined;
  const entries = page.data.servers.slice(0, registrySearch.pageSize).flatMap((each) => {
    const entry = entrySchema.safeParse(each);
    return entry.success ? [entry.data] : [];
  });
  const nextCursor = page.data.metadata?.nextCursor;
  return { servers: entries.filter(isCurrent).map(({ server }) => server), ...(nextCursor && { nextCursor }) };
}

const readRemote = (value: unknown): PublishedRemote | undefined => remoteSchema.safeParse(value).data;
const readInput = (value: unknown): PublishedInput | undefined => inputSchema.safeParse(value).data;

function isCurrent({ _meta }: z.infer<typeof entrySchema>): boolean {
  const { status = 'active', isLatest = true } = _meta?.[official] ?? {};
  return status === 'active' && isLatest;
}

/** Depth needs no limit: members that no schema names are not walked. */
function parseText(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return undefined;
  }
}
