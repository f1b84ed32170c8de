import { fairTurn } from '../../fair-turn.ts';
import { collectionClaims } from '../../limits.ts';
import { isObject } from '../messages/envelope.ts';
import type { JsonObject } from '../messages/envelope.ts';
import type { Member } from './member.ts';
import { isCatchAll, overlap, readTemplate } from './merged.ts';

/** Lists whose entries are addresses. */
export type AddressList = 'resources/list' | 'resources/templates/list';

/** Where an address leads. `shared`: several members could mean it, and none of them gets it. */
export type Found =
  | { readonly kind: 'member'; readonly member: Member; readonly uri: string }
  | { readonly kind: 'shared'; readonly members: readonly Member[] };

/** What one member lists as its own, as far as that is known and bounded. */
class Claims {
  readonly resources = new Set<string>();
  /** With what fits them. One that fits everything is not among them: it takes nothing from others. */
  readonly templates = new Map<string, (uri: string) => boolean>();
  readonly catchAlls = new Set<string>();
  #size = 0;

  add(list: AddressList, address: string): void {
    const { resources, templates, catchAlls } = this;
    if (resources.has(address) || templates.has(address) || catchAlls.has(address)) return;
    if (this.#size + address.length > collectionClaims.size) return;
    const count = templates.size + catchAlls.size;
    if (list === 'resources/list') resources.add(address);
    else if (count >= collectionClaims.templates || address.split('{').length > collectionClaims.parts) return;
    else if (isCatchAll(address)) catchAlls.add(address);
    else templates.set(address, readTemplate(address));
    this.#size += address.length;
  }

  has(uri: string): boolean {
    if (this.resources.has(uri)) return true;
    for (const fits of this.templates.values()) if (fits(uri)) return true;
    return false;
  }
}

/**
 * Whose the addresses of a collection are. An address stays as its member writes it as long as it can only be of that
 * one. Where it could be another's too, the member's own form of it stands in its place (`postern://ALIAS/ADDRESS`), so
 * that whatever a member gives an AI app leads back to that member. Views (`ui://`) always have their member in them.
 */
export class Addresses {
  readonly #all: () => readonly Member[];
  readonly #claims = new Map<Member, Claims>();

  constructor(all: () => readonly Member[]) {
    this.#all = all;
  }

  /** These are members, and no others. */
  retain(members: readonly Member[]): void {
    for (const member of this.#claims.keys()) if (!members.includes(member)) this.#claims.delete(member);
  }

  /** Notes what a member lists, in slices. */
  async learn(member: Member, list: AddressList, addresses: Iterable<string>): Promise<void> {
    for (const address of addresses) {
      this.#of(member).add(list, comparable(address));
      await fairTurn();
    }
  }

  /** The same, where that is all that it has now: until then it has what it had. */
  async replace(member: Member, all: Readonly<Record<AddressList, readonly string[]>>): Promise<void> {
    const claims = new Claims();
    for (const list of ['resources/list', 'resources/templates/list'] as const) {
      for (const address of all[list]) {
        claims.add(list, comparable(address));
        await fairTurn();
      }
    }
    if (this.#all().includes(member)) this.#claims.set(member, claims);
  }

  /** Whose resource this is; `undefined`: nobody's. */
  find(address: string): Found | undefined {
    const own = this.#readOwn(address);
    if (own !== 'plain') return own;
    const uri = comparable(address);
    const listing = this.#whose((claims) => claims.has(uri));
    if (listing.length > 0) return foundIn(listing, address);
    // One that nobody lists can only be of the one that has any, once all have said whether they do.
    const all = this.#all();
    const able = all.filter((member) => member.can('resources'));
    const isCertain = able.length === 1 && all.every(({ handshake }) => handshake !== undefined);
    return isCertain ? foundIn(able, address) : undefined;
  }

  /** Whose template this is; `undefined`: nobody's. */
  findTemplate(address: string): Found | undefined {
    const own = this.#readOwn(address);
    if (own !== 'plain') return own;
    const template = comparable(address);
    const listing = this.#whose(({ templates, catchAlls }) => templates.has(template) || catchAlls.has(template));
    return listing.length > 0 ? foundIn(listing, address) : undefined;
  }

  /** A resource of a member, as AI apps get it. */
  given(member: Member, uri: string): string {
    const found = isView(uri) ? undefined : this.find(uri);
    return found?.kind === 'member' && found.member === member && found.uri === uri ? uri : ownForm(member, uri);
  }

  /** The same for a template. */
  givenTemplate(member: Member, template: string): string {
    const said = comparable(template);
    const isPlain = !isView(template) && this.#readOwn(template) === 'plain' && this.#of(member).templates.has(said);
    if (!isPlain) return ownForm(member, template);
    const fits = readTemplate(said);
    const isShared = this.#all().some((other) => {
      if (other === member) return false;
      const { resources, templates } = this.#of(other);
      return [...templates.keys()].some((each) => overlap(each, said)) || [...resources].some(fits);
    });
    return isShared ? ownForm(member, template) : template;
  }

