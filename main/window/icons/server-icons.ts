import { createHash } from 'node:crypto';
import type { AddressPolicy } from '../../address/check-address.ts';
import type { ServerAddress } from '../../engine/engine-ports.ts';
import { integrationPolicy } from '../../engine/kept/integration-policy.ts';
import { PosternError } from '../../errors/postern-error.ts';
import type { Clock, Http, IntegrationStore, Log } from '../../ports.ts';
import type { IconMarks, IconStore, KeptIcons } from '../../window-ports.ts';
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
  readonly list: Pick<IntegrationStore, 'list' | 'pendingDeletions' | 'listIsWhole'>;
  readonly onChange: () => void;
}

/** The pictures of servers, by address: as they were named at the last connection, checked, and kept as files. */
export class ServerIcons {
  readonly #options: ServerIconsOptions;
  /** By what their file is called. */
  #marks: ReadonlyMap<string, IconMarks> = new Map();
  /** What each address named in this run. */
  readonly #asked = new Map<string, string>();
  /** Those that are being asked for, by address. */
  readonly #renewals = new Map<string, Renewal>();
  readonly #keys = new Map<string, string>();

  constructor(options: ServerIconsOptions) {
    this.#options = options;
  }

  /** Reads which ones are kept. Never rejects. */
  async load(): Promise<void> {
    this.#marks = await this.#options.store.list();
    if (this.#marks.size > 0) this.#options.onChange();
  }

  /** What tells its pictures from earlier ones; `undefined`: it has none. */
  of(url: string): IconMarks | undefined {
    return this.#marks.get(this.#key(url));
  }

  /** The picture of that mark, in base64. */
  async read(url: string, mark: string): Promise<string | undefined> {
    const marks = this.of(url);
    if (!marks || (marks.light !== mark && marks.dark !== mark)) return undefined;
    const kept = await this.#options.store.read(this.#key(url));
    return kept && (marks.light === mark ? kept.light : kept.dark);
  }

  /** A server has said who it is. Its pictures are asked for once a run, or when it names others. Never rejects. */
  greeted({ url, options }: ServerAddress, icons: unknown): void {
    const chosen = chooseIcons(url, icons);
    const named = digest(JSON.stringify([chosen.light, chosen.dark].map((sources) => sources.map(nameOf))));
    if (this.#asked.get(url) === named) return;
    this.#asked.set(url, named);
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

  /** Ends what is being asked for: nothing is written any more until a server names its pictures again. */
  async end(): Promise<void> {
    await this.#end([...this.#asked.keys()]);
  }

  /** Forgets those of servers that are not in the list, and cannot come back. Never rejects. */
  async forgetOthers(): Promise<void> {
    const { list, store } = this.#options;
    try {
      const keys = await this.#listed();
      const gone = [...this.#asked.keys()].filter((url) => !keys.has(this.#key(url)));
      const isMarked = [...this.#marks.keys()].some((key) => !keys.has(key));
      if ((gone.length === 0 && !isMarked) || !(await list.listIsWhole())) return;
      // A picture gets its mark only once it has been written.
      await this.#end(gone);
      this.#marks = new Map([...this.#marks].filter(([key]) => keys.has(key)));
      await store.retain(keys);
    } catch {
      // Next time.
    }
  }

  /** What the files of those are called that are in the list, or can come back to it. */
  async #listed(): Promise<ReadonlySet<string>> {
    const { list } = this.#options;
    const leaving = (await list.pendingDeletions()).map(({ integration }) => integration);
    return new Set([...leaving, ...(await list.list())].map(({ url }) => this.#key(url)));
  }

  async #end(urls: readonly string[]): Promise<void> {
    for (const url of urls) {
      this.#asked.delete(url);
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
    const before = this.#marks.has(key) ? await store.read(key) : undefined;
    const now = clock.now();
    if (before?.named === named && now >= before.at && now - before.at < bounds.fresh) return;
    const light = await fetchIcon(http, policy, forLight, signal);
    const dark = isSame(forLight, forDark) ? light : await fetchIcon(http, policy, forDark, signal);
    const either = light ?? dark;
    // A server that is away for a while keeps its picture.
    if (!either && before?.named === named) return;
    const kept: KeptIcons | undefined = either && {
      named,
      at: now,
      light: (light ?? either).toString('base64'),
      dark: (dark ?? either).toString('base64'),
    };
    if (!(kept || before)) return;
    // A connection that was open when its server was deleted may greet afterwards.
    const isListed = (await this.#listed()).has(key);
    if (signal.aborted) return;
    if (!isListed) return void this.#asked.delete(url);
    await store.write(key, kept && { kept, marks: marksOf(kept) });
    // Others have changed them meanwhile.
    const marks = new Map(this.#marks);
    if (kept) marks.set(key, marksOf(kept));
    else marks.delete(key);
    this.#marks = marks;
    onChange();
  }

  #key(url: string): string {
    const known = this.#keys.get(url) ?? createHash('sha256').update(url).digest('hex').slice(0, 32);
    this.#keys.set(url, known);
    return known;
  }
}

function marksOf({ light, dark }: Pick<KeptIcons, 'light' | 'dark'>): IconMarks {
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
 * The first of these that may be drawn. Asked for without a credential, a cookie or anything else that tells who asks,
 * and within the origin (MCP 2025-11-25, icons: "fetch icons without credentials", no redirect to another host).
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
    // Without a picture the window draws a letter.
    if (error instanceof PosternError) return undefined;
    throw error;
  }
}

/**
 * A picture that may be drawn: a PNG, JPEG or WebP by its first bytes, of a bounded number of pixels by what it says of
 * itself, since a few kilobytes can stand for gigabytes. Nobody has decoded it: the window does, in its sandbox.
 */
function readIcon(bytes: Buffer, declared?: string | null): Buffer | undefined {
  if (bytes.length > bounds.bytes) return undefined;
  const size = readPictureSize(bytes);
  if (!size || !types.has(size.type) || size.width > bounds.side || size.height > bounds.side) return undefined;
  return isSameType(declared, size.type) ? bytes : undefined;
}

/** What the server says of its type has to be so (MCP 2025-11-25, icons: a mismatch is rejected). */
function isSameType(declared: string | null | undefined, type: string): boolean {
  const said = declared?.split(';')[0]?.trim().toLowerCase() ?? '';
  const isSilent = said === '' || said === 'application/octet-stream' || said === 'binary/octet-stream';
  return isSilent || said === type || (said === 'image/jpg' && type === 'image/jpeg');
}
