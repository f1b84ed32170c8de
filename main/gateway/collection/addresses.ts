import { yieldIfBusy } from '../../yield-if-busy.ts';
import { collectionClaims } from '../../limits.ts';
import { isObject } from '../messages/envelope.ts';
import type { JsonObject } from '../messages/envelope.ts';
import type { Member } from './member.ts';
import { isCatchAll, overlap, readTemplate } from './merged.ts';

/** Lists whose entries are addresses. */
export type AddressList = 'resources/list' | 'resources/templates/list';

/** Where an address leads. `shared`: several members could mean it, so none of them gets it. */
export type AddressOwner =
  | { readonly kind: 'member'; readonly member: Member; readonly uri: string }
  | { readonly kind: 'shared'; readonly members: readonly Member[] };

/** What one member lists as its own, within limits. */
class Claims {
  readonly resources = new Set<string>();
  /** With their matchers. Catch-all templates are kept apart: they take nothing from other members. */
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
 * Maps the addresses of a collection to its members. An address stays as its member writes it if it can only be that
 * member's. If it could be another's too, it is replaced by `postern://ALIAS/ADDRESS`, so that any address an app gets
 * leads back to the member it came from. Views (`ui://`) always contain their member.
 */
export class Addresses {
  readonly #all: () => readonly Member[];
  readonly #claims = new Map<Member, Claims>();

  constructor(all: () => readonly Member[]) {
    this.#all = all;
  }

  /** Forgets all other members. */
  retain(members: readonly Member[]): void {
    for (const member of this.#claims.keys()) if (!members.includes(member)) this.#claims.delete(member);
  }

  /** Adds what a member lists, in slices. */
  async learn(member: Member, list: AddressList, addresses: Iterable<string>): Promise<void> {
    for (const address of addresses) {
      this.#of(member).add(list, comparable(address));
      await yieldIfBusy();
    }
  }

  /** Replaces it all at once; until then the previous addresses apply. */
  async replace(member: Member, all: Readonly<Record<AddressList, readonly string[]>>): Promise<void> {
    const claims = new Claims();
    for (const list of ['resources/list', 'resources/templates/list'] as const) {
      for (const address of all[list]) {
        claims.add(list, comparable(address));
        await yieldIfBusy();
      }
    }
    if (this.#all().includes(member)) this.#claims.set(member, claims);
  }

  /** The member that a resource belongs to; `undefined`: none. */
  find(address: string): AddressOwner | undefined {
    const own = this.#parseQualified(address);
    if (own !== 'plain') return own;
    const uri = comparable(address);
    const listing = this.#ownersWith((claims) => claims.has(uri));
    if (listing.length > 0) return ownerAmong(listing, address);
    // An unlisted resource can only belong to the one member with resources, once all have declared whether they have
    // any.
    const all = this.#all();
    const capable = all.filter((member) => member.hasCapability('resources'));
    const isCertain = capable.length === 1 && all.every(({ handshake }) => handshake !== undefined);
    return isCertain ? ownerAmong(capable, address) : undefined;
  }

  /** The member that a template belongs to; `undefined`: none. */
  findTemplate(address: string): AddressOwner | undefined {
    const own = this.#parseQualified(address);
    if (own !== 'plain') return own;
    const template = comparable(address);
    const listing = this.#ownersWith(({ templates, catchAlls }) => templates.has(template) || catchAlls.has(template));
    return listing.length > 0 ? ownerAmong(listing, address) : undefined;
  }

  /** Address of a member's resource, as AI apps get it. */
  exposed(member: Member, uri: string): string {
    const found = isView(uri) ? undefined : this.find(uri);
    return found?.kind === 'member' && found.member === member && found.uri === uri
      ? uri
      : qualifiedAddress(member, uri);
  }

  /** The same for a template. */
  exposedTemplate(member: Member, template: string): string {
    const normalized = comparable(template);
    const isPlain =
      !isView(template) && this.#parseQualified(template) === 'plain' && this.#of(member).templates.has(normalized);
    if (!isPlain) return qualifiedAddress(member, template);
    const fits = readTemplate(normalized);
    const isShared = this.#all().some((other) => {
      if (other === member) return false;
      const { resources, templates } = this.#of(other);
      return [...templates.keys()].some((each) => overlap(each, normalized)) || [...resources].some(fits);
    });
    return isShared ? qualifiedAddress(member, template) : template;
  }

  /**
   * A member's data with its addresses as AI apps get them. `requested`: the resource that the app reads, as the app
   * wrote it.
   */
  rewriteAddresses(
    member: Member,
    words: unknown,
    requested?: { readonly uri: string; readonly address: string },
  ): unknown {
    const give = (uri: unknown): unknown => {
      if (typeof uri !== 'string') return uri;
      return uri === requested?.uri ? requested.address : this.exposed(member, uri);
    };
    const within = (resource: unknown): unknown =>
      copied(resource, (part, name) => (name === 'uri' ? give(part) : this.rewriteAddresses(member, part, requested)));
    const { type } = isObject(words) ? words : {};
    return copied(words, (part, name) => {
      // A tool's own structure stays as it is.
      if (name === 'structuredContent') return part;
      if (name === '_meta') return viewsOf(member, part);
      if (name === 'uri' && type === 'resource_link') return give(part);
      if (name === 'resource' && type === 'resource') return within(part);
      if (name === 'contents' && Array.isArray(part)) return copied(part, within);
      return this.rewriteAddresses(member, part, requested);
    });
  }