  /** Whatever a member says, with its addresses as AI apps get them. `asked`: the one that the app reads, as it wrote it. */
  inWords(member: Member, words: unknown, asked?: { readonly uri: string; readonly address: string }): unknown {
    const give = (uri: unknown): unknown => {
      if (typeof uri !== 'string') return uri;
      return uri === asked?.uri ? asked.address : this.given(member, uri);
    };
    const within = (resource: unknown): unknown =>
      copied(resource, (part, name) => (name === 'uri' ? give(part) : this.inWords(member, part, asked)));
    const { type } = isObject(words) ? words : {};
    return copied(words, (part, name) => {
      // What a tool says in a form of its own stays as it is.
      if (name === 'structuredContent') return part;
      if (name === '_meta') return viewsOf(member, part);
      if (name === 'uri' && type === 'resource_link') return give(part);
      if (name === 'resource' && type === 'resource') return within(part);
      if (name === 'contents' && Array.isArray(part)) return copied(part, within);
      return this.inWords(member, part, asked);
    });
  }

  /** The same of a result, in slices: its lists may be long. The very same where it has none of them. */
  async resultInWords(
    member: Member,
    result: JsonObject,
    asked?: { readonly uri: string; readonly address: string },
  ): Promise<JsonObject> {
    const said: [string, unknown][] = [];
    let isSame = true;
    for (const [name, part] of Object.entries(result)) {
      const whole: unknown[] = [];
      for (const piece of Array.isArray(part) ? piecesOf(part) : [part]) {
        const { [name]: words } = this.inWords(member, { [name]: piece }, asked) as JsonObject;
        whole.push(words);
        isSame &&= words === piece;
        await fairTurn();
      }
      said.push([name, Array.isArray(part) ? whole.flat() : whole[0]]);
    }
    return isSame ? result : Object.fromEntries(said);
  }

  #of(member: Member): Claims {
    const known = this.#claims.get(member) ?? new Claims();
    // What comes of one that is gone is forgotten with it.
    if (this.#all().includes(member)) this.#claims.set(member, known);
    return known;
  }

  #whose(has: (claims: Claims) => boolean): readonly Member[] {
    return this.#all().filter((member) => has(this.#of(member)));
  }

  /** `plain`: it has no member in it. */
  #readOwn(address: string): Extract<Found, { kind: 'member' }> | 'plain' | undefined {
    const [, scheme = '', alias, rest = ''] = /^(postern|ui):\/\/([a-z0-9-]+)\/(.*)$/isu.exec(address) ?? [];
    if (alias === undefined) return 'plain';
    const member = this.#all().find((each) => each.alias === alias);
    const uri = isView(address) ? `${scheme}://${rest}` : rest;
    if (member) return { kind: 'member', member, uri };
    return isView(address) ? 'plain' : undefined;
  }
}

