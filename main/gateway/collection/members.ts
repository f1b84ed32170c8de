import { createHash } from 'node:crypto';
import { displayText } from '../../address/display-text.ts';
import { fairTurn } from '../../fair-turn.ts';
import { gatewaySession, serverWordsLength } from '../../limits.ts';
import type { Clock } from '../../ports.ts';
import { changeOf } from '../messages/catalogue.ts';
import { isObject } from '../messages/envelope.ts';
import type { JsonObject } from '../messages/envelope.ts';
import { Addresses, withViews } from './addresses.ts';
import type { AddressList, Found } from './addresses.ts';
import type { Member, Speaking } from './member.ts';
import { attributed, entriesOf, lists } from './merged.ts';
import type { List, Places } from './merged.ts';

export interface MembersPorts {
  readonly clock: Pick<Clock, 'after'>;
  /** Told that a list is another one now. Never rejects. */
  readonly onChange: (notification: string) => Promise<void>;
}

/** A tool or prompt of the collection: whose it is, and what it is called there. */
interface Offer {
  readonly member: string;
  readonly name: string;
}

/** The reading of a member's addresses, as long as somebody waits for it. */
interface Knowing {
  readonly soon: Promise<unknown>;
  readonly surely: Promise<unknown>;
  /** It lists others by now. */
  readonly isStale: boolean;
}

