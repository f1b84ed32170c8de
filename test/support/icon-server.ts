import type { IncomingHttpHeaders, RequestListener, ServerResponse } from 'node:http';
import { afterTest } from './after-test.ts';
import { serveHttp } from './loopback-server.ts';

export interface IconServer {
  readonly origin: string;
  readonly url: string;
  /** Requests for anything but MCP, oldest first. */
  readonly requests: readonly { readonly path: string; readonly headers: IncomingHttpHeaders }[];
}

export type Files = Readonly<Record<string, (response: ServerResponse) => void>>;

/** The response for a file of that type. */
export const file =
  (type: string, bytes: Buffer, status = 200) =>
  (response: ServerResponse): void =>
    void response.writeHead(status, { 'content-type': type, 'content-length': bytes.length }).end(bytes);

/** An MCP server without tools that lists `icons`, built from its origin, and serves these files. */
export async function startIconServer(icons: (origin: string) => unknown, files: Files = {}): Promise<IconServer> {
  const requests: { path: string; headers: IncomingHttpHeaders }[] = [];
  const listener: RequestListener = (request, response) => {
    const path = request.url ?? '';
    if (path !== '/mcp') {
      requests.push({ path, headers: request.headers });
      const respond = files[path];
      if (respond) respond(response);
      else response.writeHead(404).end();
      return;
    }
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
    request.on('end', () => {
      if (request.method !== 'POST') return void response.writeHead(405).end();
      const { id, method } = JSON.parse(text) as { id?: number; method: string };
      if (id === undefined) return void response.writeHead(202).end();
      const serverInfo = { name: 'pictured', version: '1', icons: icons(server.origin) };
      const results: Record<string, object> = {
        initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo },
        'tools/list': { tools: [] },
      };
      response.writeHead(200, { 'content-type': 'application/json', 'set-cookie': 'session=canary; Path=/' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] ?? {} }));
    });
  };
  const server = await serveHttp(listener);
  afterTest(() => server[Symbol.asyncDispose]());
  return { origin: server.origin, url: `${server.origin}/mcp`, requests };
}
