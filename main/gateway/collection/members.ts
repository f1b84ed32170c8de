// All servers of a collection: their merged lists, and the name of each tool and prompt.

import { createHash } from 'node:crypto';
import { isObject } from '../../../shared/json-object.ts';
import { displayText } from '../../address/display-text.ts';
import { yieldIfBusy } from '../../yield-if-busy.ts';
import { gatewaySession, serverMessageLength } from '../../limits.ts';
import type { Clock } from '../../ports.ts';
import type { JsonObject } from '../messages/envelope.ts';
import { changeNotification, lists } from '../messages/lists.ts';
import type { List } from '../messages/lists.ts';
import { Addresses, withViews } from './addresses.ts';
import type { AddressList, AddressOwner } from './addresses.ts';
import type { Member, AppContext } from './member.ts';
import { withAlias, entriesOf } from './merge-members.ts';
import type { MemberCursors } from './merge-members.ts';

export interface MembersPorts {
  readonly clock: Pick<Clock, 'after'>;
  /** Called when a list has changed. Never rejects. */
  readonly onChange: (notification: string) => Promise<void>;
}

/** A tool or prompt of the collection: its member, and its name there. */
interface ExposedEntry {
  readonly member: string;
  readonly name: string;
}

/** A member's addresses, being read. */
interface AddressReading {
  readonly shortWait: Promise<unknown>;
  readonly longWait: Promise<unknown>;
  /** The member's addresses have changed since. */
  readonly isStale: boolean;
}

/** One page of a list of all members. */
interface MergedPage {
  readonly entries: readonly JsonObject[];
  readonly next: MemberCursors;
  /** Entries hidden by another one of the same name: alias and name. */
  readonly leftOut: readonly string[];
}

interface MemberPage {
  readonly entries: readonly JsonObject[];
  readonly nextCursor: string | undefined;
}

