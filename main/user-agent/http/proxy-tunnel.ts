import { connect as connectTcp } from 'node:net';
import type { Socket } from 'node:net';
import { TLSSocket, connect as connectTls } from 'node:tls';
import type { SecureContext } from 'node:tls';
import { displayHost } from '../../address/display-host.ts';
import { deadline, headerBytes } from '../../limits.ts';
import { UnsentRequest } from '../../request-error.ts';
import type { CertificateFacts, RequestError } from '../../request-error.ts';
import type { NetworkFault } from '../../../shared/network-fault.ts';
import { networkFaultOf } from './network-fault-of.ts';
import type { ProxyServer } from './proxy-server.ts';
import { validity } from './request-failure.ts';
import { watchHandshake } from './watch-handshake.ts';

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
