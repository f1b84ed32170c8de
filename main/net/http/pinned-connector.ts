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
import { displayProxy, openTunnel, watchHandshake } from './proxy-tunnel.ts';
import type { TunnelTarget } from './proxy-tunnel.ts';
import { hostAndPort } from './request-failure.ts';
import type { ConnectionNotes } from './request-failure.ts';

interface HostAddress {
  readonly address: string;
  readonly family: number;
}

/** All addresses of a name. Rejects with the resolver's own error (`ENOTFOUND`, `EAI_AGAIN` …). */
export type HostLookup = (hostname: string) => Promise<readonly HostAddress[]>;

/** The operating system's resolver: honors the hosts file, VPN and search domains, as browsers do. */
export const lookupHost: HostLookup = (hostname) => lookupAddresses(hostname, { all: true });

type Protocol = 'http:' | 'https:';

/** The proxy for a target; `undefined` for a direct connection. */
export type ChooseProxy = (target: {
  readonly protocol: Protocol;
  readonly hostname: string;
  readonly port: number;
}) => Promise<ProxyServer | undefined>;

interface PinnedConnectorOptions {
  readonly resolve: HostResolver;
  /** Certificate authorities and minimum TLS version. Created on first use. */
  readonly secureContext: () => Promise<SecureContext>;
  readonly proxyFor: ChooseProxy;
  readonly notes: ConnectionNotes;
}

/** Replaced by the stage of the request that wanted the connection. */
const placeholderStage = 'probe';

/** RFC 6761 section 6.3: never resolved over the network. A server may listen on either address. */
const loopback: readonly HostAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/** All addresses of a name, checked. Errors: HOST_BLOCKED, DNS_REBIND, DNS_FAIL, and the resolver's own. */
export type HostResolver = (protocol: Protocol, hostname: string) => Promise<HostAddress[]>;

/** Resolves names under one policy. */
export function createHostResolver(policy: AddressPolicy, lookup: HostLookup): HostResolver {
  /** Names whose addresses were allowed before: if they are blocked later, it is DNS rebinding, not a wrong URL. */
  const allowed = new Set<string>();
  /** Concurrent connections share a lookup, so that the name server cannot count them. */
  const pending = new Map<string, Promise<readonly HostAddress[]>>();

  async function lookUpOnce(hostname: string): Promise<readonly HostAddress[]> {
    const host = canonicalHost(hostname);
    let addresses = pending.get(host);
    if (addresses === undefined) {
      addresses = lookup(hostname).finally(() => pending.delete(host));
      pending.set(host, addresses);
    }
    return await addresses;
  }

  return async (protocol, hostname) => {
    if (classifyHost(hostname) === 'loopback') return [...loopback];
    const addresses = [...(await lookUpOnce(hostname))];
    const key = `${protocol}//${canonicalHost(hostname)}`;
    try {
      for (const { address } of addresses)
        checkResolvedAddress({ protocol, hostname }, address, policy, placeholderStage);
    } catch (error) {
      if (!allowed.has(key)) throw error;
      throw new PosternError('DNS_REBIND', { stage: placeholderStage, cause: error, detail: { host: hostname } });
    }
    if (addresses.length === 0)
      throw new UnsentRequest('DNS_FAIL', { stage: placeholderStage, fault: 'name-not-found' });
    allowed.add(key);
    return addresses;
  };
}

export function targetOf({ protocol, hostname, port }: Pick<URL, 'hostname' | 'port'> & { protocol?: string }) {
  const scheme: Protocol = protocol === 'https:' ? 'https:' : 'http:';
  return { protocol: scheme, hostname, port: Number(port || (scheme === 'https:' ? 443 : 80)) };
}

/**
 * Connects only to addresses that the policy allows: the name is resolved once, all addresses are checked, and the
 * socket connects to one of exactly these (no second lookup between check and connect, which DNS rebinding would
 * exploit). TLS server name and `Host` remain the name. Certificates are always verified, whatever the environment
 * says. With a proxy only the URL itself can be checked, since the proxy resolves the name.
 */
export function createPinnedConnector(
  policy: AddressPolicy,
  options: PinnedConnectorOptions,
): buildConnector.connector {
  function lookupFor(protocol: Protocol): LookupFunction {
    async function respond(hostname: string, all: boolean, callback: Parameters<LookupFunction>[2]): Promise<void> {
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
    return (hostname, { all }, callback) => void respond(hostname, all === true, callback);
  }

  async function tunnelTo(origin: string, proxy: ProxyServer, target: TunnelTarget): Promise<Socket> {
    options.notes.openingTunnel.set(origin, displayProxy(proxy));
    try {
      return await openTunnel(proxy, target, options.secureContext);
    } finally {
      options.notes.openingTunnel.delete(origin);
    }
  }

  /** Does all checks before a connection; the returned function opens it. */
  async function prepare(target: buildConnector.Options): Promise<(callback: buildConnector.Callback) => void> {
    const { protocol, hostname, port } = targetOf(target);
    // The lookup hook is not called for IP literals, nor with a proxy.
    checkTarget({ protocol, hostname }, policy, placeholderStage);
    const proxy = await options.proxyFor({ protocol, hostname, port });
    const origin = hostAndPort({ protocol, hostname, port: target.port });
    // Before opening the tunnel: if that closed in the meantime, nobody would notice.
    const secureContext = protocol === 'https:' ? await options.secureContext() : undefined;
    const tunnel = proxy && (await tunnelTo(origin, proxy, { hostname, port }));
    const socketTarget = { hostname, port, lookup: lookupFor(protocol), stage: placeholderStage } as const;
    if (!secureContext) {
      return tunnel ? (callback) => callback(null, tunnel) : (callback) => openSocket(socketTarget, callback);
    }
    // RFC 6066 section 3: no trailing dot, and no IP addresses.
    const servername = isIP(canonicalHost(hostname)) === 0 ? canonicalHost(hostname) : undefined;
    const tlsTarget = {
      ...socketTarget,
      secureContext,
      ...(servername !== undefined && { servername }),
      ...(tunnel && { socket: tunnel }),
      onCertificateAsked: () => options.notes.askedForCertificate.add(origin),
      onCertificateRefused: (certificate: CertificateFacts) =>
        options.notes.refusedCertificate.set(origin, certificate),
    };
    return (callback) => openTlsSocket(tlsTarget, callback);
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
  /** Returns the checked addresses; the socket connects to one of exactly these. */
  readonly lookup: LookupFunction;
  readonly stage: Stage;
}

interface TlsTarget extends SocketTarget {
  /** SNI (RFC 6066 section 3); absent if the host is an IP address. */
  readonly servername?: string;
  readonly secureContext: SecureContext;
  /** A proxy tunnel to the host; absent for a direct connection. */
  readonly socket?: Socket;
  /** The server asked for a client certificate. */
  readonly onCertificateAsked: () => void;
  /** The handshake failed after the server had presented this certificate. */
  readonly onCertificateRefused: (certificate: CertificateFacts) => void;
}

/** Milliseconds without traffic before TCP keep-alive probes. */
const keepAliveDelay = 60_000;

/** A TCP connection for undici. Errors: Node's own, and DEADLINE on a connect timeout. */
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
  // Never removed: an abandoned connection may still be reset.
  socket.on('error', (error) => settle(error, null));
  socket.once(event, () => settle(null, socket));
}
