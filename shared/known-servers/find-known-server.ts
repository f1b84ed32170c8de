import { knownServers } from '../known-servers.ts';
import type { KnownServer } from './known-server.ts';

/** Every address of a service, those of before included. */
export function addressesOf({ address, others = [], moved = [] }: KnownServer): readonly string[] {
  return [address, ...others.map((other) => other.address), ...moved];
}

/**
 * The service whose server this is: the same address but for its query, or else another one at an origin that belongs
 * to no other service of the list.
 */
export function findKnownServer(url: string): KnownServer | undefined {
  const place = placeOf(url);
  const same = knownServers.find((server) => addressesOf(server).some((address) => fits(placeOf(address), place)));
  if (same) return same;
  const origin = originOf(place);
  const others = knownServers.filter((server) =>
    addressesOf(server).some((address) => originOf(placeOf(address)) === origin),
  );
  return others.length === 1 ? others[0] : undefined;
}

/** Where a service has moved to from this address. */
export function findMoved(url: string): KnownServer | undefined {
  const place = placeOf(url);
  return knownServers.find(({ moved = [] }) => moved.some((address) => placeOf(address) === place));
}

/** The one service whose own page this is. */
export function findByPage(url: string): KnownServer | undefined {
  const place = placeOf(url);
  const found = knownServers.filter(({ home, app }) =>
    [home, app?.page].some((page) => page !== undefined && placeOf(page) === place),
  );
  return found.length === 1 ? found[0] : undefined;
}

/**
 * Those whose names begin with the words come first, then those that have them elsewhere. `told`: what a service does,
 * in the language of the person.
 */
export function searchKnownServers(
  text: string,
  servers: readonly KnownServer[] = knownServers,
  told: (text: string) => string = (english) => english,
): readonly KnownServer[] {
  const wanted = text.trim().toLowerCase();
  const rank = ({ name, maker = '', does, address }: KnownServer): number => {
    const own = name.toLowerCase();
    if (own === wanted) return 0;
    if (own.startsWith(wanted)) return 1;
    if (` ${own}`.includes(` ${wanted}`)) return 2;
    return [own, maker, does, told(does), address].some((part) => part.toLowerCase().includes(wanted)) ? 3 : 4;
  };
  return servers
    .map((server) => ({ server, rank: rank(server) - (server.popular ? 0.5 : 0) }))
    .filter((each) => each.rank < 3.5)
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ server }) => server);
}

/** Without query and final slash; a host has no capitals. */
function placeOf(url: string): string {
  const [, origin = '', path = ''] = /^(https?:\/\/[^/?#]*)([^?#]*)/iu.exec(url.trim()) ?? [];
  return `${origin.toLowerCase()}${path.replace(/\/$/u, '')}`;
}

const originOf = (place: string): string => place.split('/').slice(0, 3).join('/');

/** `{name}` stands for a part. Where it is the whole host, any host would fit, and would be taken for the service. */
function fits(known: string, place: string): boolean {
  if (!known.includes('{')) return known === place;
  if (/^https:\/\/\{\w+\}\//u.test(known)) return false;
  const pattern = known.replaceAll(/[.*+?^$()|[\]\\]/gu, String.raw`\$&`).replaceAll(/\{\w+\}/gu, String.raw`[\w.-]+`);
  return new RegExp(`^${pattern}$`, 'u').test(place);
}
