import { isIP } from 'node:net';
import { canonicalHost } from './canonical-host.ts';
import { classifyIp } from './classify-ip.ts';
import type { IpClass } from './classify-ip.ts';

/** Names under which cloud machines find their credentials; their addresses are forbidden as well. */
const metadataNames = new Set(['metadata.google.internal', 'metadata.goog', 'instance-data.ec2.internal']);

/**
 * Domains of internal networks: multicast DNS (RFC 6762), home networks (RFC 8375), the one that ICANN keeps for
 * private use, and those that networks use in practice (RFC 6762 appendix G).
 */
const internalDomain = /\.(?:local|localdomain|internal|intranet|private|lan|corp|home|home\.arpa)$/;

/** `name`: only the resolver can tell. */
export type HostClass = IpClass | 'name';

/**
 * What a host is before any look-up. RFC 6761 section 6.3: `localhost` and everything below it is loopback. A name of
 * an internal network is private whatever it resolves to: which server that is differs from network to network, and a
 * resolver outside may answer for it. A name without a dot is one of these, since the computer's search domains
 * complete it.
 */
export function classifyHost(hostname: string): HostClass {
  const host = canonicalHost(hostname);
  if (isIP(host) !== 0) return classifyIp(host);
  // No DNS name (RFC 1035 section 3.1), and resolvers differ in what they make of it: `x.local..` is not below `local`.
  if (host.split('.').includes('')) return 'forbidden';
  if (host === 'localhost' || host.endsWith('.localhost')) return 'loopback';
  if (metadataNames.has(host)) return 'forbidden';
  return !host.includes('.') || internalDomain.test(`.${host}`) ? 'private' : 'name';
}
