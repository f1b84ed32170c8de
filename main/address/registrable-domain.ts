import { getDomain } from 'tldts';
import { canonicalHost } from './canonical-host.ts';
import { rentedByHost, rentedNames } from './rented-names.ts';

/**
 * The part of a host that one owner holds (public suffix list, private section included: else `github.io` or
 * `workers.dev` would count as one owner; and the domains that rent out names and are not on it). `undefined` for IP
 * literals, `localhost` and bare public suffixes.
 */
export function registrableDomain(hostname: string): string | undefined {
  const host = canonicalHost(hostname);
  if (rentedByHost.some((domain) => host.endsWith(`.${domain}`))) return host;
  const labels = host.split('.');
  // The longest first: below a rented name may be another one.
  const rented = labels.findIndex((_label, index) => isRented(labels.slice(index)));
  if (rented >= 0) return rented === 0 ? undefined : labels.slice(rented - 1).join('.');
  return getDomain(host, { allowPrivateDomains: true }) ?? undefined;
}

function isRented(labels: readonly string[]): boolean {
  return rentedNames.has(labels.join('.')) || rentedNames.has(['*', ...labels.slice(1)].join('.'));
}

/** Hosts without a registrable domain are the same only when they are identical. */
export function sameRegistrableDomain(one: string, other: string): boolean {
  const domain = registrableDomain(one);
  if (domain !== undefined) return domain === registrableDomain(other);
  return canonicalHost(one) === canonicalHost(other);
}
