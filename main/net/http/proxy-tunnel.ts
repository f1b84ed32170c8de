import { connect as connectTcp } from 'node:net';
import type { Socket } from 'node:net';
import { connect as connectTls, TLSSocket } from 'node:tls';
import type { SecureContext } from 'node:tls';
import type { NetworkFault } from '../../../shared/error-catalogue/network-errors.ts';
import { displayHost, displayText } from '../../address/display-text.ts';
import { UnsentRequest } from '../../errors/request-error.ts';
import type { CertificateFacts, RequestError } from '../../errors/request-error.ts';
import { deadline, headerBytes } from '../../limits.ts';
import type { ProxyServer } from './proxy-settings.ts';
import { networkFaultOf, validity } from './request-failure.ts';

/** Replaced by the stage of the request that wanted the connection. */
const stage = 'probe';

export interface TunnelTarget {
  readonly hostname: string;
  readonly port: number;
}

/**
 * A connection to `target` through the proxy (CONNECT, RFC 9110 section 9.3.6). What the proxy does with the name
 * cannot be seen from here; everything inside the tunnel, TLS and its certificate included, is the target's.
 * Errors: PROXY_FAIL with its fault and detail `{proxy, reason}`: what stood in the way of the proxy itself, or what it
 * answered.
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
      // A late reset of a connection that is given up.
      socket.on('error', () => {});
      socket.destroy();
      reject(error);
    }
    const refuse = (reason: string, fault?: NetworkFault, certificate?: CertificateFacts): void => {
      const detail = { proxy: nameProxy(proxy), reason, ...validity(certificate) };
      fail(new UnsentRequest('PROXY_FAIL', { stage, fault, at: 'proxy', certificate, detail }));
    };
    const onError = (error: Error): void => {
      const { fault, reason = 'CONNECTION' } = networkFaultOf(error, { sent: 'no', answered: false });
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
      if (!status.startsWith('2')) return refuse(`STATUS_${status}`, answerFaults[status] ?? 'proxy-refused');
      settle();
      // Nobody in the tunnel speaks before we do: bytes here are not the target's.
      if (received.length > end + 4) return refuse('EARLY_DATA', 'broken-http');
      resolve(socket);
    }

    socket.on('data', read).once('error', onError).once('end', onEnd);
    socket.once(proxy.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
      socket.write(connectRequest(target, proxy));
    });
  });
}

/** RFC 9110 section 15.5.8, and what proxies answer that could not look the host up or connect to it. */
const answerFaults: Readonly<Record<string, NetworkFault>> = {
  407: 'proxy-password',
  502: 'proxy-no-way',
  503: 'proxy-no-way',
  504: 'proxy-no-way',
};

/** A proxy as a person reads it: host and port alone, since its user info is a secret. */
export function nameProxy({ hostname, port }: Pick<ProxyServer, 'hostname' | 'port'>): string {
  return `${displayHost(hostname.includes(':') ? `[${hostname}]` : hostname)}:${port}`;
}

function connectRequest({ hostname, port }: TunnelTarget, { authorization }: ProxyServer): string {
  const name = hostname.replace(/^\[(.*)\]$/, '$1');
  const authority = `${name.includes(':') ? `[${name}]` : name}:${port}`;
  const credentials = authorization === undefined ? '' : `Proxy-Authorization: ${authorization.reveal()}\r\n`;
  return `CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${credentials}\r\n`;
}

/** What a TLS handshake showed, whatever became of the connection. Filled while it goes on. */
interface Handshake {
  certificate?: CertificateFacts;
  /** The server asked who we are (RFC 8446 section 4.3.2); we never say. */
  asksForCertificate?: boolean;
}

/** Characters of one fact. */
const factLength = 300;

/**
 * Notes the certificate before it is judged: the socket of a refused one is gone when the error comes. `secure` is not
 * in the documentation of Node; without it there would be no facts, and nothing else would change.
 */
export function watchHandshake(socket: TLSSocket): Handshake {
  const handshake: Handshake = {};
  socket.prependOnceListener('secure', () => {
    // A client has signature algorithms in common with its server only when that asked for a certificate.
    handshake.asksForCertificate = socket.getSharedSigalgs().length > 0;
    const certificate = readFacts(socket);
    if (certificate) handshake.certificate = certificate;
  });
  return handshake;
}

/** Not `getPeerX509Certificate()`: after it Node finds no name in the certificate any more, and refuses it. */
function readFacts(socket: TLSSocket): CertificateFacts | undefined {
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
