import { domainToASCII } from 'node:url';
import type { RegistryServer, RegistryRemote } from '../../shared/registry-calls.ts';
import { atSameOrigin } from '../address/check-address.ts';
import type { Clock, Http, HttpResponse } from '../ports.ts';
import { PosternError } from '../postern-error.ts';
import type { Registry } from './open-registry.ts';
import { readPage } from './read-page.ts';
import type { RegistryPage, PublishedServer } from './read-page.ts';
import { registrySearch, registryEntry } from './registry-bounds.ts';
import { displayText } from '../address/display-text.ts';
import { isConfusableHost } from '../address/is-confusable-host.ts';
import { displayNameLength } from '../limits.ts';
import { describeRemote } from './describe-remote.ts';

export interface FoundServers {
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
