/**
 * A host as it is compared: lower case, without the brackets of an IPv6 literal, the zone or the root dot.
 * `localhost.` and `localhost` are one host to the resolver, so a rule must not tell them apart.
 */
export function canonicalHost(hostname: string): string {
  return hostname
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/%.*$/, '')
    .replace(/\.$/, '');
}
