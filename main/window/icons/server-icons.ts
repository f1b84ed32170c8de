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

interface IconFetch {
  readonly controller: AbortController;
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
  /** Digest of the icon list that each URL sent since Postern started. */
  readonly #listDigests = new Map<string, string>();
  /** Running fetches, by URL. */
  readonly #fetches = new Map<string, IconFetch>();
  readonly #fileKeys = new Map<string, string>();

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
    return this.#digests.get(this.#fileKey(url));
  }

  /** The icon with the digest `mark`, in base64. */
  async read(url: string, mark: string): Promise<string | undefined> {
    const digests = this.of(url);
    if (!digests || (digests.light !== mark && digests.dark !== mark)) return undefined;
    const icons = await this.#options.store.read(this.#fileKey(url));
    return icons && (digests.light === mark ? icons.light : icons.dark);
  }

  /** Called when a server sends its info. Fetches icons once per start, or if the list changed. Never throws. */
  onServerInfo({ url, options }: ServerAddress, icons: unknown): void {
    const chosen = chooseIcons(url, icons);
    const listDigest = digest(JSON.stringify([chosen.light, chosen.dark].map((sources) => sources.map(nameOf))));
    if (this.#listDigests.get(url) === listDigest) return;
    this.#listDigests.set(url, listDigest);
    const failed = (error: unknown): void => {
      this.#options.log.write('icon-failed', { type: (error as Error | undefined)?.name });
    };
    const controller = new AbortController();
    const before = this.#fetches.get(url);
    before?.controller.abort();
    const renew = async (): Promise<void> => {
      await before?.ended;
      await this.#fetch(url, listDigest, chosen, integrationPolicy(url, options), controller.signal);
    };
    const ended = renew()
      .catch(failed)
      .finally(() => {
        if (this.#fetches.get(url)?.controller === controller) this.#fetches.delete(url);
      });
    this.#fetches.set(url, { controller, ended });
  }

  /** Aborts all fetches: nothing is written until a server sends its icons again. */
  async end(): Promise<void> {
    await this.#end([...this.#listDigests.keys()]);
  }

  /** Deletes icons of servers that are neither listed nor pending deletion. Never rejects. */
  async removeUnlisted(): Promise<void> {
    const { list, store } = this.#options;
    try {
      const keys = await this.#listed();
      const unlistedUrls = [...this.#listDigests.keys()].filter((url) => !keys.has(this.#fileKey(url)));
      const hasUnlistedFile = [...this.#digests.keys()].some((key) => !keys.has(key));
      if ((unlistedUrls.length === 0 && !hasUnlistedFile) || !(await list.isListComplete())) return;
      // A digest is set only after its icon was written.
      await this.#end(unlistedUrls);
      this.#digests = new Map([...this.#digests].filter(([key]) => keys.has(key)));
      await store.retain(keys);
    } catch {
      // Next time.
    }
  }

  /** File keys of servers that are listed or pending deletion. */
  async #listed(): Promise<ReadonlySet<string>> {
    const { list } = this.#options;
    const pending = (await list.pendingDeletions()).map(({ integration }) => integration);
    return new Set([...pending, ...(await list.list())].map(({ url }) => this.#fileKey(url)));
  }

  async #end(urls: readonly string[]): Promise<void> {
    for (const url of urls) {
      this.#listDigests.delete(url);
      this.#fetches.get(url)?.controller.abort();
    }
    await Promise.all(urls.map(async (url) => await this.#fetches.get(url)?.ended));
  }

  async #fetch(
    url: string,
    listDigest: string,
    { light: forLight, dark: forDark }: ReturnType<typeof chooseIcons>,
    policy: ReturnType<typeof integrationPolicy>,
    signal: AbortSignal,
  ): Promise<void> {
    const { http, clock, store, onChange } = this.#options;
    const key = this.#fileKey(url);
    const before = this.#digests.has(key) ? await store.read(key) : undefined;
    const now = clock.now();
    if (before?.named === listDigest && now >= before.at && now - before.at < bounds.refetchAfter) return;
    const light = await fetchIcon(http, policy, forLight, signal);
    const dark = haveSameSources(forLight, forDark) ? light : await fetchIcon(http, policy, forDark, signal);
    const anyIcon = light ?? dark;
    // Keep the icon while a server is temporarily unreachable.
    if (!anyIcon && before?.named === listDigest) return;
    const icons: StoredIcons | undefined = anyIcon && {
      named: listDigest,
      at: now,
      light: (light ?? anyIcon).toString('base64'),
      dark: (dark ?? anyIcon).toString('base64'),
    };
    if (!(icons || before)) return;
    // A server may send its info after it was deleted, on a connection that was still open.
    const isListed = (await this.#listed()).has(key);
    if (signal.aborted) return;
    if (!isListed) return void this.#listDigests.delete(url);
    await store.write(key, icons && { original: icons, digests: digestsOf(icons) });
    // Copied here, after the awaits: other fetches may have changed it meanwhile.
    const digests = new Map(this.#digests);
    if (icons) digests.set(key, digestsOf(icons));
    else digests.delete(key);
    this.#digests = digests;
    onChange();
  }

  #fileKey(url: string): string {
    const known = this.#fileKeys.get(url) ?? createHash('sha256').update(url).digest('hex').slice(0, 32);
    this.#fileKeys.set(url, known);
    return known;
  }
}

function digestsOf({ light, dark }: Pick<StoredIcons, 'light' | 'dark'>): IconDigests {
  return { light: digest(light), dark: digest(dark) };
}

const nameOf = (source: IconSource): string => (source.kind === 'remote' ? source.url : digest(source.bytes));

function haveSameSources(left: readonly IconSource[], right: readonly IconSource[]): boolean {
  return left.length === right.length && left.every((source, index) => source === right[index]);
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
    const found = source.kind === 'inline' ? readIcon(source.bytes) : await fetchFrom(http, policy, source.url, signal);
    if (found) return found;
  }
  return undefined;
}

async function fetchFrom(
  http: Pick<Http, 'exchange'>,
  policy: AddressPolicy,
  url: Extract<IconSource, { kind: 'remote' }>['url'],
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
  const declaredType = declared?.split(';')[0]?.trim().toLowerCase() ?? '';
  const isUndeclared =
    declaredType === '' || declaredType === 'application/octet-stream' || declaredType === 'binary/octet-stream';
  return isUndeclared || declaredType === type || (declaredType === 'image/jpg' && type === 'image/jpeg');
}
