import { getDomain } from 'tldts';
import { canonicalHost } from './canonical-host.ts';

/**
 * The part of a host that one owner holds (public suffix list, private section included: else `github.io` or
 * `workers.dev` would count as one owner). `undefined` for IP literals, `localhost` and bare public suffixes.
 */
export function registrableDomain(hostname: string): string | undefined {
  return getDomain(canonicalHost(hostname), { allowPrivateDomains: true }) ?? undefined;
}

/** Hosts without a registrable domain are the same only when they are identical. */
export function sameRegistrableDomain(one: string, other: string): boolean {
  const domain = registrableDomain(one);
  if (domain !== undefined) return domain === registrableDomain(other);
  return canonicalHost(one) === canonicalHost(other);
}
