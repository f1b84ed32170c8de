// Resource addresses in a collection: which member each belongs to, and how apps see it.

import { isObject } from '../../../shared/json-object.ts';
import { yieldIfBusy } from '../../yield-if-busy.ts';
import { collectionClaims } from '../../limits.ts';
import { asObject } from '../messages/envelope.ts';
import type { JsonObject } from '../messages/envelope.ts';
import type { Member } from './member.ts';
import { isCatchAll, canOverlap, compileTemplate } from './merge-members.ts';

/** Lists whose entries are addresses. */
export type AddressList = 'resources/list' | 'resources/templates/list';

/** The member that an address belongs to. `shared`: several could own it, so it is ambiguous. */
export type AddressOwner =
  | { readonly kind: 'member'; readonly member: Member; readonly uri: string }
  | { readonly kind: 'shared'; readonly members: readonly Member[] };

/** The addresses that one member lists, within limits. */
class Claims {
  readonly resources = new Set<string>();
  /** Templates with their matchers. Catch-all templates are separate: they do not compete with other members. */
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
    else templates.set(address, compileTemplate(address));
    this.#size += address.length;
  }

  has(uri: string): boolean {
    if (this.resources.has(uri)) return true;
    for (const fits of this.templates.values()) if (fits(uri)) return true;
    return false;
  }
}

/**
 * Maps the addresses of a collection to its members. An address is unchanged if it can only belong to its member.
 * Otherwise it becomes `postern://ALIAS/ADDRESS`, so that every address an app receives identifies its member. Views
 * (`ui://`) always contain their member.
 */
export class Addresses {
  readonly #members: () => readonly Member[];
  readonly #claims = new Map<Member, Claims>();

  constructor(all: () => readonly Member[]) {
    this.#members = all;
  }

  /** Removes the addresses of all other members. */
  retain(members: readonly Member[]): void {
    for (const member of this.#claims.keys()) if (!members.includes(member)) this.#claims.delete(member);
  }

  /** Adds addresses that a member lists, in slices. */
  async learn(member: Member, list: AddressList, addresses: Iterable<string>): Promise<void> {
    for (const address of addresses) {
      this.#claimsOf(member).add(list, comparable(address));
      await yieldIfBusy();
    }
  }

  /** Replaces all addresses of a member at once; until then the previous ones apply. */
  async replace(member: Member, all: Readonly<Record<AddressList, readonly string[]>>): Promise<void> {
    const claims = new Claims();
    for (const list of ['resources/list', 'resources/templates/list'] as const) {
      for (const address of all[list]) {
        claims.add(list, comparable(address));
        await yieldIfBusy();
      }
    }
    if (this.#members().includes(member)) this.#claims.set(member, claims);
  }

  /** The member that a resource belongs to; `undefined`: none. */
  find(address: string): AddressOwner | undefined {
    const qualified = this.#parseQualified(address);
    if (qualified !== 'plain') return qualified;
    const uri = comparable(address);
    const owners = this.#ownersWith((claims) => claims.has(uri));
    if (owners.length > 0) return ownerAmong(owners, address);
    // If only one member has resources, an unlisted one is certain to be its own, once all have declared capabilities.
    const all = this.#members();
    const capable = all.filter((member) => member.hasCapability('resources'));
    const isCertain = capable.length === 1 && all.every(({ handshake }) => handshake !== undefined);
    return isCertain ? ownerAmong(capable, address) : undefined;
  }

  /** The member that a template belongs to; `undefined`: none. */
  findTemplate(address: string): AddressOwner | undefined {
    const qualified = this.#parseQualified(address);
    if (qualified !== 'plain') return qualified;
    const template = comparable(address);
    const owners = this.#ownersWith(({ templates, catchAlls }) => templates.has(template) || catchAlls.has(template));
    return owners.length > 0 ? ownerAmong(owners, address) : undefined;
  }

  /** Address of a member's resource, as shown to apps. */
  exposed(member: Member, uri: string): string {
    const found = isView(uri) ? undefined : this.find(uri);
    return found?.kind === 'member' && found.member === member && found.uri === uri
      ? uri
      : qualifiedAddress(member, uri);
  }

  /** A member's template, as shown to apps. */
  exposedTemplate(member: Member, template: string): string {
    const normalized = comparable(template);
    const isPlain =
      !isView(template) &&
      this.#parseQualified(template) === 'plain' &&
      this.#claimsOf(member).templates.has(normalized);
    if (!isPlain) return qualifiedAddress(member, template);
    const fits = compileTemplate(normalized);
    const isShared = this.#members().some((other) => {
      if (other === member) return false;
      const { resources, templates } = this.#claimsOf(other);
      return [...templates.keys()].some((each) => canOverlap(each, normalized)) || [...resources].some(fits);
    });
    return isShared ? qualifiedAddress(member, template) : template;
  }