/** The members of a collection in order, and what they expose. */
export class Members {
  readonly #ports: MembersPorts;
  #all: readonly Member[] = [];
  readonly #exposed: Record<Exclude<List, AddressList>, Map<string, ExposedEntry>> = {
    'tools/list': new Map(),
    'prompts/list': new Map(),
  };
  readonly addresses = new Addresses(() => this.#all);
  /** Members whose addresses are known or being read. */
  readonly #readings = new Map<Member, AddressReading>();
  /** By list and member: the last page after the first that did not arrive in time. */
  readonly #latePages = new Map<
    string,
    { readonly cursor: string; readonly request: Promise<MemberPage | undefined> }
  >();

  constructor(ports: MembersPorts) {
    this.#ports = ports;
  }

  get all(): readonly Member[] {
    return this.#all;
  }

  set(members: readonly Member[]): void {
    this.#all = members;
    this.#latePages.clear();
    this.addresses.retain(members);
    for (const member of this.#readings.keys()) if (!members.includes(member)) this.#readings.delete(member);
  }

  /** Each member's handshake, from this session or the cache. Never rejects. */
  async handshakes(appContext: AppContext): Promise<readonly { alias: string; handshake: JsonObject | undefined }[]> {
    const { clock } = this.#ports;
    return await Promise.all(
      this.#all.map(async (member) => {
        const beginning = member.connect(appContext);
        const cached = member.handshake ?? (await member.cached('initialize', appContext));
        if (!cached) await withTimeout(clock, beginning);
        return { alias: member.alias, handshake: member.handshake ?? cached };
      }),
    );
  }

  /** Waits until all members have declared their capabilities, or the timeout. Never rejects. */
  async connectAll(appContext: AppContext): Promise<void> {
    await Promise.all(this.#all.map((member) => withTimeout(this.#ports.clock, member.connect(appContext))));
  }

  /** Merges one page of each member, or of those in `cursors`; slow members are left out. Never rejects. */
  async page(list: List, cursors: MemberCursors | undefined, appContext: AppContext): Promise<MergedPage> {
    const requested = this.#all.filter(({ id }) => cursors?.has(id) !== false);
    const pages = await Promise.all(
      requested.map((member) => this.#pageOrCached(list, member, cursors?.get(member.id), appContext)),
    );
    if (isAddressList(list)) {
      for (const [at, member] of requested.entries())
        await this.addresses.learn(member, list, addressesIn(list, pages[at]?.entries ?? []));
      await this.loadAddresses(appContext, true);
    }
    // The previous names apply until the new ones are complete.
    const names = isAddressList(list) || !cursors ? new Map<string, ExposedEntry>() : this.#exposed[list];
    const entries: JsonObject[] = [];
    const leftOut: string[] = [];
    const next = new Map<string, string>();
    for (const [at, member] of requested.entries()) {
      const page = pages[at];
      if (page?.nextCursor !== undefined) next.set(member.id, page.nextCursor);
      // Later pages may be read again, so duplicates can be detected only within one page.
      const namesOnPage = new Set<string>();
      for (const entry of page?.entries ?? []) {
        const { key } = lists[list];
        const name = entry[key];
        if (typeof name !== 'string') continue;
        const exposed = this.#exposedAs(list, member, name, { namesOnPage, names });
        if (exposed === undefined) leftOut.push(`${member.alias}: ${name}`);
        else entries.push(withViews(member, withTitles(member, list, { ...entry, [key]: exposed })));
        await yieldIfBusy();
      }
    }
    if (!isAddressList(list)) this.#exposed[list] = names;
    return { entries, next, leftOut };
  }

  /** Name of an entry in the collection; `undefined`: taken. */
  #exposedAs(
    list: List,
    member: Member,
    name: string,
    { namesOnPage, names }: { readonly namesOnPage: Set<string>; readonly names: Map<string, ExposedEntry> },
  ): string | undefined {
    if (isAddressList(list)) {
      const { addresses } = this;
      const exposed =
        list === 'resources/list' ? addresses.exposed(member, name) : addresses.exposedTemplate(member, name);
      if (namesOnPage.has(exposed)) return undefined;
      namesOnPage.add(exposed);
      return exposed;
    }
    const exposed = exposedName(member.alias, name);
    const before = names.get(exposed);
    if (namesOnPage.has(exposed) || (before && (before.member !== member.id || before.name !== name))) return undefined;
    namesOnPage.add(exposed);
    names.set(exposed, { member: member.id, name });
    return exposed;
  }

  /** The member that a tool or prompt belongs to, and its name there; `undefined`: none. Never rejects. */
  async resolveName(
    list: 'tools/list' | 'prompts/list',
    exposed: string,
    appContext: AppContext,
  ): Promise<{ member: Member; name: string } | undefined> {
    const read = parseExposedName(exposed);
    const member = this.#all.find(({ alias }) => alias === read?.alias);
    if (!read || !member) return undefined;
    const known = (): ExposedEntry | undefined => {
      const entry = this.#exposed[list].get(exposed);
      return entry?.member === member.id ? entry : undefined;
    };
    // A shortened name can be resolved only from the list.
    if (!known() && !read.isWhole) await this.#readAll(list, appContext);
    return { member, name: known()?.name ?? read.rest };
  }

  /** The member that a resource belongs to; `undefined`: none. Never rejects. */
  async ownerOf(uri: string, appContext: AppContext): Promise<AddressOwner | undefined> {
    await this.loadAddresses(appContext);
    return this.addresses.find(uri);
  }

  /** The member that a template or resource of a completion request belongs to (MCP 2025-11-25). Never rejects. */
  async ownerOfReference(address: string, appContext: AppContext): Promise<AddressOwner | undefined> {
    await this.loadAddresses(appContext);
    return this.addresses.findTemplate(address) ?? this.addresses.find(address);
  }

  /**
   * Reads all members' addresses, since ownership depends on all of them. A list request waits only briefly; a request
   * for one resource waits longer, since it must not go to a member just because that one is faster. Never rejects.
   */
  async loadAddresses(appContext: AppContext, isListing = false): Promise<void> {
    const { clock } = this.#ports;
    await Promise.all(
      this.#all.map(async (member) => {
        const known = this.#readings.get(member);
        if (known?.isStale === false) return await (isListing ? known.shortWait : known.longWait);
        const reading = this.#readAddresses(member, appContext);
        // Waited for only once; later changes are announced when they arrive.
        const shortWait = known?.shortWait ?? withTimeout(clock, reading);
        const longWait = known?.longWait ?? withTimeout(clock, reading, gatewaySession.addressWait);
        this.#readings.set(member, { shortWait, longWait, isStale: false });
        await (isListing ? shortWait : longWait);
      }),
    );
  }

  /** Marks a member's addresses as changed. */
  forgetAddresses(member: Member): void {
    const known = this.#readings.get(member);
    if (known) this.#readings.set(member, { ...known, isStale: true });
  }

  async #readAddresses(member: Member, appContext: AppContext): Promise<void> {
    const read = async (list: AddressList): Promise<readonly string[] | undefined> => {
      const found: string[] = [];
      let cursor: string | undefined;
      for (let pages = 0; pages < maxPages; pages += 1) {
        const requested = await this.#fetch(list, member, cursor, appContext);
        const page = requested ?? (await this.#cached(list, member, cursor, appContext));
        if (!page) return pages === 0 ? undefined : found;
        found.push(...addressesIn(list, page.entries));
        cursor = page.nextCursor;
        if (cursor === undefined) break;
      }
      return found;
    };
    // Use the cached ones first, in case the member is slow.
    for (const list of ['resources/list', 'resources/templates/list'] as const) {
      const cached = await this.#cached(list, member, undefined, appContext);
      await this.addresses.learn(member, list, addressesIn(list, cached?.entries ?? []));
    }
    const [resources, templates] = [await read('resources/list'), await read('resources/templates/list')];
    if (!resources && !templates) return;
    await this.addresses.replace(member, {
      'resources/list': resources ?? [],
      'resources/templates/list': templates ?? [],
    });
  }

  async #readAll(list: List, appContext: AppContext): Promise<void> {
    let cursors: MemberCursors | undefined;
    for (let pages = 0; pages < maxPages; pages += 1) {
      const { next } = await this.page(list, cursors, appContext);
      if (next.size === 0) return;
      cursors = next;
    }
  }

  /** Falls back to the cache if the member is slow; the app is notified when a different response arrives. */
  async #pageOrCached(
    list: List,
    member: Member,
    cursor: string | undefined,
    appContext: AppContext,
  ): Promise<MemberPage | undefined> {
    const request = this.#lateOrNewPage(list, member, cursor, appContext);
    const page = await withTimeout(this.#ports.clock, request);
    if (page !== 'late') {
      this.#latePages.delete(`${list} ${member.id}`);
      return page ?? (await this.#cached(list, member, cursor, appContext));
    }
    const cached = await this.#cached(list, member, cursor, appContext);
    // The app requests a later page again: starting over might never reach it.
    if (cursor !== undefined) {
      if (!cached) this.#latePages.set(`${list} ${member.id}`, { cursor, request });
      return cached ?? { entries: [], nextCursor: cursor };
    }
    void request.then((late) => {
      const change = changeNotification(list);
      const hasChanged = late && JSON.stringify(late) !== JSON.stringify(cached ?? emptyPage);
      if (hasChanged && change !== undefined && this.#all.includes(member)) void this.#ports.onChange(change);
    });
    return cached;
  }

  /** Reuses a request for a later page that is still in flight. */
  #lateOrNewPage(
    list: List,
    member: Member,
    cursor: string | undefined,
    appContext: AppContext,
  ): Promise<MemberPage | undefined> {
    const late = this.#latePages.get(`${list} ${member.id}`);
    return cursor !== undefined && late?.cursor === cursor
      ? late.request
      : this.#fetch(list, member, cursor, appContext);
  }

  async #fetch(
    list: List,
    member: Member,
    cursor: string | undefined,
    appContext: AppContext,
  ): Promise<MemberPage | undefined> {
    if (!(await member.connect(appContext))) return undefined;
    if (!member.hasCapability(lists[list].capability)) return emptyPage;
    const result = await member.list(list, cursor);
    return result && asPage(list, result);
  }

  async #cached(
    list: List,
    member: Member,
    cursor: string | undefined,
    appContext: AppContext,
  ): Promise<MemberPage | undefined> {
    const result = await member.cached(list, appContext, cursor);
    return result && asPage(list, result);
  }
}

