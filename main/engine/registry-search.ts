import { domainToASCII } from 'node:url';
import * as z from 'zod/mini';
import { officialRegistry } from '../../shared/choices.ts';
import type { RegistryRemote, RegistryServer } from '../../shared/list-calls.ts';
import { authorityOf } from '../../shared/web-address.ts';
import { atSameOrigin, checkAddress, createAddressPolicy } from '../address/check-address.ts';
import type { AddressPolicy, CheckedAddress } from '../address/check-address.ts';
import { displayPlace, displayText, isConfusableHost } from '../address/display-text.ts';
import { registrableDomain } from '../address/domain-owner.ts';
import { classifyHost } from '../address/host.ts';
import { parseAddress, parseInput } from '../address/parse-address.ts';
import { PosternError } from '../errors/postern-error.ts';
import { displayNameLength, urlLength } from '../limits.ts';
import type { Clock, Http, HttpResponse } from '../ports.ts';

interface FoundServers {
  readonly servers: RegistryServer[];
  /** Those without an address that could be used. */
  readonly leftOut: number;
  readonly isPartial: boolean;
  /** Of the oldest answer in it. */
  readonly askedAt: number;
}

interface KeptPage extends RegistryPage {
  readonly at: number;
  readonly etag?: string;
}

const stage = 'app';

/** Searches a registry when a person asks for it. Answers are kept in memory alone: on disk they would say who looked for what. */
export class RegistrySearch {
  readonly #http: Pick<Http, 'exchange'>;
  readonly #clock: Pick<Clock, 'now' | 'monotonic'>;
  readonly #kept = new Map<string, KeptPage>();

  constructor(http: Pick<Http, 'exchange'>, clock: Pick<Clock, 'now' | 'monotonic'>) {
    this.#http = http;
    this.#clock = clock;
  }

  forget(): void {
    this.#kept.clear();
  }

  /** Errors: REGISTRY_*, those of `Http.exchange`. */
  async search(registry: Registry, words: string, signal: AbortSignal): Promise<FoundServers> {
    const servers = new Map<string, RegistryServer | undefined>();
    const end = this.#clock.monotonic() + registrySearch.deadline;
    const followed = new Set<string>();
    let askedAt = this.#clock.now();
    let cursor: string | undefined;
    for (let pages = 0; pages < registrySearch.pages && usable(servers).length < registrySearch.shown; pages += 1) {
      const page = await this.#page(registry, { words, cursor, end, signal });
      askedAt = Math.min(askedAt, page.at);
      for (const server of page.servers)
        if (!servers.has(server.name)) servers.set(server.name, describeServer(server, registry));
      cursor = page.nextCursor;
      if (cursor === undefined) break;
      // One that leads back leads nowhere.
      if (followed.has(cursor)) {
        cursor = undefined;
        break;
      }
      followed.add(cursor);
    }
    const found = usable(servers);
    return {
      servers: found.slice(0, registrySearch.shown),
      leftOut: servers.size - found.length,
      isPartial: cursor !== undefined || found.length > registrySearch.shown,
      askedAt,
    };
  }

  async #page(
    registry: Registry,
    { words, cursor, end, signal }: { words: string; cursor: string | undefined; end: number; signal: AbortSignal },
  ): Promise<KeptPage> {
    const query = new URLSearchParams({ search: words, version: 'latest', limit: String(registrySearch.pageSize) });
    if (cursor !== undefined) query.set('cursor', cursor);
    const base = new URL(registry.address);
    const url = atSameOrigin(registry.address, `${base.pathname.replace(/\/$/u, '')}/v0.1/servers`, query.toString());
    const kept = this.#kept.get(url);
    if (kept && isFresh(kept, this.#clock.now())) return kept;
    const response = await this.#http.exchange({
      purpose: 'registry',
      stage,
      method: 'GET',
      url,
      headers: { accept: 'application/json', ...(kept?.etag && { 'if-none-match': kept.etag }) },
      policy: registry.policy,
      redirects: 'same-origin',
      deadline: Math.max(1, end - this.#clock.monotonic()),
      bodyLimit: registrySearch.bodyBytes,
      signal,
    });
    const page = kept && response.status === 304 ? kept : readAnswer(response, registry);
    const etag = readTag(response) ?? (page === kept ? kept?.etag : undefined);
    const { servers, nextCursor } = page;
    return this.#keep(url, {
      servers,
      ...(nextCursor !== undefined && { nextCursor }),
      ...(etag !== undefined && { etag }),
      at: this.#clock.now(),
    });
  }

  /** In the place of the one that was asked for longest ago, where there are too many. */
  #keep(url: string, page: KeptPage): KeptPage {
    this.#kept.delete(url);
    this.#kept.set(url, page);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > registrySearch.kept && oldest !== undefined) this.#kept.delete(oldest);
    return page;
  }
}

