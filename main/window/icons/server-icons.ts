import { createHash } from 'node:crypto';
import type { AddressPolicy } from '../../address/check-address.ts';
import type { ServerAddress } from '../../engine/engine-ports.ts';
import { integrationPolicy } from '../../engine/records/integration-policy.ts';
import { PosternError } from '../../errors/postern-error.ts';
import type { Clock, Http, IntegrationStore, Log } from '../../ports.ts';
import type { IconDigests, IconStore, StoredIcons } from '../../window-ports.ts';
import { readPictureSize } from '../views/media-header.ts';
import { chooseIcons, iconBounds as bounds } from './choose-icons.ts';
import type { IconSource } from './choose-icons.ts';

interface Renewal {
  readonly ending: AbortController;
  /** Never rejects. */
  readonly ended: Promise<void>;
}

interface ServerIconsOptions {
  readonly http: Pick<Http, 'exchange'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
  readonly store: IconStore;
  readonly list: Pick<IntegrationStore, 'list' | 'pendingDeletions' | 'isListComplete'>;
  readonly onChange: () => void;
}

/** Server icons by URL: as listed at the last connection, validated, and cached in files. */
export class ServerIcons {
  readonly #options: ServerIconsOptions;
  /** By file key. */
  #digests: ReadonlyMap<string, IconDigests> = new Map();
  /** Digest of the icon list that each URL sent in this run. */
  readonly #requested = new Map<string, string>();
  /** Running fetches, by URL. */
  readonly #renewals = new Map<string, Renewal>();
  readonly #keys = new Map<string, string>();

  constructor(options: ServerIconsOptions) {
    this.#options = options;
  }

