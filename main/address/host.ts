import { isIP, isIPv4, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { canonicalHost } from './display-text.ts';

/** Names of cloud metadata services; their addresses are forbidden as well. */
const metadataNames = new Set(['metadata.google.internal', 'metadata.goog', 'instance-data.ec2.internal']);

/**
 * Domains of internal networks: multicast DNS (RFC 6762), home networks (RFC 8375), the one ICANN reserved for private
 * use, and those used in practice (RFC 6762 appendix G).
 */
const internalDomain = /\.(?:local|localdomain|internal|intranet|private|lan|corp|home|home\.arpa)$/;

/** `name`: it depends on what the name resolves to. */
type HostClass = IpClass | 'name';

/**
 * Classifies a host before DNS. RFC 6761 section 6.3: `localhost` and everything below it is loopback. A name of an
 * internal network is private whatever it resolves to: it means a different server on each network, and an outside
 * resolver may answer for it. So is a name without a dot, since the computer's search domains complete it.
 */
export function classifyHost(hostname: string): HostClass {
  const host = canonicalHost(hostname);
  if (isIP(host) !== 0) return classifyIp(host);
  // Not a DNS name (RFC 1035 section 3.1), and resolvers differ in how they treat it: `x.local..` is not below `local`.
  if (host.split('.').includes('')) return 'forbidden';
  if (host === 'localhost' || host.endsWith('.localhost')) return 'loopback';
  if (metadataNames.has(host)) return 'forbidden';
  return !host.includes('.') || internalDomain.test(`.${host}`) ? 'private' : 'name';
}

/** `forbidden` cannot be allowed by the user: link-local, cloud metadata, multicast, reserved, disguised addresses. */
export type IpClass = 'public' | 'loopback' | 'private' | 'forbidden';

/** Metadata services inside otherwise usable ranges, as documented by their clouds. */
const metadataServices = new Set([
  // Alibaba, Azure, Google, Oracle, Scaleway, Akamai (Linode).
  ...['100.100.100.200', 'fd00:100::100:200', '168.63.129.16', 'fd20:ce::254'],
  ...['fd00:c1::a9fe:a9fe', 'fd00:42::42', 'fd00:a9fe:a9fe::1'],
]);

/** AWS services for its own machines: metadata, pod credentials, time, DNS. */
const awsServices = ipaddr.IPv6.parseCIDR('fd00:ec2::/32');

const privateRanges = new Set(['private', 'carrierGradeNat', 'uniqueLocal']);

/** RFC 2544 appendix C.2.2; VPN programs hand these out as stand-ins for real addresses. ipaddr.js says `reserved`. */
const benchmarking = ipaddr.IPv4.parseCIDR('198.18.0.0/15');

/**
 * RFC 4291 section 2.4: the only IPv6 space assigned for global unicast. Needed because ipaddr.js calls every
 * range it does not know unicast, such as the IPv4-compatible `::7f00:1`.
 */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * RFC 6052 section 3.1: the well-known NAT64 prefix. On networks with IPv6 only, every IPv4 server has this form; the
 * prefix for local use (64:ff9b:1::/48, RFC 8215) may map to anything on its network.
 */
const wellKnownNat64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

/**
 * Classifies an IP address (with or without brackets or zone) for the address rule. Text that is not an address is
 * `forbidden`. Only global unicast counts as public (RFC 6890).
 */
export function classifyIp(ip: string): IpClass {
  const text = canonicalHost(ip);
  if (isIPv4(text)) return classifyRange(ipaddr.IPv4.parse(text));
  if (!isIPv6(text)) return 'forbidden';
  // ipaddr.js reads `::10.0.0.1` as the mapped form; the URL parser prints the bits.
  const hexadecimal = new URL(`https://[${text}]`).hostname.slice(1, -1);
  return classifyIpv6(ipaddr.IPv6.parse(hexadecimal));
}

function classifyIpv6(address: ipaddr.IPv6): IpClass {
  const range = address.range();
  if (range === 'ipv4Mapped' || address.match(wellKnownNat64)) return classifyEmbedded(address);
  if (range === 'unicast' && !address.match(globalUnicast)) return 'forbidden';
  if (address.match(awsServices)) return 'forbidden';
  return classifyRange(address);
}

/** Nobody types a disguised private address by accident: an embedded address passes only if it is public. */
function classifyEmbedded(address: ipaddr.IPv6): IpClass {
  const embedded = new ipaddr.IPv4(address.toByteArray().slice(12));
  return classifyRange(embedded) === 'public' ? 'public' : 'forbidden';
}

function classifyRange(address: ipaddr.IPv4 | ipaddr.IPv6): IpClass {
  if (metadataServices.has(address.toString())) return 'forbidden';
  const range = address.range();
  if (range === 'unicast') return 'public';
  if (range === 'loopback') return 'loopback';
  if (address instanceof ipaddr.IPv4 && address.match(benchmarking)) return 'private';
  return privateRanges.has(range) ? 'private' : 'forbidden';
}
