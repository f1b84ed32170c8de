import type { LookupFunction } from 'node:net';
import type { buildConnector as UndiciConnector } from 'undici';
import buildConnector from 'undici/lib/core/connect.js';
import type { AddressPolicy } from '../address/address-policy.ts';
import { canonicalHost } from '../address/canonical-host.ts';
import { checkAddress, checkResolvedAddress } from '../address/check-address.ts';
import { classifyHost } from '../address/classify-host.ts';
import { deadline } from '../limits.ts';
import { PosternError } from '../postern-error.ts';
import type { HostAddress, HostLookup } from './host-lookup.ts';

type Protocol = 'http:' | 'https:';

/** Replaced by the stage of the request that wanted the connection. */
const stage = 'probe';

/** RFC 6761 section 6.3: never asked from the network. A server may listen on either of the two. */
const loopback: readonly HostAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/**
 * Connects only to addresses that the policy allows: the name is resolved once, every address of the answer is checked,
 * and the socket goes to one of exactly these (no second look-up between check and connect). TLS server name and `Host`
 * stay the name. Certificates are always verified, whatever the environment says. `ca` (PEM) stands in for the default
 * certificate authorities.
 */
export function createPinnedConnector(
  policy: AddressPolicy,
  options: { readonly lookup: HostLookup; readonly ca?: readonly string[] | undefined },
): UndiciConnector.connector {
  /** Names whose answer has passed before: a later bad answer is a rebinding, not a mistake in the address. */
  const passed = new Set<string>();

  async function resolve(protocol: Protocol, hostname: string): Promise<HostAddress[]> {
    if (classifyHost(hostname) === 'loopback') return [...loopback];
    const addresses = [...(await options.lookup(hostname))];
    const key = `${protocol}//${canonicalHost(hostname)}`;
    try {
      for (const { address } of addresses) checkResolvedAddress({ protocol, hostname }, address, policy, stage);
    } catch (error) {
      if (!passed.has(key)) throw error;
      throw new PosternError('DNS_REBIND', { stage, cause: error, detail: { host: hostname } });
    }
    if (addresses.length === 0) throw new PosternError('DNS_FAIL', { stage, detail: { host: hostname } });
    passed.add(key);
    return addresses;
  }

  function connectorFor(protocol: Protocol): UndiciConnector.connector {
    const lookup: LookupFunction = (hostname, { all }, callback) => void answer(hostname, all === true, callback);
    async function answer(hostname: string, all: boolean, callback: Parameters<LookupFunction>[2]): Promise<void> {
      let addresses: HostAddress[];
      try {
        addresses = await resolve(protocol, hostname);
      } catch (error) {
        callback(error as NodeJS.ErrnoException, []);
        return;
      }
      const first = addresses[0];
      if (all || first === undefined) callback(null, addresses);
      else callback(null, first.address, first.family);
    }
    return buildConnector({
      lookup,
      allowH2: false,
      timeout: deadline.connect,
      autoSelectFamily: true,
      // Explicit, since NODE_TLS_REJECT_UNAUTHORIZED=0 and --tls-min-v1.0 change the defaults.
      rejectUnauthorized: true,
      minVersion: 'TLSv1.2',
      ...(options.ca === undefined ? {} : { ca: [...options.ca] }),
    });
  }

  const connectors = { 'http:': connectorFor('http:'), 'https:': connectorFor('https:') };
  return (target, callback) => {
    const protocol = target.protocol === 'https:' ? 'https:' : 'http:';
    try {
      // The look-up hook is not called for IP literals.
      checkAddress({ protocol, hostname: target.hostname }, policy, stage);
    } catch (error) {
      callback(error as PosternError, null);
      return;
    }
    connectors[protocol](target, callback);
  };
}