  /** Reads which icons are cached. Never rejects. */
  async load(): Promise<void> {
    this.#digests = await this.#options.store.list();
    if (this.#digests.size > 0) this.#options.onChange();
  }

  /** Digests of the current icons; `undefined` if there are none. */
  of(url: string): IconDigests | undefined {
    return this.#digests.get(this.#key(url));
  }

  /** The icon with that digest, in base64. */
  async read(url: string, mark: string): Promise<string | undefined> {
    const digests = this.of(url);
    if (!digests || (digests.light !== mark && digests.dark !== mark)) return undefined;
    const kept = await this.#options.store.read(this.#key(url));
    return kept && (digests.light === mark ? kept.light : kept.dark);
  }

  /** Called when a server sends its info. Fetches icons once per run, or if the list changed. Never throws. */
  onServerInfo({ url, options }: ServerAddress, icons: unknown): void {
    const chosen = chooseIcons(url, icons);
    const named = digest(JSON.stringify([chosen.light, chosen.dark].map((sources) => sources.map(nameOf))));
    if (this.#requested.get(url) === named) return;
    this.#requested.set(url, named);
    const failed = (error: unknown): void => {
      this.#options.log.write('icon-failed', { type: (error as Error | undefined)?.name });
    };
    const ending = new AbortController();
    const before = this.#renewals.get(url);
    before?.ending.abort();
    const renew = async (): Promise<void> => {
      await before?.ended;
      await this.#renew(url, named, chosen, integrationPolicy(url, options), ending.signal);
    };
    const ended = renew()
      .catch(failed)
      .finally(() => {
        if (this.#renewals.get(url)?.ending === ending) this.#renewals.delete(url);
      });
    this.#renewals.set(url, { ending, ended });
  }

  /** Aborts all fetches: nothing is written until a server sends its icons again. */
  async end(): Promise<void> {
    await this.#end([...this.#requested.keys()]);
  }

  /** Deletes icons of servers that are neither listed nor pending deletion. Never rejects. */
  async forgetOthers(): Promise<void> {
    const { list, store } = this.#options;
    try {
      const keys = await this.#listed();
      const gone = [...this.#requested.keys()].filter((url) => !keys.has(this.#key(url)));
      const isMarked = [...this.#digests.keys()].some((key) => !keys.has(key));
      if ((gone.length === 0 && !isMarked) || !(await list.isListComplete())) return;
      // An icon's digest is set only after it was written.
      await this.#end(gone);
      this.#digests = new Map([...this.#digests].filter(([key]) => keys.has(key)));
      await store.retain(keys);
    } catch {
      // Next time.
    }
  }

  /** File keys of servers that are listed or pending deletion. */
  async #listed(): Promise<ReadonlySet<string>> {
    const { list } = this.#options;
    const leaving = (await list.pendingDeletions()).map(({ integration }) => integration);
    return new Set([...leaving, ...(await list.list())].map(({ url }) => this.#key(url)));
  }

  async #end(urls: readonly string[]): Promise<void> {
    for (const url of urls) {
      this.#requested.delete(url);
      this.#renewals.get(url)?.ending.abort();
    }
    await Promise.all(urls.map(async (url) => await this.#renewals.get(url)?.ended));
  }

  async #renew(
    url: string,
    named: string,
    { light: forLight, dark: forDark }: ReturnType<typeof chooseIcons>,
    policy: ReturnType<typeof integrationPolicy>,
    signal: AbortSignal,
  ): Promise<void> {
    const { http, clock, store, onChange } = this.#options;
    const key = this.#key(url);
    const before = this.#digests.has(key) ? await store.read(key) : undefined;
    const now = clock.now();
    if (before?.named === named && now >= before.at && now - before.at < bounds.fresh) return;
    const light = await fetchIcon(http, policy, forLight, signal);
    const dark = isSame(forLight, forDark) ? light : await fetchIcon(http, policy, forDark, signal);
    const either = light ?? dark;
    // Keep the icon while a server is temporarily unreachable.
    if (!either && before?.named === named) return;
    const kept: StoredIcons | undefined = either && {
      named,
      at: now,
      light: (light ?? either).toString('base64'),
      dark: (dark ?? either).toString('base64'),
    };
    if (!(kept || before)) return;
    // A server may send its info after it was deleted, on a connection that was still open.
    const isListed = (await this.#listed()).has(key);
    if (signal.aborted) return;
    if (!isListed) return void this.#requested.delete(url);
    await store.write(key, kept && { kept, digests: digestsOf(kept) });
    // Copied now, because other fetches may have changed it meanwhile.
    const digests = new Map(this.#digests);
    if (kept) digests.set(key, digestsOf(kept));
    else digests.delete(key);
    this.#digests = digests;
    onChange();
  }

  #key(url: string): string {
    const known = this.#keys.get(url) ?? createHash('sha256').update(url).digest('hex').slice(0, 32);
    this.#keys.set(url, known);
    return known;
  }
}

function digestsOf({ light, dark }: Pick<StoredIcons, 'light' | 'dark'>): IconDigests {
  return { light: digest(light), dark: digest(dark) };
}

const nameOf = (source: IconSource): string => (source.kind === 'at' ? source.url : digest(source.bytes));

function isSame(one: readonly IconSource[], other: readonly IconSource[]): boolean {
  return one.length === other.length && one.every((source, index) => source === other[index]);
}

function digest(value: string | Buffer): string {
  return createHash('sha256').update(value).digest('hex').slice(0, 16);
}

const types: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/webp']);

/**
 * The first valid icon. Fetched without credentials, cookies or anything else that identifies the user, and from the
 * same origin only (MCP 2025-11-25, icons: "fetch icons without credentials", no redirect to another host).
 */
async function fetchIcon(
  http: Pick<Http, 'exchange'>,
  policy: AddressPolicy,
  sources: readonly IconSource[],
  signal: AbortSignal,
): Promise<Buffer | undefined> {
  for (const source of sources) {
    const found = source.kind === 'inside' ? readIcon(source.bytes) : await ask(http, policy, source.url, signal);
    if (found) return found;
  }
  return undefined;
}

async function ask(
  http: Pick<Http, 'exchange'>,
  policy: AddressPolicy,
  url: Extract<IconSource, { kind: 'at' }>['url'],
  signal: AbortSignal,
): Promise<Buffer | undefined> {
  try {
    const { status, headers, body } = await http.exchange({
      purpose: 'icon',
      stage: 'connection',
      method: 'GET',
      url,
      headers: { accept: 'image/png, image/webp, image/jpeg' },
      policy,
      redirects: 'same-origin',
      deadline: bounds.deadline,
      bodyLimit: bounds.bytes,
      signal,
    });
    return status === 200 ? readIcon(Buffer.from(body), headers.get('content-type')) : undefined;
  } catch (error) {
    // Without an icon, the window shows a letter.
    if (error instanceof PosternError) return undefined;
    throw error;
  }
}

/**
 * Accepts a PNG, JPEG or WebP by its magic bytes, with limited dimensions according to its header: a few kilobytes can
 * decode to gigabytes. Only the window decodes it, in its sandbox.
 */
function readIcon(bytes: Buffer, declared?: string | null): Buffer | undefined {
  if (bytes.length > bounds.bytes) return undefined;
  const size = readPictureSize(bytes);
  if (!size || !types.has(size.type) || size.width > bounds.side || size.height > bounds.side) return undefined;
  return isSameType(declared, size.type) ? bytes : undefined;
}

/** The declared type must match the content (MCP 2025-11-25, icons: a mismatch is rejected). */
function isSameType(declared: string | null | undefined, type: string): boolean {
  const said = declared?.split(';')[0]?.trim().toLowerCase() ?? '';
  const isSilent = said === '' || said === 'application/octet-stream' || said === 'binary/octet-stream';
  return isSilent || said === type || (said === 'image/jpg' && type === 'image/jpeg');
}
