import { isAddressPart } from '../../../shared/header-name.ts';
import type { Integration } from '../../../shared/integration.ts';
import { displayText } from '../../address/display-text.ts';
import { AmbiguousReference, closestWord } from '../../closest-word.ts';
import { PosternError } from '../../errors/postern-error.ts';
import type { FixedHeader } from '../../mcp/http/credential-gate.ts';
import type { IntegrationStore } from '../../ports.ts';
import { percentDecode, Secret, splitAddress, splitQuery } from '../../secret.ts';

/** A shorter reference is a mistyped name, not an ID prefix. */
const shortestPrefix = 4;

/**
 * Finds an integration by ID, address, unique name, alias, or ID prefix. `keysOf`: left out, an address with a key in
 * it matches none. Errors: NOT_FOUND, as `AmbiguousReference` if several match; those of `keysOf`.
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
  const suggestion = closestWord(reference, names);
  const detail = { count: 0, ...(suggestion !== undefined && { meant: displayText(suggestion) }) };
  throw new PosternError('NOT_FOUND', { stage: 'postern', detail });
}

/** All matches of a reference by the first rule that has any: ID, address, name, alias, ID prefix. */
export async function matchIntegrations(
  store: IntegrationStore,
  reference: string,
  keysOf: KeysOf = async () => [],
): Promise<readonly Integration[]> {
  const integrations = await store.list();
  const exact = integrations.find(({ id }) => id === reference);
  if (exact) return [exact];
  // Addresses first: a name can be made to look like another server's address.
  const address = URL.parse(reference);
  const atAddress = address ? await new ServerIndex(integrations, keysOf).findAll(address) : [];
  if (atAddress.length > 0 || /^https?:$/u.test(address?.protocol ?? '')) return atAddress;
  const plain = reference.toLocaleLowerCase('en');
  const matchers: readonly ((integration: Integration) => boolean)[] = [
    ({ name }) => name === reference,
    ({ name }) => name.toLocaleLowerCase('en') === plain,
    ({ alias }) => alias === reference,
    ({ id }) => reference.length >= shortestPrefix && id.startsWith(plain),
  ];
  for (const matches of matchers) {
    const found = integrations.filter((each) => matches(each));
    if (found.length > 0) return found;
  }
  return [];
}

/** Names of an integration's fixed headers and address parts, as listed. */
export function keyNames({ options: { headerName, furtherHeaders = [] } }: Pick<Integration, 'options'>) {
  return [...(headerName === undefined ? [] : [headerName]), ...furtherHeaders];
}

/** An integration's fixed headers and address parts, without those that the vault no longer has. */
export type KeysOf = (integration: Integration) => Promise<readonly FixedHeader[]>;

interface ListEntry {
  /** The whole address, with its keys. */
  readonly address: URL;
  readonly headers: readonly FixedHeader[];
}

interface IndexedServer {
  readonly integration: Integration;
  /** Position in the list. */
  readonly order: number;
}

interface KeyedServer extends IndexedServer {
  readonly headers: string;
}

/** Servers at one address with the same keys in it. */
interface SameAddress {
  readonly servers: KeyedServer[];
  /** The first server with each set of headers. */
  readonly byHeaders: Map<string, KeyedServer>;
}

/**
 * Servers by address. Each address is parsed once, and a server's keys are read at most once, when its address is
 * looked up.
 */
export class ServerIndex {
  readonly #keysOf: KeysOf;
  readonly #byAddress = new Map<string, ServersAtAddress>();
  readonly #orders = new Map<string, number>();

  constructor(integrations: readonly Integration[], keysOf: KeysOf) {
    this.#keysOf = keysOf;
    for (const integration of integrations) this.put(integration);
  }

