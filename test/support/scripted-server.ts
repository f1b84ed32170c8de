import { createServer } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { onTestFinished } from 'vitest';
import { listenOnLoopback } from '../demo/listen-on-loopback.ts';

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as `application/json`. */
  readonly json?: unknown;
  /** Closes the connection instead of responding. */
  readonly isClosed?: boolean;
}

/** Answers one kind of request. An exception means a client error and fails the test. */
export type Route = (request: Received) => Reply;

export interface ScriptedServer {
  readonly origin: string;
  /** Every request, oldest first. */
  readonly requests: readonly Received[];
}

/**
 * A server that checks its client: a `METHOD path` without a route, or a route that throws, fails the test when it
 * ends, however the client handled the 500.
 */
export async function startScriptedServer(
  createRoutes: (origin: string) => Readonly<Record<string, Route>>,
): Promise<ScriptedServer> {
  const requests: Received[] = [];
  const faults: string[] = [];
  let routes: Readonly<Record<string, Route>> = {};
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const url = new URL(request.url ?? '/', 'http://scripted');
      const received: Received = {
        method: request.method ?? '',
        path: url.pathname,
        query: url.searchParams,
        headers: request.headers,
        text: Buffer.concat(chunks).toString('utf8'),
      };
      requests.push(received);
      const { status = 200, headers = {}, json, isClosed = false } = judge(received);
      if (isClosed) return void request.socket.destroy();
      const type = json === undefined ? {} : { 'content-type': 'application/json' };
      response.writeHead(status, { ...type, ...headers }).end(json === undefined ? '' : JSON.stringify(json));
    });
  });

  function judge(request: Received): Reply {
    const name = `${request.method} ${request.path}`;
    try {
      const route = routes[name];
      if (route === undefined) throw new Error('unexpected');
      return route(request);
    } catch (error) {
      faults.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
      return { status: 500 };
    }
  }

  const { origin } = await listenOnLoopback(server);
  routes = createRoutes(origin);
  onTestFinished(async () => {
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
    if (faults.length > 0) throw new Error(`the server found fault with: ${faults.join('; ')}`);
  });
  return { origin, requests };
}