/** Maximum pages that are read to find one entry. */
const maxPages = 20;
function isAddressList(list: List): list is AddressList {
  return list === 'resources/list' || list === 'resources/templates/list';
}

function addressesIn(list: AddressList, entries: readonly JsonObject[]): readonly string[] {
  return entries.map((entry) => entry[lists[list].key]).filter((address) => typeof address === 'string');
}

/**
 * Adds the member's alias to titles, since apps show titles instead of names and a title could imitate another
 * member. A resource always gets a title, since its name does not contain the alias.
 */
function withTitles({ alias }: Member, list: List, entry: JsonObject): JsonObject {
  const withMember = (title: unknown): string | undefined => {
    const text = typeof title === 'string' ? displayText(title, serverMessageLength) : '';
    return text === '' ? undefined : withAlias(alias, text);
  };
  const titled = ({ title, ...others }: JsonObject, fallback?: unknown): JsonObject => {
    const newTitle = withMember(title) ?? withMember(fallback);
    return newTitle === undefined ? others : { ...others, title: newTitle };
  };
  const { annotations } = entry;
  return {
    ...titled(entry, isAddressList(list) ? entry['name'] : undefined),
    ...(isObject(annotations) && { annotations: titled(annotations) }),
  };
}

const emptyPage: MemberPage = { entries: [], nextCursor: undefined };

