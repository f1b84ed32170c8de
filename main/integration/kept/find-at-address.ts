import { isAddressPart } from '../../../shared/header-name.ts';
import type { Integration } from '../../../shared/integration.ts';
import type { FixedHeader } from '../../mcp/http/credential-gate.ts';
import { Secret } from '../../secret.ts';
import { decoded, splitAddress } from '../../secret-words.ts';

/** The fixed headers and address parts that an integration is used with; those that the vault has no more are left out. */
export type KeysOf = (integration: Integration) => Promise<readonly FixedHeader[]>;

export interface EntryOfServer {
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
export async function findAtAddress(
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
  const { href, parts } = splitAddress(address.href);
  const found: AtAddress[] = [];
  for (const integration of integrations) {
    const place = URL.parse(integration.url)?.href;
    // One that wants a sign-in has its whole address on the list.
    const isWhole = place === address.href;
    if (!isWhole && place !== href) continue;
    const wanted = isWhole ? [] : parts.map(({ name, value }) => ({ name, value: new Secret(value) }));
    const { headerName, furtherHeaders = [] } = integration.options;
    const sealed = [...(headerName === undefined ? [] : [headerName]), ...furtherHeaders].filter(isAddressPart);
    const keys = headerName === undefined ? [] : await keysOf(integration);
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
