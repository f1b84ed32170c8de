import { createServer } from 'node:http';
import { listenOnLoopback } from '../demo/listen-on-loopback.ts';

export interface RefusingProxy {
  /** Variables that send every request of an app that is not for this computer to it. */
  readonly environment: Readonly<Record<string, string>>;
  /** Hosts that were requested. */
  readonly hosts: readonly string[];
  forget(): void;
  close(): Promise<void>;
}

/** Replaces the internet: rejects everything, and records which hosts were to be reached. */
export async function startRefusingProxy(): Promise<RefusingProxy> {
  const hosts: string[] = [];
  const server = createServer((request, response) => {
    hosts.push(URL.parse(request.url ?? '')?.host ?? request.url ?? '');
    response.writeHead(502).end();
  });
  server.on('connect', ({ url = '' }, socket) => {
    hosts.push(url);
    socket.on('error', () => undefined);
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
  });
  const { origin } = await listenOnLoopback(server);
  const own = '127.0.0.1,localhost,::1';
  return {
    environment: {
      ...{ HTTP_PROXY: origin, HTTPS_PROXY: origin, ALL_PROXY: origin, NO_PROXY: own },
      ...{ http_proxy: origin, https_proxy: origin, all_proxy: origin, no_proxy: own },
      NODE_USE_ENV_PROXY: '1',
    },
    hosts,
    forget: () => void (hosts.length = 0),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
