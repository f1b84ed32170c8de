import { isAddressPart } from '../../../shared/header-name.ts';
import type { Integration } from '../../../shared/integration.ts';
import { displayText } from '../../address/display-text.ts';
import { AmbiguousReference, closestWord } from '../../closest-word.ts';
import { PosternError } from '../../errors/postern-error.ts';
import type { FixedHeader } from '../../mcp/http/credential-gate.ts';
import type { IntegrationStore } from '../../ports.ts';
import { decoded, Secret, splitAddress, splitQuery } from '../../secret.ts';

/** Shorter ones are names that were mistyped. */
const shortestPrefix = 4;

/**
 * Finds an integration by its id, by its address, by a name that only one has, by its alias, or by the beginning of its
 * id. `keysOf`: left out, an address with a key in it means none. Errors: NOT_FOUND, as `AmbiguousReference` where several
 * are meant; those of `keysOf`.
 */
export async function findIntegration(
  store: IntegrationStore,
  reference: string,
  keysOf?: KeysOf,
): Promise<Integration> {
  const [only, ...others] = await matchIntegrations(store, reference, keysOf);
  if (only && others.length === 0) return only;
  if (only) throw new AmbiguousReference([only, ...others]);
  const names = (await store.list()).flatMap(({ name, alias }) => [name, ...(alias === undefined ? [] : [alias])]);
  const meant = closestWord(reference, names);
  const detail = { count: 0, ...(meant !== undefined && { meant: displayText(meant) }) };
  throw new PosternError('NOT_FOUND', { stage: 'app', detail });
}

/** All that a reference may mean: one with that id, else by address, by name, by alias, or by the beginning of an id. */
export async function matchIntegrations(
  store: IntegrationStore,
  reference: string,
  keysOf: KeysOf = async () => [],
): Promise<readonly Integration[]> {
  const integrations = await store.list();
  const exact = integrations.find(({ id }) => id === reference);
  if (exact) return [exact];
  // A name can be made to look like the address of another server.
  const address = URL.parse(reference);
  const there = address ? await new ServerIndex(integrations, keysOf).findAll(address) : [];
  if (there.length > 0 || /^https?:$/u.test(address?.protocol ?? '')) return there;
  const plain = reference.toLocaleLowerCase('en');
  const ways: readonly ((integration: Integration) => boolean)[] = [
    ({ name }) => name === reference,
    ({ name }) => name.toLocaleLowerCase('en') === plain,
    ({ alias }) => alias === reference,
    ({ id }) => reference.length >= shortestPrefix && id.startsWith(plain),
  ];
  for (const isMeant of ways) {
    const found = integrations.filter((each) => isMeant(each));
    if (found.length > 0) return found;
  }
  return [];
}

/** The names of all that an integration is used with beside a token, as the list has them. */
export function keyNames({ options: { headerName, furtherHeaders = [] } }: Pick<Integration, 'options'>) {
  return [...(headerName === undefined ? [] : [headerName]), ...furtherHeaders];
}

/** The fixed headers and address parts that an integration is used with; those that the vault has no more are left out. */
export type KeysOf = (integration: Integration) => Promise<readonly FixedHeader[]>;

interface EntryOfServer {
  /** Whole, with the keys in it. */
  readonly address: URL;
  readonly headers: readonly FixedHeader[];
}

/** A server of an index, with the keys that it is used with. */
interface IndexedServer {
  readonly integration: Integration;
  /** In the list. */
  readonly order: number;
}

interface KeyedServer extends IndexedServer {
  readonly headers: string;
}

/** Servers at one address that have the same keys in it. */
interface SameAddress {
  readonly servers: KeyedServer[];
  /** The first with each set of headers. */
  readonly byHeaders: Map<string, KeyedServer>;
}

/**
 * The servers of a list by their addresses. Each address is parsed once, and the keys of a server are read at most once,
 * when something at its address is looked for.
 */
export class ServerIndex {
  readonly #keysOf: KeysOf;
  readonly #places = new Map<string, ServersAtAddress>();
  readonly #orders = new Map<string, number>();

  constructor(integrations: readonly Integration[], keysOf: KeysOf) {
    this.#keysOf = keysOf;
    for (const integration of integrations) this.put(integration);
  }

  /** Adds a server at the end, or replaces the one with its id, whose address stays. */
  put(integration: Integration): void {
    const href = URL.parse(integration.url)?.href;
    if (href === undefined) return;
    const order = this.#orders.get(integration.id) ?? this.#orders.size;
    this.#orders.set(integration.id, order);
    const place = this.#places.get(href) ?? new ServersAtAddress(this.#keysOf);
    this.#places.set(href, place);
    place.put({ integration, order });
  }