const usable = (servers: ReadonlyMap<string, RegistryServer | undefined>): RegistryServer[] =>
  [...servers.values()].filter((server) => server !== undefined);

/** A clock that was set back makes nothing fresh. */
const isFresh = ({ at }: KeptPage, now: number): boolean => now >= at && now - at < registrySearch.fresh;

/** Errors: REGISTRY_BUSY, REGISTRY_UNUSABLE. */
function readAnswer({ status, body }: HttpResponse, { place }: Registry): RegistryPage {
  const isBusy = status === 429 || status >= 500;
  if (isBusy || status !== 200)
    throw new PosternError(isBusy ? 'REGISTRY_BUSY' : 'REGISTRY_UNUSABLE', { stage, detail: { host: place, status } });
  const page = readPage(body);
  if (!page) throw new PosternError('REGISTRY_UNUSABLE', { stage, detail: { host: place } });
  return page;
}

function readTag({ headers }: HttpResponse): string | undefined {
  const tag = headers.get('etag') ?? '';
  return /^(?:W\/)?"[\x21\x23-\x7e]*"$/u.test(tag) && tag.length <= registrySearch.etag ? tag : undefined;
}

/** An entry as the window may show it; `undefined` where none of its addresses can be used. */
export function describeServer(published: PublishedServer, registry: Registry): RegistryServer | undefined {
  const { name } = published;
  const title = displayText(published.title ?? '', displayNameLength);
  const does = displayText(published.description ?? '', registryEntry.text);
  const remotes = published.remotes
    .slice(0, registryEntry.remotes)
    .flatMap((remote) => describeRemote(remote, name, registry) ?? [])
    // What can be used comes first.
    .toSorted((one, other) => rank(one) - rank(other));
  if (remotes.length === 0) return undefined;
  return { name, ...(title && isPlain(title) && { title }), ...(does && { does }), remotes };
}

const rank = ({ transport, blanks, headers }: RegistryRemote): number =>
  (transport === 'sse' ? 100 : 0) + blanks.length + headers.length;

/** By the rule for hosts: no word of it has letters that may be taken for others. */
function isPlain(title: string): boolean {
  return title
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .every((word) => !isConfusableHost(`${domainToASCII(word) || word}.com`));
}

/** A registry that may be asked. */
interface Registry {
  readonly address: CheckedAddress;
  readonly policy: AddressPolicy;
  /** As it is shown. */
  readonly place: string;
  /** The person named it: it may be in their own network, and so may what it lists. */
  readonly isOwn: boolean;
}

/** Errors: URL_*, HOST_BLOCKED. */
export function openRegistry(address: string): Registry {
  const isOwn = address !== officialRegistry;
  const policy = createAddressPolicy({ url: address, local: isOwn, allowedHosts: [], allowHttp: false });
  const url = parseInput(address);
  return { address: checkAddress(url, policy, 'address'), policy, place: displayPlace(url), isOwn };
}

type Blank = RegistryRemote['blanks'][number];

const placeholder = /\{(\w{1,64})\}/gu;
const transports: Readonly<Record<string, RegistryRemote['transport'] | undefined>> = {
  'streamable-http': 'http',
  sse: 'sse',
};

/**
 * One address of the server with that name; `undefined` where it is none that a registry may offer: another scheme or
 * transport, a host in the person's own network that a stranger names, more to fill in than anybody would.
 */
function describeRemote(published: unknown, name: string, registry: Registry): RegistryRemote | undefined {
  const remote = readRemote(published);
  const transport = remote && Object.hasOwn(transports, remote.type) ? transports[remote.type] : undefined;
  if (!remote || !transport) return undefined;
  const template = fillKnown(remote);
  if (template.length > urlLength.received) return undefined;
  const names = [...new Set([...template.matchAll(placeholder)].map(([, blank = '']) => blank))];
  // As it would be with each blank filled in: only the whole address can be judged.
  const url = parseOffered(template.replaceAll(placeholder, 'x'), registry);
  if (!url || names.length > registryEntry.blanks || !isFillable(template)) return undefined;
  return {
    url: names.length === 0 ? url.href : template,
    place: placeOf(template, url),
    transport,
    blanks: names.map((blank) => describeBlank(blank, inputOf(remote, blank))),
    headers: requiredHeaders(remote),
    isAtOwnDomain: isAtDomainOf(name, url),
  };
}

/** With the values that the publisher has set: those are for nobody to change. One that is too long makes it too long. */
function fillKnown(remote: PublishedRemote): string {
  return remote.url.replaceAll(
    placeholder,
    (blank, name: string) => inputOf(remote, name)?.value?.slice(0, urlLength.received + 1) ?? blank,
  );
}

function inputOf({ variables }: PublishedRemote, name: string): PublishedInput | undefined {
  return Object.hasOwn(variables, name) ? readInput(variables[name]) : undefined;
}

