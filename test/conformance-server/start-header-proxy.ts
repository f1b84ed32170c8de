import { createServer, request as sendRequest } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { listenOnLoopback } from '../demo/listen-on-loopback.ts';
import type { Opened } from './routes.ts';

/**
 * Adds header fields to each request, which the suite cannot; everything else is forwarded unchanged, even another
 * Host.
 */
export async function startHeaderProxy(target: URL, fields: Readonly<Record<string, string>>): Promise<Opened> {
  const server = createServer((incoming, response) => {
    const { method, headers } = incoming;
    const isOwn = headers.host === host;
    const outgoing = sendRequest(
      target,
      { method, headers: { ...headers, ...fields, ...(isOwn && { host: target.host }) } },
      (reply) => {
        response.writeHead(reply.statusCode ?? 502, reply.headers);
        response.flushHeaders();
        pipeline(reply, response).catch(() => {});
      },
    );
    response.once('close', () => outgoing.destroy());
    outgoing.once('error', () => response.destroy());
    pipeline(incoming, outgoing).catch(() => {});
  });
  const { origin, host } = await listenOnLoopback(server);
  return {
    url: `${origin}/mcp`,
    async close() {
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}
