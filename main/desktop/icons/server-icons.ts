import { createHash } from 'node:crypto';
import type { ServerAddress } from '../../integration/server-address.ts';
import { integrationPolicy } from '../../integration/kept/integration-policy.ts';
import { iconBounds as bounds } from './icon-bounds.ts';
import type { Clock, Http, IntegrationStore, Log } from '../../ports.ts';
import type { IconMarks, IconStore, KeptIcons } from '../../window-ports.ts';
import type { IconSource } from './choose-icons.ts';
import { chooseIcons } from './choose-icons.ts';
import { fetchIcon } from './fetch-icon.ts';

export interface ServerIconsOptions {
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
  readonly #keys = new Map<string, string>();

  constructor(options: ServerIconsOptions) {
    this.#options = options;
  }

  /** Reads which ones are kept. Never rejects. */
  async load(): Promise<void> {
    this.#marks = await this.#options.store.list();
    if (this.#marks.size > 0) this.#options.onChange();
  }

  /** What tells its pictures apart from those of before; `undefined`: it has none. */
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
    void this.#renew(url, named, chosen, integrationPolicy(url, options)).catch(failed);
  }

  /** Forgets those of servers that are not in the list, and cannot come back. Never rejects. */
  async forgetOthers(): Promise<void> {
    const { list, store } = this.#options;
    try {
      const leaving = (await list.pendingDeletions()).map(({ integration }) => integration);
      const keys = new Set([...leaving, ...(await list.list())].map(({ url }) => this.#key(url)));
      const isGone = [...this.#marks.keys()].some((key) => !keys.has(key));
      if (!isGone || !(await list.listIsWhole())) return;
      this.#marks = new Map([...this.#marks].filter(([key]) => keys.has(key)));
      for (const url of this.#asked.keys()) if (!keys.has(this.#key(url))) this.#asked.delete(url);
      await store.retain(keys);
    } catch {
      // Next time.
    }
  }

  async #renew(
    url: string,
    named: string,
    { light: forLight, dark: forDark }: ReturnType<typeof chooseIcons>,
    policy: ReturnType<typeof integrationPolicy>,
  ): Promise<void> {
    const { http, clock, store, onChange } = this.#options;
    const key = this.#key(url);
    const before = this.#marks.has(key) ? await store.read(key) : undefined;
    const now = clock.now();
    if (before?.named === named && now >= before.at && now - before.at < bounds.fresh) return;
    const light = await fetchIcon(http, policy, forLight);
    const dark = isSame(forLight, forDark) ? light : await fetchIcon(http, policy, forDark);
    const either = light ?? dark;
    // One that is away for a while keeps its face.
    if (!either && before?.named === named) return;
    const kept: KeptIcons | undefined = either && {
      named,
      at: now,
      light: (light ?? either).toString('base64'),
      dark: (dark ?? either).toString('base64'),
    };
    if (this.#asked.get(url) !== named || !(kept || before)) return;
    const marks = new Map(this.#marks);
    if (kept) marks.set(key, marksOf(kept));
    else marks.delete(key);
    await store.write(key, kept && { kept, marks: marksOf(kept) });
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
