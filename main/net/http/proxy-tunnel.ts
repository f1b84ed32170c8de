import { connect as connectTcp } from 'node:net';
import type { Socket } from 'node:net';
import { connect as connectTls, TLSSocket } from 'node:tls';
import type { SecureContext } from 'node:tls';
import type { NetworkFault } from '../../../shared/error-catalog/network-errors.ts';
import { displayHost, displayText } from '../../address/display-text.ts';
import { UnsentRequest } from '../../errors/request-error.ts';
import type { CertificateFacts, RequestError } from '../../errors/request-error.ts';
import { deadline, headerBytes } from '../../limits.ts';
import type { ProxyServer } from './proxy-settings.ts';
import { networkFaultOf, validity } from './request-failure.ts';

/** A placeholder; replaced by the stage of the request that needs the connection. */
const stage = 'probe';

export interface TunnelTarget {
  readonly hostname: string;
  readonly port: number;
}

/**
 * A tunnel to `target` (CONNECT, RFC 9110 section 9.3.6). How the proxy resolves the name is beyond our control; TLS
 * inside the tunnel is end to end.
 * Errors: PROXY_FAIL with a fault and the detail `{proxy, reason}`: why the proxy could not be reached, or its
 * response.
 */
export async function openTunnel(
  proxy: ProxyServer,
  target: TunnelTarget,
  secureContext: () => Promise<SecureContext>,
): Promise<Socket> {
  const context = proxy.protocol === 'https:' ? await secureContext() : undefined;
  return await new Promise((resolve, reject) => {
    const { hostname: host, port } = proxy;
    const socket =
      context === undefined
        ? connectTcp({ host, port })
        : connectTls({ host, port, secureContext: context, rejectUnauthorized: true });
    const handshake = socket instanceof TLSSocket ? watchHandshake(socket) : undefined;
    const timer = setTimeout(() => refuse('DEADLINE', 'connect-timeout'), deadline.connect);
    let received = Buffer.alloc(0);

    function settle(): void {
      clearTimeout(timer);
      socket.off('data', read).off('error', onError).off('end', onEnd);
    }
    function fail(error: RequestError): void {
      settle();
      // The abandoned connection may still be reset.
      socket.on('error', () => {});
      socket.destroy();
      reject(error);
    }
    const refuse = (reason: string, fault?: NetworkFault, certificate?: CertificateFacts): void => {
      const detail = { proxy: displayProxy(proxy), reason, ...validity(certificate) };
      fail(new UnsentRequest('PROXY_FAIL', { stage, fault, at: 'proxy', certificate, detail }));
    };
    const onError = (error: Error): void => {
      const { fault, reason = 'CONNECTION' } = networkFaultOf(error, { sent: 'no', hasResponse: false });
      refuse(reason, fault, handshake?.certificate);
    };
    const onEnd = (): void => refuse('CLOSED', 'closed');

    function read(chunk: Buffer): void {
      received = Buffer.concat([received, chunk]);
      const end = received.indexOf('\r\n\r\n');
      if (end < 0) {
        if (received.length > headerBytes) refuse('HEADERS_TOO_LARGE', 'broken-http');
        return;
      }
      const status = /^HTTP\/1\.[01] (\d{3})(?: |\r\n)/.exec(received.toString('latin1', 0, end + 2))?.[1];
      if (status === undefined) return refuse('STATUS_NONE', 'not-http');
      if (!status.startsWith('2')) return refuse(`STATUS_${status}`, statusFaults[status] ?? 'proxy-refused');
      settle();
      // The target never sends first, so these bytes are not from it.
      if (received.length > end + 4) return refuse('EARLY_DATA', 'broken-http');
      resolve(socket);
    }

    socket.on('data', read).once('error', onError).once('end', onEnd);
    socket.once(proxy.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
      socket.write(connectRequest(target, proxy));
    });
  });
}

/** RFC 9110 section 15.5.8, and what proxies return if they cannot resolve the host or connect to it. */
const statusFaults: Readonly<Record<string, NetworkFault>> = {
  407: 'proxy-password',
  502: 'proxy-no-way',
  503: 'proxy-no-way',
  504: 'proxy-no-way',
};

/** A proxy for display: only host and port, since its user info is secret. */
export function displayProxy({ hostname, port }: Pick<ProxyServer, 'hostname' | 'port'>): string {
  return `${displayHost(hostname.includes(':') ? `[${hostname}]` : hostname)}:${port}`;
}

function connectRequest({ hostname, port }: TunnelTarget, { authorization }: ProxyServer): string {
  const name = hostname.replace(/^\[(.*)\]$/, '$1');
  const authority = `${name.includes(':') ? `[${name}]` : name}:${port}`;
  const credentials = authorization === undefined ? '' : `Proxy-Authorization: ${authorization.reveal()}\r\n`;
  return `CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${credentials}\r\n`;
}

/** What a TLS handshake revealed, even if it failed. Filled in during the handshake. */
interface Handshake {
  certificate?: CertificateFacts;
  /** The server asked for a client certificate (RFC 8446 section 4.3.2); we never send one. */
  asksForCertificate?: boolean;
}

/** Characters of one certificate fact. */
const factLength = 300;

/**
 * Reads the certificate before it is verified, since the socket of a rejected one is gone when the error arrives.
 * Node's `secure` event is undocumented; without it, only these facts would be missing.
 */
export function watchHandshake(socket: TLSSocket): Handshake {
  const handshake: Handshake = {};
  socket.prependOnceListener('secure', () => {
    // A client shares signature algorithms with the server only if that asked for a certificate.
    handshake.asksForCertificate = socket.getSharedSigalgs().length > 0;
    const certificate = readCertificateFacts(socket);
    if (certificate) handshake.certificate = certificate;
  });
  return handshake;
}

/** Not `getPeerX509Certificate()`: afterwards Node finds no name in the certificate and rejects it. */
function readCertificateFacts(socket: TLSSocket): CertificateFacts | undefined {
  const certificate = socket.getPeerCertificate();
  if (Object.keys(certificate).length === 0) return undefined;
  const { subject, issuer, valid_from, valid_to, subjectaltname = '', fingerprint256 } = certificate;
  return {
    subject: describeName(subject),
    issuer: describeName(issuer),
    validFrom: describeTime(valid_from),
    validUntil: describeTime(valid_to),
    names: displayText(subjectaltname, factLength),
    fingerprint: displayText(fingerprint256, factLength),
  };
}

/** `CN=server, O=Example`. */
function describeName(name: object): string {
  const parts = Object.entries(name).map(([key, value]) => `${key}=${[value].flat().join(' + ')}`);
  return displayText(parts.join(', '), factLength);
}

function describeTime(text: string): string {
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? 'unknown' : time.toISOString();
}
