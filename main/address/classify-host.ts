import { isIP } from 'node:net';
import { canonicalHost } from './canonical-host.ts';
import { classifyIp } from './classify-ip.ts';
import type { IpClass } from './classify-ip.ts';

/** Names under which cloud machines find their credentials; their addresses are forbidden as well. */
const metadataNames = new Set(['metadata.google.internal', 'metadata.goog', 'instance-data.ec2.internal']);

/** `name`: only the resolver can tell. */
export type HostClass = IpClass | 'name';

/** What a host is before any look-up. RFC 6761 section 6.3: `localhost` and everything below it is loopback. */
export function classifyHost(hostname: string): HostClass {
  const host = canonicalHost(hostname);
  if (isIP(host) !== 0) return classifyIp(host);
  if (host === 'localhost' || host.endsWith('.localhost')) return 'loopback';
  return metadataNames.has(host) ? 'forbidden' : 'name';
}