  /**
   * A member's data with addresses as shown to apps. `requested`: the resource that the app reads, with the address
   * that the app used.
   */
  rewriteAddresses(
    member: Member,
    value: unknown,
    requested?: { readonly uri: string; readonly address: string },
  ): unknown {
    const expose = (uri: unknown): unknown => {
      if (typeof uri !== 'string') return uri;
      return uri === requested?.uri ? requested.address : this.exposed(member, uri);
    };
    const rewriteResource = (resource: unknown): unknown =>
      mapParts(resource, (part, name) =>
        name === 'uri' ? expose(part) : this.rewriteAddresses(member, part, requested),
      );
    const { type } = asObject(value);
    return mapParts(value, (part, name) => {
      // A tool's own structure stays as it is.
      if (name === 'structuredContent') return part;
      if (name === '_meta') return qualifyViews(member, part);
      if (name === 'uri' && type === 'resource_link') return expose(part);
      if (name === 'resource' && type === 'resource') return rewriteResource(part);
      if (name === 'contents' && Array.isArray(part)) return mapParts(part, rewriteResource);
      return this.rewriteAddresses(member, part, requested);
    });
  }

  /**
   * Like `rewriteAddresses` for a result, in slices, since its lists may be long. Returns the same object if nothing
   * changes.
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
      for (const piece of Array.isArray(part) ? slicesOf(part) : [part]) {
        const { [name]: value } = this.rewriteAddresses(member, { [name]: piece }, requested) as JsonObject;
        whole.push(value);
        isSame &&= value === piece;
        await yieldIfBusy();
      }
      entries.push([name, Array.isArray(part) ? whole.flat() : whole[0]]);
    }
    return isSame ? result : Object.fromEntries(entries);
  }

  #claimsOf(member: Member): Claims {
    const known = this.#claims.get(member) ?? new Claims();
    // Do not store addresses of former members.
    if (this.#members().includes(member)) this.#claims.set(member, known);
    return known;
  }

  #ownersWith(has: (claims: Claims) => boolean): readonly Member[] {
    return this.#members().filter((member) => has(this.#claimsOf(member)));
  }

  /** `plain`: the address contains no member. */
  #parseQualified(address: string): Extract<AddressOwner, { kind: 'member' }> | 'plain' | undefined {
    const [, scheme = '', alias, rest = ''] = /^(postern|ui):\/\/([a-z0-9-]+)\/(.*)$/isu.exec(address) ?? [];
    if (alias === undefined) return 'plain';
    const member = this.#members().find((each) => each.alias === alias);
    const uri = isView(address) ? `${scheme}://${rest}` : rest;
    if (member) return { kind: 'member', member, uri };
    return isView(address) ? 'plain' : undefined;
  }
}

/** A list entry with views as shown to apps (MCP Apps 2026-01-26, and similar members of `_meta`). */
export function withViews(member: Member, entry: JsonObject): JsonObject {
  return entry['_meta'] === undefined ? entry : { ...entry, _meta: qualifyViews(member, entry['_meta']) };
}

/** False if a response cannot contain an address: most are passed on unchanged. */
export function mayHaveAddress(bytes: Buffer): boolean {
  return ['"uri"', 'i://', 'I://', '\\u', '\\/'].some((sign) => bytes.includes(sign));
}

/** List entries per slice. */
const sliceLength = 50;

function slicesOf(list: readonly unknown[]): readonly (readonly unknown[])[] {
  const count = Math.ceil(list.length / sliceLength);
  return Array.from({ length: count }, (_, at) => list.slice(at * sliceLength, (at + 1) * sliceLength));
}

function ownerAmong(members: readonly Member[], uri: string): AddressOwner {
  const [member] = members;
  return member && members.length === 1 ? { kind: 'member', member, uri } : { kind: 'shared', members };
}

function isView(address: string): boolean {
  return /^ui:\/\//iu.test(address);
}

/** A member's address with the member's alias. */
export function qualifiedAddress({ alias }: Member, address: string): string {
  return isView(address) ? `${address.slice(0, 5)}${alias}/${address.slice(5)}` : `postern://${alias}/${address}`;
}

/**
 * Normalizes an address, so that spellings that apps and servers may treat as the same are equal (RFC 3986 6.2.2,
 * 6.2.3; WHATWG URL for web addresses).
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

/** Qualifies every `ui://` in `_meta`, under any name (`ui.resourceUri`, `ui/resourceUri`, `openai/outputTemplate`). */
function qualifyViews(member: Member, meta: unknown): unknown {
  if (typeof meta === 'string') return isView(meta) ? qualifiedAddress(member, meta) : meta;
  return mapParts(meta, (each) => qualifyViews(member, each));
}

/** A copy with changed parts; the same object if nothing changes, so that numbers are preserved exactly. */
function mapParts(value: unknown, change: (part: unknown, name: string) => unknown): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => change(item, ''));
    return items.some((item, at) => item !== value[at]) ? items : value;
  }
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([name, part]): [string, unknown] => [name, change(part, name)]);
  return entries.some(([name, part]) => part !== value[name]) ? Object.fromEntries(entries) : value;
}