/** One page of a list of all members. */
interface MergedPage {
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
  readonly #offers: Record<Exclude<List, AddressList>, Map<string, Offer>> = {
    'tools/list': new Map(),
    'prompts/list': new Map(),
  };
  readonly addresses = new Addresses(() => this.#all);
  /** Whose addresses are known, or being read. */
  readonly #knowing = new Map<Member, Knowing>();
  /** The later page of each list of each member that did not come in time last. */
  readonly #late = new Map<string, { readonly cursor: string; readonly asking: Promise<Page | undefined> }>();

  constructor(ports: MembersPorts) {
    this.#ports = ports;
  }

  get all(): readonly Member[] {
    return this.#all;
  }

  set(members: readonly Member[]): void {
    this.#all = members;
    this.#late.clear();
    this.addresses.retain(members);
    for (const member of this.#knowing.keys()) if (!members.includes(member)) this.#knowing.delete(member);
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

  /** Waits until all have said what they can do, as far as they do so in time. Never rejects. */
  async begin(speaking: Speaking): Promise<void> {
    await Promise.all(this.#all.map((member) => inTime(this.#ports.clock, member.begin(speaking))));
  }

  /** One page of each of them, or of those in `places`, as far as they answer in time. Never rejects. */
  async page(list: List, places: Places | undefined, speaking: Speaking): Promise<MergedPage> {
    const asked = this.#all.filter(({ id }) => places?.has(id) !== false);
    const pages = await Promise.all(
      asked.map((member) => this.#pageInTime(list, member, places?.get(member.id), speaking)),
    );
    if (isAddressList(list)) {
      for (const [at, member] of asked.entries())
        await this.addresses.learn(member, list, addressesIn(list, pages[at]?.entries ?? []));
      await this.knowAddresses(speaking, true);
    }
    // Until all are there the ones before are known.
    const offers = isAddressList(list) || !places ? new Map<string, Offer>() : this.#offers[list];
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
        const offered = this.#offeredAs(list, member, name, { here, offers });
        if (offered === undefined) leftOut.push(`${member.alias}: ${name}`);
        else entries.push(withViews(member, withTitles(member, list, { ...entry, [key]: offered })));
        await fairTurn();
      }
    }
    if (!isAddressList(list)) this.#offers[list] = offers;
    return { entries, next, leftOut };
  }

  /** What an entry is called in the collection; `undefined`: another one is called so. */
  #offeredAs(
    list: List,
    member: Member,
    name: string,
    { here, offers }: { readonly here: Set<string>; readonly offers: Map<string, Offer> },
  ): string | undefined {
    if (isAddressList(list)) {
      const { addresses } = this;
      const given = list === 'resources/list' ? addresses.given(member, name) : addresses.givenTemplate(member, name);
      if (here.has(given)) return undefined;
      here.add(given);
      return given;
    }
    const offered = offeredName(member.alias, name);
    const before = offers.get(offered);
    if (here.has(offered) || (before && (before.member !== member.id || before.name !== name))) return undefined;
    here.add(offered);
    offers.set(offered, { member: member.id, name });
    return offered;
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

  /** Whose resource this is; `undefined`: nobody's. Never rejects. */
  async ofUri(uri: string, speaking: Speaking): Promise<Found | undefined> {
    await this.knowAddresses(speaking);
    return this.addresses.find(uri);
  }

  /** The same for a template, or for a resource where one is meant (MCP 2025-11-25, completion). Never rejects. */
  async ofReference(address: string, speaking: Speaking): Promise<Found | undefined> {
    await this.knowAddresses(speaking);
    return this.addresses.findTemplate(address) ?? this.addresses.find(address);
  }

  /**
   * Learns what all list: whose an address is depends on all of them. A listing does not wait long for it; what goes to
   * one of them does, since it must not go to another one that is faster. Never rejects.
   */
  async knowAddresses(speaking: Speaking, isListing = false): Promise<void> {
    const { clock } = this.#ports;
    await Promise.all(
      this.#all.map(async (member) => {
        const known = this.#knowing.get(member);
        if (known?.isStale === false) return await (isListing ? known.soon : known.surely);
        const reading = this.#readAddresses(member, speaking);
        // It is waited for once; what has changed since is heard of when it comes.
        const soon = known?.soon ?? inTime(clock, reading);
        const surely = known?.surely ?? inTime(clock, reading, gatewaySession.addresses);
        this.#knowing.set(member, { soon, surely, isStale: false });
        await (isListing ? soon : surely);
      }),
    );
  }

  /** A member lists other addresses now. */
  forgetAddresses(member: Member): void {
    const known = this.#knowing.get(member);
    if (known) this.#knowing.set(member, { ...known, isStale: true });
  }

  async #readAddresses(member: Member, speaking: Speaking): Promise<void> {
    const read = async (list: AddressList): Promise<readonly string[] | undefined> => {
      const found: string[] = [];
      let cursor: string | undefined;
      for (let pages = 0; pages < mostPages; pages += 1) {
        const asked = await this.#ask(list, member, cursor, speaking);
        const page = asked ?? (await this.#kept(list, member, cursor, speaking));
        if (!page) return pages === 0 ? undefined : found;
        found.push(...addressesIn(list, page.entries));
        cursor = page.nextCursor;
        if (cursor === undefined) break;
      }
      return found;
    };
    // Known from before, where it is slow now.
    for (const list of ['resources/list', 'resources/templates/list'] as const) {
      const kept = await this.#kept(list, member, undefined, speaking);
      await this.addresses.learn(member, list, addressesIn(list, kept?.entries ?? []));
    }
    const [resources, templates] = [await read('resources/list'), await read('resources/templates/list')];
    if (!resources && !templates) return;
    await this.addresses.replace(member, {
      'resources/list': resources ?? [],
      'resources/templates/list': templates ?? [],
    });
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
    const asking = this.#asking(list, member, cursor, speaking);
    const page = await inTime(this.#ports.clock, asking);
    if (page !== 'late') {
      this.#late.delete(`${list} ${member.id}`);
      return page ?? (await this.#kept(list, member, cursor, speaking));
    }
    const kept = await this.#kept(list, member, cursor, speaking);
    // A later page is asked for again: to begin anew would never come to it.
    if (cursor !== undefined) {
      if (!kept) this.#late.set(`${list} ${member.id}`, { cursor, asking });
      return kept ?? { entries: [], nextCursor: cursor };
    }
    void asking.then((late) => {
      const change = changeOf(list);
      const isNews = late && JSON.stringify(late) !== JSON.stringify(kept ?? nothing);
      if (isNews && change !== undefined && this.#all.includes(member)) void this.#ports.onChange(change);
    });
    return kept;
  }

  /** A later page that is on its way already is not asked for once more. */
  #asking(list: List, member: Member, cursor: string | undefined, speaking: Speaking): Promise<Page | undefined> {
    const late = this.#late.get(`${list} ${member.id}`);
    return cursor !== undefined && late?.cursor === cursor ? late.asking : this.#ask(list, member, cursor, speaking);
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

/** Pages that are read to find one entry. */
const mostPages = 20;
function isAddressList(list: List): list is AddressList {
  return list === 'resources/list' || list === 'resources/templates/list';
}

function addressesIn(list: AddressList, entries: readonly JsonObject[]): readonly string[] {
  return entries.map((entry) => entry[lists[list].key]).filter((address) => typeof address === 'string');
}

/**
 * An entry whose titles name the member: apps show them in the place of its name, and one could pass for another's. A
 * resource has no name with the member in it, so it always has a title.
 */
function withTitles({ alias }: Member, list: List, entry: JsonObject): JsonObject {
  const marked = (title: unknown): string | undefined => {
    const shown = typeof title === 'string' ? displayText(title, serverWordsLength) : '';
    return shown === '' ? undefined : attributed(alias, shown);
  };
  const titled = ({ title, ...others }: JsonObject, otherwise?: unknown): JsonObject => {
    const whole = marked(title) ?? marked(otherwise);
    return whole === undefined ? others : { ...others, title: whole };
  };
  const { annotations } = entry;
  return {
    ...titled(entry, isAddressList(list) ? entry['name'] : undefined),
    ...(isObject(annotations) && { annotations: titled(annotations) }),
  };
}

const nothing: Page = { entries: [], nextCursor: undefined };

function asPage(list: List, result: JsonObject): Page {
  const { nextCursor } = result;
  return { entries: entriesOf(list, result), nextCursor: typeof nextCursor === 'string' ? nextCursor : undefined };
}

/** Characters of a name: programs put one of their own before it, and models take 64. */
const longest = 50;
const hashed = 6;

/** What a tool or prompt of a member is called in a collection; it depends on these two alone, whoever else is there. */
export function offeredName(alias: string, name: string): string {
  const whole = `${alias}_${name}`;
  const letters = [...whole];
  if (letters.length <= longest) return whole;
  const hash = createHash('sha256').update(whole).digest('hex').slice(0, hashed);
  return `${letters.slice(0, longest - hashed - 1).join('')}_${hash}`;
}

/** What may have been meant by a name: an alias has no `_`. `isWhole`: the rest is the name, as far as can be told. */
export function readOfferedName(offered: string): { alias: string; rest: string; isWhole: boolean } | undefined {
  const at = offered.indexOf('_');
  if (at < 1) return undefined;
  const isWhole = [...offered].length < longest || !/_[0-9a-f]{6}$/u.test(offered);
  return { alias: offered.slice(0, at), rest: offered.slice(at + 1), isWhole };
}

/** What comes of it before a program would wait too long. Errors: those of `work`. */
async function inTime<Result>(
  clock: Pick<Clock, 'after'>,
  work: Promise<Result>,
  milliseconds: number = gatewaySession.patience,
): Promise<Result | 'late'> {
  const late = Promise.withResolvers<'late'>();
  const stop = clock.after(milliseconds, () => late.resolve('late'));
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    stop();
  }
}