/** An entry of a list with its views as AI apps get them (MCP Apps 2026-01-26, and what is like it in `_meta`). */
export function withViews(member: Member, entry: JsonObject): JsonObject {
  return entry['_meta'] === undefined ? entry : { ...entry, _meta: viewsOf(member, entry['_meta']) };
}

/** Whether an answer may have an address in it: most have none, and are passed on as they came. */
export function mayHaveAddress(bytes: Buffer): boolean {
  return ['"uri"', 'i://', 'I://', '\\u', '\\/'].some((sign) => bytes.includes(sign));
}

/** Entries of a list that are looked at in one go. */
const pieceLength = 50;

function piecesOf(list: readonly unknown[]): readonly (readonly unknown[])[] {
  const count = Math.ceil(list.length / pieceLength);
  return Array.from({ length: count }, (_, at) => list.slice(at * pieceLength, (at + 1) * pieceLength));
}

function foundIn(members: readonly Member[], uri: string): Found {
  const [member] = members;
  return member && members.length === 1 ? { kind: 'member', member, uri } : { kind: 'shared', members };
}

function isView(address: string): boolean {
  return /^ui:\/\//iu.test(address);
}

/** An address of a member that says whose it is. */
export function ownForm({ alias }: Member, address: string): string {
  return isView(address) ? `${address.slice(0, 5)}${alias}/${address.slice(5)}` : `postern://${alias}/${address}`;
}

/**
 * The same for every way to write an address that apps and servers may take for one (RFC 3986 6.2.2, 6.2.3; WHATWG URL
 * for the web): which member it is of must not depend on who writes it.
 */
function comparable(address: string): string {
  const plain = address.trim();
  const web = /^(?:https?|wss?|ftp):/iu.test(plain) && !plain.includes('{') ? URL.parse(plain)?.href : undefined;
  return withoutDots(
    (web ?? plain)
      .replace(/^[a-z][a-z0-9+.-]*:(?:\/\/[^/?#{]*)?/iu, (start) => start.toLowerCase())
      .replaceAll(/%[0-9a-f]{2}/giu, (code) => {
        const letter = String.fromCodePoint(Number.parseInt(code.slice(1), 16));
        return /[\w.~-]/u.test(letter) ? letter : code.toUpperCase();
      }),
  );
}

/** Without the segments `.` and `..` of its path (RFC 3986 5.2.4). */
function withoutDots(address: string): string {
  const [, start = '', path = '', rest = ''] =
    /^([a-z][a-z0-9+.-]*:\/\/[^/?#{]*)(\/[^?#]*)?(.*)$/su.exec(address) ?? [];
  if (!/\/\.{1,2}(?:\/|$)/u.test(path)) return address;
  const kept: string[] = [];
  const segments = path.split('/').slice(1);
  for (const [at, segment] of segments.entries()) {
    const isDots = segment === '.' || segment === '..';
    if (segment === '..') kept.pop();
    if (!isDots) kept.push(segment);
    else if (at === segments.length - 1) kept.push('');
  }
  return `${start}/${kept.join('/')}${rest}`;
}

/** Every `ui://` in `_meta`, under whichever name (`ui.resourceUri`, `ui/resourceUri`, `openai/outputTemplate`). */
function viewsOf(member: Member, meta: unknown): unknown {
  if (typeof meta === 'string') return isView(meta) ? ownForm(member, meta) : meta;
  return copied(meta, (each) => viewsOf(member, each));
}

/** The same with what `change` makes of its parts; the very same where it changes none, as a number that is written. */
function copied(value: unknown, change: (part: unknown, name: string) => unknown): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => change(item, ''));
    return items.some((item, at) => item !== value[at]) ? items : value;
  }
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([name, part]): [string, unknown] => [name, change(part, name)]);
  return entries.some(([name, part]) => part !== value[name]) ? Object.fromEntries(entries) : value;
}