function asPage(list: List, result: JsonObject): MemberPage {
  const { nextCursor } = result;
  return { entries: entriesOf(list, result), nextCursor: typeof nextCursor === 'string' ? nextCursor : undefined };
}

/** Maximum characters of a name: models accept 64, and apps add a prefix. */
const maxNameLength = 50;
const hashLength = 6;

/** Name of a member's tool or prompt in a collection. Does not depend on other members. */
export function exposedName(alias: string, name: string): string {
  const whole = `${alias}_${name}`;
  const letters = [...whole];
  if (letters.length <= maxNameLength) return whole;
  const hash = createHash('sha256').update(whole).digest('hex').slice(0, hashLength);
  return `${letters.slice(0, maxNameLength - hashLength - 1).join('')}_${hash}`;
}

/** Splits an exposed name at the first `_`, which no alias contains. `isWhole`: false if the rest may be shortened. */
export function parseExposedName(exposed: string): { alias: string; rest: string; isWhole: boolean } | undefined {
  const at = exposed.indexOf('_');
  if (at < 1) return undefined;
  const isWhole = [...exposed].length < maxNameLength || !/_[0-9a-f]{6}$/u.test(exposed);
  return { alias: exposed.slice(0, at), rest: exposed.slice(at + 1), isWhole };
}

/** The result of `work`, or `late` after a timeout that is shorter than those of apps. Errors: those of `work`. */
async function withTimeout<Result>(
  clock: Pick<Clock, 'after'>,
  work: Promise<Result>,
  milliseconds: number = gatewaySession.responseWait,
): Promise<Result | 'late'> {
  const late = Promise.withResolvers<'late'>();
  const stop = clock.after(milliseconds, () => late.resolve('late'));
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    stop();
  }
}
