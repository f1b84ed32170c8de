import { lookup as lookupAddresses } from 'node:dns/promises';
import { connect as connectTcp, isIP } from 'node:net';
import type { LookupFunction, Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { SecureContext } from 'node:tls';
import type { buildConnector } from 'undici';
import type { Stage } from '../../../shared/error-codes.ts';
import { checkResolvedAddress, checkTarget } from '../../address/check-address.ts';
import type { AddressPolicy } from '../../address/check-address.ts';
import { canonicalHost } from '../../address/display-text.ts';
import { classifyHost } from '../../address/host.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { UnsentRequest } from '../../errors/request-error.ts';
import type { CertificateFacts } from '../../errors/request-error.ts';
import { deadline } from '../../limits.ts';
import type { ProxyServer } from './proxy-settings.ts';
import { nameProxy, openTunnel, watchHandshake } from './proxy-tunnel.ts';
import type { TunnelTarget } from './proxy-tunnel.ts';
import { placeOf } from './request-failure.ts';
import type { ConnectionNotes } from './request-failure.ts';

interface HostAddress {
  readonly address: string;
  readonly family: number;
}

/** Every address of a name. Rejects with the resolver's own error (`ENOTFOUND`, `EAI_AGAIN` …). */
export type HostLookup = (hostname: string) => Promise<readonly HostAddress[]>;

/** The operating system's resolver: hosts file, VPN and search domains count, as they do in the browser. */
export const lookupHost: HostLookup = (hostname) => lookupAddresses(hostname, { all: true });

type Protocol = 'http:' | 'https:';

/** Which proxy leads to a target; `undefined`: none. */
export type ChooseProxy = (target: {
  readonly protocol: Protocol;
  readonly hostname: string;
  readonly port: number;
}) => Promise<ProxyServer | undefined>;

interface PinnedConnectorOptions {
  readonly resolve: HostResolver;
  /** Certificate authorities and lowest TLS version. Made at the first connection that needs it. */
  readonly secureContext: () => Promise<SecureContext>;
  readonly proxyFor: ChooseProxy;
  readonly notes: ConnectionNotes;
}

/** Replaced by the stage of the request that wanted the connection. */
const standInStage = 'probe';

/** RFC 6761 section 6.3: never asked from the network. A server may listen on either of the two. */
const loopback: readonly HostAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/** Every address of a name, each checked. Errors: HOST_BLOCKED, DNS_REBIND, DNS_FAIL, and the resolver's own. */
export type HostResolver = (protocol: Protocol, hostname: string) => Promise<HostAddress[]>;

/** The look-ups of one policy. */
export function createHostResolver(policy: AddressPolicy, lookup: HostLookup): HostResolver {
  /** Names whose answer has passed before: a later bad answer is a rebinding, not a mistake in the address. */
  const passed = new Set<string>();
  /** Connections that are wanted at one time share the question: whoever serves the name cannot count them. */
  const asked = new Map<string, Promise<readonly HostAddress[]>>();

  async function lookUpOnce(hostname: string): Promise<readonly HostAddress[]> {
    const host = canonicalHost(hostname);
    let answer = asked.get(host);
    if (answer === undefined) {
      answer = lookup(hostname).finally(() => asked.delete(host));
      asked.set(host, answer);
    }
    return await answer;
  }

  return async (protocol, hostname) => {
    if (classifyHost(hostname) === 'loopback') return [...loopback];
    const addresses = [...(await lookUpOnce(hostname))];
    const key = `${protocol}//${canonicalHost(hostname)}`;
    try {
      for (const { address } of addresses) checkResolvedAddress({ protocol, hostname }, address, policy, standInStage);
    } catch (error) {
      if (!passed.has(key)) throw error;
      throw new PosternError('DNS_REBIND', { stage: standInStage, cause: error, detail: { host: hostname } });
    }
    if (addresses.length === 0) throw new UnsentRequest('DNS_FAIL', { stage: standInStage, fault: 'name-not-found' });
    passed.add(key);
    return addresses;
  };
}

/** Where a connection to an address leads. */
export function targetOf({ protocol, hostname, port }: Pick<URL, 'hostname' | 'port'> & { protocol?: string }) {
  const scheme: Protocol = protocol === 'https:' ? 'https:' : 'http:';
  return { protocol: scheme, hostname, port: Number(port || (scheme === 'https:' ? 443 : 80)) };
}

/**
 * Connects only to addresses that the policy allows: the name is resolved once, every address of the answer is checked,
 * and the socket goes to one of exactly these (no second look-up between check and connect). TLS server name and `Host`
 * stay the name. Certificates are always verified, whatever the environment says. Behind a proxy only what the URL
 * shows can be checked: the proxy resolves the name.
 */
export function createPinnedConnector(
  policy: AddressPolicy,
  options: PinnedConnectorOptions,
): buildConnector.connector {
  function lookupFor(protocol: Protocol): LookupFunction {
    async function answer(hostname: string, all: boolean, callback: Parameters<LookupFunction>[2]): Promise<void> {
      let addresses: HostAddress[];
      try {
        addresses = await options.resolve(protocol, hostname);
      } catch (error) {
        callback(error as NodeJS.ErrnoException, []);
        return;
      }
      const first = addresses[0];
      if (all || first === undefined) callback(null, addresses);
      else callback(null, first.address, first.family);
    }
    return (hostname, { all }, callback) => void answer(hostname, all === true, callback);
  }

  async function tunnelTo(place: string, proxy: ProxyServer, target: TunnelTarget): Promise<Socket> {
    options.notes.openingThrough.set(place, nameProxy(proxy));
    try {
      return await openTunnel(proxy, target, options.secureContext);
    } finally {
      options.notes.openingThrough.delete(place);
    }
  }

  /** Everything that has to be asked before a connection, then what makes it. */
  async function prepare(target: buildConnector.Options): Promise<(callback: buildConnector.Callback) => void> {
    const { protocol, hostname, port } = targetOf(target);
    // The look-up hook is not called for IP literals, nor behind a proxy.
    checkTarget({ protocol, hostname }, policy, standInStage);
    const proxy = await options.proxyFor({ protocol, hostname, port });
    const place = placeOf({ protocol, hostname, port: target.port });
    // Read before the tunnel is open: one that ended meanwhile would say so to nobody.
    const secureContext = protocol === 'https:' ? await options.secureContext() : undefined;
    const tunnel = proxy && (await tunnelTo(place, proxy, { hostname, port }));
    const wanted = { hostname, port, lookup: lookupFor(protocol), stage: standInStage } as const;
    if (!secureContext) {
      return tunnel ? (callback) => callback(null, tunnel) : (callback) => openSocket(wanted, callback);
    }
    // RFC 6066 section 3: the name goes without its root dot. An address is no name.
    const servername = isIP(canonicalHost(hostname)) === 0 ? canonicalHost(hostname) : undefined;
    const secured = {
      ...wanted,
      secureContext,
      ...(servername !== undefined && { servername }),
      ...(tunnel && { socket: tunnel }),
      onCertificateAsked: () => options.notes.askedForCertificate.add(place),
      onCertificateRefused: (certificate: CertificateFacts) => options.notes.refusedCertificate.set(place, certificate),
    };
    return (callback) => openTlsSocket(secured, callback);
  }

  return (target, callback) => void open(target, callback);

  async function open(target: buildConnector.Options, callback: buildConnector.Callback): Promise<void> {
    let connect: (callback: buildConnector.Callback) => void;
    try {
      connect = await prepare(target);
    } catch (error) {
      callback(error as Error, null);
      return;
    }
    connect(callback);
  }
}

interface SocketTarget {
  readonly hostname: string;
  readonly port: number;
  /** Answers the addresses that were checked: the socket goes to one of exactly these. */
  readonly lookup: LookupFunction;
  readonly stage: Stage;
}

interface TlsTarget extends SocketTarget {
  /** RFC 6066 section 3; none where the host is an address. */
  readonly servername?: string;
  readonly secureContext: SecureContext;
  /** A tunnel to the host; else a connection of its own is made. */
  readonly socket?: Socket;
  /** The server asked who we are. */
  readonly onCertificateAsked: () => void;
  /** No connection came about after it had shown this one. */
  readonly onCertificateRefused: (certificate: CertificateFacts) => void;
}

/** Milliseconds without traffic until the system asks whether the other side is still there. */
const keepAliveDelay = 60_000;

/** A TCP connection for undici. Errors: Node's own, and DEADLINE where nobody answers in time. */
function openSocket(target: SocketTarget, callback: buildConnector.Callback): void {
  const { hostname: host, port, lookup } = target;
  const socket = connectTcp({ host, port, lookup, autoSelectFamily: true });
  awaitConnection(socket, 'connect', target, callback);
}

/** The same with TLS. */
function openTlsSocket(target: TlsTarget, callback: buildConnector.Callback): void {
  const { hostname: host, port, lookup, servername, secureContext, socket: tunnel } = target;
  const socket = connectTls({
    ...(tunnel ? { socket: tunnel } : { lookup, autoSelectFamily: true }),
    host,
    port,
    ...(servername !== undefined && { servername }),
    secureContext,
    ALPNProtocols: ['http/1.1'],
    // Explicit, since NODE_TLS_REJECT_UNAUTHORIZED=0 changes the default.
    rejectUnauthorized: true,
  });
  const handshake = watchHandshake(socket);
  awaitConnection(socket, 'secureConnect', target, (...[error, connected]) => {
    if (handshake.asksForCertificate) target.onCertificateAsked();
    if (error === null) return callback(null, connected);
    if (handshake.certificate) target.onCertificateRefused(handshake.certificate);
    callback(error, null);
  });
}

function awaitConnection(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  { stage }: SocketTarget,
  callback: buildConnector.Callback,
): void {
  let isSettled = false;
  const settle: buildConnector.Callback = (...outcome) => {
    clearTimeout(timer);
    if (isSettled) return;
    isSettled = true;
    callback(...outcome);
  };
  const timer = setTimeout(() => {
    const detail = { seconds: deadline.connect / 1_000 };
    socket.destroy(new UnsentRequest('DEADLINE', { stage, fault: 'connect-timeout', detail }));
  }, deadline.connect);
  socket.setKeepAlive(true, keepAliveDelay).setNoDelay(true);
  // Stays: a connection that is given up may still be reset.
  socket.on('error', (error) => settle(error, null));
  socket.once(event, () => settle(null, socket));
}