  /** Appends a server, or replaces the one with its ID, whose address stays. */
  put(integration: Integration): void {
    const href = URL.parse(integration.url)?.href;
    if (href === undefined) return;
    const order = this.#orders.get(integration.id) ?? this.#orders.size;
    this.#orders.set(integration.id, order);
    const servers = this.#byAddress.get(href) ?? new ServersAtAddress(this.#keysOf);
    this.#byAddress.set(href, servers);
    servers.put({ integration, order });
  }

  /**
   * The integration that matches an entry of a list: different keys mean different accounts. An entry without headers
   * matches any at its address; one with headers also matches an integration without any for which `takesHeaders` is
   * true. Errors: those of `keysOf`.
   */
  async findSame(
    { address, headers }: ListEntry,
    takesHeaders: (integration: Integration) => boolean = () => true,
  ): Promise<Integration | undefined> {
    const same: KeyedServer[] = [];
    const others: KeyedServer[] = [];
    for (const { servers, parts } of this.#candidates(address)) {
      const found = (await servers.byKeys()).get(signatureOf(parts));
      const exact = found?.byHeaders.get(signatureOf(headers));
      if (exact) same.push(exact);
      const matches = (each: KeyedServer): boolean =>
        headers.length === 0 || (each.headers === noKeys && takesHeaders(each.integration));
      const other = found?.servers.find(matches);
      if (other) others.push(other);
    }
    return inListOrder(same.length > 0 ? same : others)[0];
  }

  /** All integrations at an address as a user writes it: with its keys, or without any. Errors: those of `keysOf`. */
  async findAll(address: URL): Promise<readonly Integration[]> {
    const found: IndexedServer[] = [];
    for (const { servers, parts } of this.#candidates(address)) {
      const named = parts.length === 0 ? servers.all() : (await servers.byKeys()).get(signatureOf(parts))?.servers;
      found.push(...(named ?? []));
    }
    return inListOrder(found);
  }

  /**
   * Ways to split the address into listed part and keys: an earlier version left the path of a server with a sign-in
   * whole.
   */
  #candidates(address: URL): readonly { readonly servers: ServersAtAddress; readonly parts: readonly FixedHeader[] }[] {
    const splits = [{ href: address.href, parts: [] }, splitQuery(address.href), splitAddress(address.href)];
    const hrefs = splits.map(({ href }) => href);
    return splits.flatMap(({ href, parts }, index) => {
      const servers = hrefs.indexOf(href) === index ? this.#byAddress.get(href) : undefined;
      return servers ? [{ servers, parts: parts.map(({ name, value }) => ({ name, value: new Secret(value) })) }] : [];
    });
  }
}

class ServersAtAddress {
  readonly #keysOf: KeysOf;
  readonly #servers = new Map<string, IndexedServer>();
  #byKeys = new Map<string, SameAddress>();
  /** Not in `#byKeys` yet. */
  #unread: IndexedServer[] = [];
  #reading: Promise<unknown> = Promise.resolve();

  constructor(keysOf: KeysOf) {
    this.#keysOf = keysOf;
  }

  put(server: IndexedServer): void {
    const isKnown = this.#servers.has(server.integration.id);
    this.#servers.set(server.integration.id, server);
    if (isKnown) [this.#byKeys, this.#unread] = [new Map(), this.all()];
    else this.#unread.push(server);
  }

  all(): IndexedServer[] {
    return [...this.#servers.values()];
  }

  /** By the keys in the address. A server whose keys the vault does not have is in no group. */
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

function inListOrder(servers: readonly IndexedServer[]): readonly Integration[] {
  return servers.toSorted((one, other) => one.order - other.order).map(({ integration }) => integration);
}

/** The same string for the same keys in any order. */
export function signatureOf(keys: readonly FixedHeader[]): string {
  return JSON.stringify(keys.map(canonicalKey).toSorted());
}

const noKeys = signatureOf([]);

function canonicalKey({ name, value }: FixedHeader): string {
  const isPart = isAddressPart(name);
  return JSON.stringify(isPart ? [name, percentDecode(value.reveal())] : [name.toLowerCase(), value.reveal()]);
}