  /**
   * The same for a result, in slices, since its lists may be long. Returns the same object if there is nothing to
   * change.
   */
  async rewriteResult(
    member: Member,
    result: JsonObject,
    requested?: { readonly uri: string; readonly address: string },
  ): Promise<JsonObject> {
    const entries: [string, unknown][] = [];
    let isSame = true;
    for (const [name, part] of Object.entries(result)) {
      const whole: unknown[] = [];
      for (const piece of Array.isArray(part) ? piecesOf(part) : [part]) {
        const { [name]: words } = this.rewriteAddresses(member, { [name]: piece }, requested) as JsonObject;
        whole.push(words);
        isSame &&= words === piece;
        await yieldIfBusy();
      }
      entries.push([name, Array.isArray(part) ? whole.flat() : whole[0]]);
    }
    return isSame ? result : Object.fromEntries(entries);
  }

  #of(member: Member): Claims {
    const known = this.#claims.get(member) ?? new Claims();
    // What arrives from a former member is not stored.
    if (this.#all().includes(member)) this.#claims.set(member, known);
    return known;
  }

  #ownersWith(has: (claims: Claims) => boolean): readonly Member[] {
    return this.#all().filter((member) => has(this.#of(member)));
  }

  /** `plain`: names no member. */
  #parseQualified(address: string): Extract<AddressOwner, { kind: 'member' }> | 'plain' | undefined {
    const [, scheme = '', alias, rest = ''] = /^(postern|ui):\/\/([a-z0-9-]+)\/(.*)$/isu.exec(address) ?? [];
    if (alias === undefined) return 'plain';
    const member = this.#all().find((each) => each.alias === alias);
    const uri = isView(address) ? `${scheme}://${rest}` : rest;
    if (member) return { kind: 'member', member, uri };
    return isView(address) ? 'plain' : undefined;
  }
}

/** A list entry with its views as AI apps get them (MCP Apps 2026-01-26, and similar members of `_meta`). */
export function withViews(member: Member, entry: JsonObject): JsonObject {
  return entry['_meta'] === undefined ? entry : { ...entry, _meta: viewsOf(member, entry['_meta']) };
}

/** Whether a response may contain an address: most do not and are passed on as they came. */
export function mayHaveAddress(bytes: Buffer): boolean {
  return ['"uri"', 'i://', 'I://', '\\u', '\\/'].some((sign) => bytes.includes(sign));
}

/** List entries per slice. */
const pieceLength = 50;

function piecesOf(list: readonly unknown[]): readonly (readonly unknown[])[] {
  const count = Math.ceil(list.length / pieceLength);
  return Array.from({ length: count }, (_, at) => list.slice(at * pieceLength, (at + 1) * pieceLength));
}

function ownerAmong(members: readonly Member[], uri: string): AddressOwner {
  const [member] = members;
  return member && members.length === 1 ? { kind: 'member', member, uri } : { kind: 'shared', members };
}

function isView(address: string): boolean {
  return /^ui:\/\//iu.test(address);
}

/** The form of a member's address that names the member. */
export function qualifiedAddress({ alias }: Member, address: string): string {
  return isView(address) ? `${address.slice(0, 5)}${alias}/${address.slice(5)}` : `postern://${alias}/${address}`;
}

/**
 * Equal for all spellings of an address that apps and servers may treat as the same (RFC 3986 6.2.2, 6.2.3; WHATWG URL
 * for web addresses): which member it belongs to must not depend on who writes it.
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

/** Removes `.` and `..` path segments (RFC 3986 5.2.4). */
function withoutDots(address: string): string {
  const [, start = '', path = '', rest = ''] =
    /^([a-z][a-z0-9+.-]*:\/\/[^/?#{]*)(\/[^?#]*)?(.*)$/su.exec(address) ?? [];
  if (!/\/\.{1,2}(?:\/|$)/u.test(path)) return address;
  const resolved: string[] = [];
  const segments = path.split('/').slice(1);
  for (const [at, segment] of segments.entries()) {
    const isDots = segment === '.' || segment === '..';
    if (segment === '..') resolved.pop();
    if (!isDots) resolved.push(segment);
    else if (at === segments.length - 1) resolved.push('');
  }
  return `${start}/${resolved.join('/')}${rest}`;
}

/** Every `ui://` in `_meta`, under any name (`ui.resourceUri`, `ui/resourceUri`, `openai/outputTemplate`). */
function viewsOf(member: Member, meta: unknown): unknown {
  if (typeof meta === 'string') return isView(meta) ? qualifiedAddress(member, meta) : meta;
  return copied(meta, (each) => viewsOf(member, each));
}

/** A copy with its parts changed; the same object if nothing changes, so that numbers stay as written. */
function copied(value: unknown, change: (part: unknown, name: string) => unknown): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => change(item, ''));
    return items.some((item, at) => item !== value[at]) ? items : value;
  }
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([name, part]): [string, unknown] => [name, change(part, name)]);
  return entries.some(([name, part]) => part !== value[name]) ? Object.fromEntries(entries) : value;
}