function parseOffered(address: string, registry: Registry): URL | undefined {
  try {
    const url = parseAddress(address, 'discovery');
    const kind = classifyHost(url.hostname);
    if (kind === 'forbidden') return undefined;
    const isInside = kind === 'loopback' || kind === 'private';
    if (isInside && !registry.isOwn) return undefined;
    return url.protocol === 'https:' || (kind === 'loopback' && registry.isOwn) ? url : undefined;
  } catch (error) {
    if (!(error instanceof PosternError)) throw error;
    return undefined;
  }
}

/**
 * Whoever reads the address knows whose it is: a blank is the whole host, or stands before the domain of an owner, and
 * nothing needs another form to be shown.
 */
function isFillable(template: string): boolean {
  if (!template.includes('{')) return true;
  const authority = authorityOf(template);
  const [, domain] = /\}\.([\w.-]+(?::\d+)?)$/u.exec(authority) ?? [];
  const isWhole = /^\{\w+\}(?::\d+)?$/u.test(authority);
  const isOwned = domain !== undefined && registrableDomain(domain.replace(/:\d+$/u, '')) !== undefined;
  return /^[!-~]+$/u.test(template) && (!authority.includes('{') || isWhole || isOwned);
}

function placeOf(template: string, url: URL): string {
  const authority = authorityOf(template);
  return authority.includes('{') ? authority : displayPlace(url);
}

function describeBlank(name: string, input: PublishedInput | undefined): Blank {
  const { description = '', default: byDefault, choices = [], isSecret = false } = input ?? {};
  const what = displayText(description, registryEntry.text);
  const usual = displayText(byDefault ?? '', displayNameLength);
  const offered = choices
    .slice(0, registryEntry.choices)
    .flatMap((choice) => (typeof choice === 'string' ? displayText(choice, displayNameLength) : []))
    .filter((choice, index, all) => choice !== '' && all.indexOf(choice) === index);
  return {
    name,
    ...(what && { what }),
    ...(usual && { usual }),
    ...(offered.length > 0 && { choices: offered }),
    isSecret,
  };
}

function requiredHeaders({ headers }: PublishedRemote): RegistryRemote['headers'] {
  return headers.slice(0, registryEntry.headers).flatMap((each) => {
    const { name = '', description = '', isRequired } = readInput(each) ?? {};
    if (isRequired !== true || !/^[\w!#$%&'*+.^`|~-]{1,128}$/u.test(name)) return [];
    const what = displayText(description, registryEntry.text);
    return [{ name, ...(what && { what }) }];
  });
}

/** A name `com.example/x` was given only to who holds example.com; that says nothing of any other domain. */
function isAtDomainOf(name: string, url: URL): boolean {
  const [reversed = ''] = name.split('/');
  const domain = registrableDomain(reversed.split('.').toReversed().join('.'));
  return domain !== undefined && domain === registrableDomain(url.hostname);
}

/** Bounds of one search of the MCP registry; `kept`: pages of answers, for `fresh` milliseconds without a question. */
const registrySearch = {
  words: 80,
  pages: 3,
  pageSize: 100,
  shown: 50,
  bodyBytes: 1_048_576,
  /** Milliseconds over all its pages. */
  deadline: 15_000,
  kept: 30,
  fresh: 3_600_000,
  cursor: 1_024,
  etag: 256,
} as const;

/** Of one entry of it: addresses, what is to be filled in, values to choose from; characters of each text. */
const registryEntry = { name: 200, remotes: 6, blanks: 8, choices: 40, headers: 8, text: 240 } as const;

/** A text that may be missing, and does not spoil its entry where it is something else. */
const text = z.catch(z.optional(z.string()), undefined);
const truth = z.catch(z.optional(z.boolean()), undefined);
const list = z.catch(z.array(z.unknown()), []);

/** What a person fills in: a part of an address, or the value of a header. */
const inputSchema = z.object({
  name: text,
  description: text,
  isRequired: truth,
  isSecret: truth,
  value: text,
  default: text,
  choices: list,
});

const remoteSchema = z.object({
  type: z.string(),
  url: z.string().check(z.maxLength(urlLength.received)),
  headers: list,
  variables: z.catch(z.record(z.string(), z.unknown()), {}),
});

/** A name is a reversed domain with one slash, in ASCII (server.json, 2025-12-11). */
const name = z.string().check(z.maxLength(registryEntry.name), z.regex(/^[A-Za-z0-9.-]+\/[A-Za-z0-9._-]+$/u));

const official = 'io.modelcontextprotocol.registry/official';
const publishedSchema = z.object({ status: text, isLatest: truth });

const entrySchema = z.object({
  server: z.object({ name, title: text, description: text, remotes: list }),
  /** Not every registry has it. */
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
 * One page of the list of servers (API v0.1). What one publisher put into an entry spoils that entry alone; deleted
 * and earlier versions are left out. `undefined`: this is no such page.
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

/** Depth needs no bound: what no schema names is not walked. */
function parseText(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return undefined;
  }
}