  /**
   * The integration that an entry of a list is: two entries with different keys are two accounts. One without headers is
   * whatever is used at its address; headers may also be those of an integration that has none, where `takesHeaders`.
   * Errors: those of `keysOf`.
   */
  async findSame(
    { address, headers }: EntryOfServer,
    takesHeaders: (integration: Integration) => boolean = () => true,
  ): Promise<Integration | undefined> {
    const same: KeyedServer[] = [];
    const others: KeyedServer[] = [];
    for (const { place, parts } of this.#waysTo(address)) {
      const found = (await place.byKeys()).get(signatureOf(parts));
      const exact = found?.byHeaders.get(signatureOf(headers));
      if (exact) same.push(exact);
      const isMeant = (each: KeyedServer): boolean =>
        headers.length === 0 || (each.headers === noKeys && takesHeaders(each.integration));
      const other = found?.servers.find(isMeant);
      if (other) others.push(other);
    }
    return inOrder(same.length > 0 ? same : others)[0];
  }

  /** All at an address, as a user names it: with the keys in it, or without any. Errors: those of `keysOf`. */
  async findAll(address: URL): Promise<readonly Integration[]> {
    const found: IndexedServer[] = [];
    for (const { place, parts } of this.#waysTo(address)) {
      const named = parts.length === 0 ? place.all() : (await place.byKeys()).get(signatureOf(parts))?.servers;
      found.push(...(named ?? []));
    }
    return inOrder(found);
  }

  /** An earlier version has left the path of one that wants a sign-in whole. */
  #waysTo(address: URL): readonly { readonly place: ServersAtAddress; readonly parts: readonly FixedHeader[] }[] {
    const ways = [{ href: address.href, parts: [] }, splitQuery(address.href), splitAddress(address.href)];
    const hrefs = ways.map(({ href }) => href);
    return ways.flatMap(({ href, parts }, index) => {
      const place = hrefs.indexOf(href) === index ? this.#places.get(href) : undefined;
      return place ? [{ place, parts: parts.map(({ name, value }) => ({ name, value: new Secret(value) })) }] : [];
    });
  }
}

class ServersAtAddress {
  readonly #keysOf: KeysOf;
  readonly #servers = new Map<string, IndexedServer>();
  #byKeys = new Map<string, SameAddress>();
  /** Those that are not in `#byKeys` yet. */
  #unread: IndexedServer[] = [];
  #reading: Promise<unknown> = Promise.resolve();

  constructor(keysOf: KeysOf) {
    this.#keysOf = keysOf;
  }

  put(server: IndexedServer): void {
    const isThere = this.#servers.has(server.integration.id);
    this.#servers.set(server.integration.id, server);
    if (isThere) [this.#byKeys, this.#unread] = [new Map(), this.all()];
    else this.#unread.push(server);
  }

  all(): IndexedServer[] {
    return [...this.#servers.values()];
  }

  /** By the keys in the address; a server whose keys the vault does not have is in none. */
  async byKeys(): Promise<ReadonlyMap<string, SameAddress>> {
    this.#reading = this.#reading.then(() => this.#readRest());
    await this.#reading;
    return this.#byKeys;
  }

  async #readRest(): Promise<void> {
    for (let next = this.#unread.shift(); next; next = this.#unread.shift()) {
      const names = keyNames(next.integration);
      const keys = names.length === 0 ? [] : await this.#keysOf(next.integration);
      const inAddress = keys.filter(({ name }) => isAddressPart(name));
      if (inAddress.length !== names.filter(isAddressPart).length) continue;
      const server = { ...next, headers: signatureOf(keys.filter(({ name }) => !isAddressPart(name))) };
      const same: SameAddress = this.#byKeys.get(signatureOf(inAddress)) ?? { servers: [], byHeaders: new Map() };
      this.#byKeys.set(signatureOf(inAddress), same);
      same.servers.push(server);
      if (!same.byHeaders.has(server.headers)) same.byHeaders.set(server.headers, server);
    }
  }
}

function inOrder(servers: readonly IndexedServer[]): readonly Integration[] {
  return servers.toSorted((one, other) => one.order - other.order).map(({ integration }) => integration);
}

/** The same text for the same keys, in any order. */
export function signatureOf(keys: readonly FixedHeader[]): string {
  return JSON.stringify(keys.map(asSent).toSorted());
}

const noKeys = signatureOf([]);

function asSent({ name, value }: FixedHeader): string {
  const isPart = isAddressPart(name);
  return JSON.stringify(isPart ? [name, decoded(value.reveal())] : [name.toLowerCase(), value.reveal()]);
}
