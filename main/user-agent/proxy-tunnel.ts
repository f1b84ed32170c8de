import { connect as connectTcp } from 'node:net';
import type { Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { SecureContext } from 'node:tls';
import { deadline, headerBytes } from '../limits.ts';
import { PosternError } from '../postern-error.ts';
import type { ProxyServer } from './proxy-server.ts';

/** Replaced by the stage of the request that wanted the connection. */
const stage = 'probe';

export interface TunnelTarget {
  readonly hostname: string;
  readonly port: number;
}

/**
 * A connection to `target` through the proxy (CONNECT, RFC 9110 section 9.3.6). What the proxy does with the name cannot
 * be seen from here; everything inside the tunnel, TLS and its certificate included, is the target's.
 * Errors: PROXY_FAIL with detail `{proxy, reason}`, DEADLINE after the connect deadline.
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
    const timer = setTimeout(
      () => fail(new PosternError('DEADLINE', { stage, detail: { host, seconds: deadline.connect / 1_000 } })),
      deadline.connect,
    );
    let received = Buffer.alloc(0);

    function settle(): void {
      clearTimeout(timer);
      socket.off('data', read).off('error', onError).off('end', onEnd);
    }
    function fail(error: PosternError): void {
      settle();
      // A late reset of a connection that is given up.
      socket.on('error', () => {});
      socket.destroy();
      reject(error);
    }
    const refuse = (reason: string): void =>
      fail(new PosternError('PROXY_FAIL', { stage, detail: { proxy: `${host}:${port}`, reason } }));
    const onError = (error: NodeJS.ErrnoException): void =>
      refuse(/^[A-Z][A-Z0-9_]{0,59}$/.test(error.code ?? '') ? (error.code ?? '') : 'CONNECTION');
    const onEnd = (): void => refuse('CLOSED');

    function read(chunk: Buffer): void {
      received = Buffer.concat([received, chunk]);
      const end = received.indexOf('\r\n\r\n');
      if (end < 0) {
        if (received.length > headerBytes) refuse('HEADERS_TOO_LARGE');
        return;
      }
      const status = /^HTTP\/1\.[01] (\d{3})(?: |\r\n)/.exec(received.toString('latin1', 0, end + 2))?.[1];
      if (status === undefined || !status.startsWith('2')) return refuse(`STATUS_${status ?? 'NONE'}`);
      settle();
      // Nobody in the tunnel speaks before we do: bytes here are not the target's.
      if (received.length > end + 4) return refuse('EARLY_DATA');
      resolve(socket);
    }

    socket.on('data', read).once('error', onError).once('end', onEnd);
    socket.once(proxy.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
      socket.write(connectRequest(target, proxy));
    });
  });
}

function connectRequest({ hostname, port }: TunnelTarget, { authorization }: ProxyServer): string {
  const name = hostname.replace(/^\[(.*)\]$/, '$1');
  const authority = `${name.includes(':') ? `[${name}]` : name}:${port}`;
  const credentials = authorization === undefined ? '' : `Proxy-Authorization: ${authorization.reveal()}\r\n`;
  return `CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${credentials}\r\n`;
}
