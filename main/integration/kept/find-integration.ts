import { isAddressPart } from '../../../shared/header-name.ts';
import type { Integration } from '../../../shared/integration.ts';
import { displayText } from '../../address/display-text.ts';
import { AmbiguousReference, closestWord } from '../../closest-word.ts';
import type { FixedHeader } from '../../mcp/http/credential-gate.ts';
import type { IntegrationStore } from '../../ports.ts';
import { PosternError } from '../../postern-error.ts';
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
  const there = address ? await findAtAddress(integrations, address, keysOf) : [];
  if (there.length > 0) return there;
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

/**
 * The integration that an entry of a list is: two entries with different keys are two accounts. One without headers is
 * whatever is used at its address; headers may also be those of an integration that has none, where `takesHeaders`.
 * Errors: those of `keysOf`.
 */
export async function findSameServer(
  integrations: readonly Integration[],
  { address, headers }: EntryOfServer,
  keysOf: KeysOf,
  takesHeaders: (integration: Integration) => boolean = () => true,
): Promise<Integration | undefined> {
  const others: { readonly integration: Integration; readonly hasHeaders: boolean }[] = [];
  for (const { integration, hasKeys, keys } of await readAtAddress(integrations, address, keysOf)) {
    if (!hasKeys) continue;
    const kept = keys.filter(({ name }) => !isAddressPart(name));
    if (sameKeys(kept, headers)) return integration;
    others.push({ integration, hasHeaders: kept.length > 0 });
  }
  const isMeant = ({ integration, hasHeaders }: (typeof others)[number]): boolean =>
    headers.length === 0 || (!hasHeaders && takesHeaders(integration));
  return others.find(isMeant)?.integration;
}

/** All at an address, as a person names it: with the keys in it, or without any. Errors: those of `keysOf`. */
async function findAtAddress(
  integrations: readonly Integration[],
  address: URL,
  keysOf: KeysOf,
): Promise<readonly Integration[]> {
  const found = await readAtAddress(integrations, address, keysOf);
  return found.filter(({ hasKeys, isNamed }) => hasKeys || isNamed).map(({ integration }) => integration);
}

interface AtAddress {
  readonly integration: Integration;
  readonly keys: readonly FixedHeader[];
  /** The keys in the address are those that it is used with. */
  readonly hasKeys: boolean;
  /** The address has no key in it, as every list shows it. */
  readonly isNamed: boolean;
}

async function readAtAddress(
  integrations: readonly Integration[],
  address: URL,
  keysOf: KeysOf,
): Promise<readonly AtAddress[]> {
  // An earlier version has left the path of one that wants a sign-in whole.
  const ways = [{ href: address.href, parts: [] }, splitQuery(address.href), splitAddress(address.href)];
  const found: AtAddress[] = [];
  for (const integration of integrations) {
    const place = URL.parse(integration.url)?.href;
    const way = ways.find(({ href }) => href === place);
    if (!way) continue;
    const wanted = way.parts.map(({ name, value }) => ({ name, value: new Secret(value) }));
    const names = keyNames(integration);
    const sealed = names.filter(isAddressPart);
    const keys = names.length === 0 ? [] : await keysOf(integration);
    const inAddress = keys.filter(({ name }) => isAddressPart(name));
    const hasKeys = sealed.length === wanted.length && sameKeys(inAddress, wanted);
    found.push({ integration, keys, hasKeys, isNamed: wanted.length === 0 });
  }
  return found;
}

/** Whether these are the same keys, in any order. */
export function sameKeys(some: readonly FixedHeader[], others: readonly FixedHeader[]): boolean {
  const [one, other] = [some, others].map((keys) => keys.map((key) => asSent(key)).toSorted());
  return some.length === others.length && one?.every((text, index) => text === other?.[index]) === true;
}

function asSent({ name, value }: FixedHeader): string {
  const isPart = isAddressPart(name);
  return JSON.stringify(isPart ? [name, decoded(value.reveal())] : [name.toLowerCase(), value.reveal()]);
}
