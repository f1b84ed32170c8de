import type { Clock } from '../../ports.ts';
import { changeOf } from '../messages/catalogue.ts';
import type { JsonObject } from '../messages/envelope.ts';
import { inTime } from './in-time.ts';
import type { Member, Speaking } from './member.ts';
import { entriesOf, fitsTemplate, lists } from './merged.ts';
import type { List, Places } from './merged.ts';
import { offeredName, readOfferedName } from './offered-name.ts';

export interface MembersPorts {
  readonly clock: Pick<Clock, 'after'>;
  /** Told that a list is another one now. Never rejects. */
  readonly onChange: (notification: string) => Promise<void>;
}

/** One entry of a list of the collection: whose it is, and what it is called there. */
interface Offer {
  readonly member: string;
  readonly name: string;
}

/** One page of a list of all members. */
export interface MergedPage {
  readonly entries: readonly JsonObject[];
  readonly next: Places;
  /** What another entry of the same name keeps out: alias and name. */
  readonly leftOut: readonly string[];
}

interface Page {
  readonly entries: readonly JsonObject[];
  readonly nextCursor: string | undefined;
}

/** The members of a collection in their order, and what they offer. */
export class Members {
  readonly #ports: MembersPorts;
  #all: readonly Member[] = [];
  readonly #offers: Readonly<Record<List, Map<string, Offer>>> = {
    'tools/list': new Map(),
    'prompts/list': new Map(),
    'resources/list': new Map(),
    'resources/templates/list': new Map(),
  };

  constructor(ports: MembersPorts) {
    this.#ports = ports;
  }

  get all(): readonly Member[] {
    return this.#all;
  }

  set(members: readonly Member[]): void {
    this.#all = members;
  }

  /** What each has said of itself, in this session or to programs before. Never rejects. */
  async handshakes(speaking: Speaking): Promise<readonly { alias: string; handshake: JsonObject | undefined }[]> {
    const { clock } = this.#ports;
    return await Promise.all(
      this.#all.map(async (member) => {
        const beginning = member.begin(speaking);
        const kept = member.handshake ?? (await member.kept('initialize', speaking));
        if (!kept) await inTime(clock, beginning);
        return { alias: member.alias, handshake: member.handshake ?? kept };
      }),
    );
  }

  /** One page of each of them, or of those in `places`, as far as they answer in time. Never rejects. */
  async page(list: List, places: Places | undefined, speaking: Speaking): Promise<MergedPage> {
    const asked = this.#all.filter(({ id }) => places?.has(id) !== false);
    const pages = await Promise.all(
      asked.map((member) => this.#pageInTime(list, member, places?.get(member.id), speaking)),
    );
    const offers = this.#offers[list];
    if (!places) offers.clear();
    const entries: JsonObject[] = [];
    const leftOut: string[] = [];
    const next = new Map<string, string>();
    for (const [at, member] of asked.entries()) {
      const page = pages[at];
      if (page?.nextCursor !== undefined) next.set(member.id, page.nextCursor);
      // Later pages may be read again, so a name that is there twice is known within one page alone.
      const here = new Set<string>();
      for (const entry of page?.entries ?? []) {
        const { key } = lists[list];
        const name = entry[key];
        if (typeof name !== 'string') continue;
        const offered = key === 'name' ? offeredName(member.alias, name) : name;
        const before = offers.get(offered);
        if (here.has(offered) || (before && (before.member !== member.id || before.name !== name))) {
          leftOut.push(`${member.alias}: ${name}`);
          continue;
        }
        here.add(offered);
        offers.set(offered, { member: member.id, name });
        entries.push(key === 'name' ? { ...entry, name: offered } : entry);
      }
    }
    return { entries, next, leftOut };
  }

  /** Whose tool or prompt this is, and what it is called there; `undefined`: nobody's. Never rejects. */
  async named(
    list: 'tools/list' | 'prompts/list',
    offered: string,
    speaking: Speaking,
  ): Promise<{ member: Member; name: string } | undefined> {
    const read = readOfferedName(offered);
    const member = this.#all.find(({ alias }) => alias === read?.alias);
    if (!read || !member) return undefined;
    const known = (): Offer | undefined => {
      const offer = this.#offers[list].get(offered);
      return offer?.member === member.id ? offer : undefined;
    };
    // A shortened one is known by the list alone.
    if (!known() && !read.isWhole) await this.#readAll(list, speaking);
    return { member, name: known()?.name ?? read.rest };
  }

  /** Whose resource this is, by what they list, and then by their templates. Never rejects. */
  async ofUri(uri: string, speaking: Speaking): Promise<Member | undefined> {
    const find = (): string | undefined =>
      this.#offers['resources/list'].get(uri)?.member ??
      closest([...this.#offers['resources/templates/list']].filter(([template]) => fitsTemplate(template, uri)));
    const template = this.#offers['resources/templates/list'].get(uri)?.member;
    if (template === undefined && find() === undefined) {
      await this.#readAll('resources/list', speaking);
      await this.#readAll('resources/templates/list', speaking);
    }
    const id = this.#offers['resources/templates/list'].get(uri)?.member ?? find();
    const found = this.#all.find((member) => member.id === id);
    // One that nobody lists, as in the answer of a tool, can only be of the one that has any.
    const able = this.#all.filter((member) => member.can('resources'));
    return found ?? (able.length === 1 ? able[0] : undefined);
  }

  async #readAll(list: List, speaking: Speaking): Promise<void> {
    let places: Places | undefined;
    for (let pages = 0; pages < mostPages; pages += 1) {
      const { next } = await this.page(list, places, speaking);
      if (next.size === 0) return;
      places = next;
    }
  }

  /** What is known of it where it does not answer in time; it is heard of when it does. */
  async #pageInTime(
    list: List,
    member: Member,
    cursor: string | undefined,
    speaking: Speaking,
  ): Promise<Page | undefined> {
    const asking = this.#ask(list, member, cursor, speaking);
    const page = await inTime(this.#ports.clock, asking);
    if (page !== 'late') return page ?? (await this.#kept(list, member, cursor, speaking));
    const kept = await this.#kept(list, member, cursor, speaking);
    // A later page is asked for again: to begin anew would never come to it.
    if (cursor !== undefined) return kept ?? { entries: [], nextCursor: cursor };
    void asking.then((late) => {
      const change = changeOf(list);
      const isNews = late && JSON.stringify(late) !== JSON.stringify(kept ?? nothing);
      if (isNews && change !== undefined && this.#all.includes(member)) void this.#ports.onChange(change);
    });
    return kept;
  }

  async #ask(list: List, member: Member, cursor: string | undefined, speaking: Speaking): Promise<Page | undefined> {
    if (!(await member.begin(speaking))) return undefined;
    if (!member.can(lists[list].capability)) return nothing;
    const result = await member.list(list, cursor);
    return result && asPage(list, result);
  }

  async #kept(list: List, member: Member, cursor: string | undefined, speaking: Speaking): Promise<Page | undefined> {
    const result = await member.kept(list, speaking, cursor);
    return result && asPage(list, result);
  }
}

/** Of several templates the one that says most: a server with one that fits everything takes nothing from others. */
function closest(fitting: readonly (readonly [template: string, offer: Offer])[]): string | undefined {
  const said = ([template]: readonly [string, Offer]): number => template.replaceAll(/\{[^{}]*\}/gu, '').length;
  return fitting.toSorted((one, other) => said(other) - said(one))[0]?.[1].member;
}

/** Pages that are read to find one entry. */
const mostPages = 20;
const nothing: Page = { entries: [], nextCursor: undefined };

function asPage(list: List, result: JsonObject): Page {
  const { nextCursor } = result;
  return { entries: entriesOf(list, result), nextCursor: typeof nextCursor === 'string' ? nextCursor : undefined };
}
