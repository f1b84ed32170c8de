import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, inputRequired, McpServer } from '@modelcontextprotocol/server';
import type { IncomingMessage } from 'node:http';
import { onTestFinished } from 'vitest';
import * as z from 'zod';
import { serveHttp } from './loopback-server.ts';

export const where = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] } as const;
export const uri = 'notes://today';

/** A server with the official library that only speaks the stateless revision. */
export async function startStatelessServer() {
  const levels: unknown[] = [];
  const calls: unknown[] = [];
  let hasMore = false;
  const handler = createMcpHandler(
    () => {
      const server = new McpServer(
        { name: 'newer', version: '2' },
        { capabilities: { logging: {}, resources: { subscribe: true } }, instructions: 'Ask.' },
      );
      server.registerTool('echo', { inputSchema: z.object({ n: z.number() }) }, ({ n }, { mcpReq }) => {
        calls.push('echo');
        levels.push((mcpReq.envelope as Record<string, unknown>)['io.modelcontextprotocol/logLevel']);
        return { content: [{ type: 'text', text: String(n) }] };
      });
      server.registerTool('weather', {}, ({ mcpReq }) => {
        calls.push('weather');
        const response = mcpReq.inputResponses?.['where'];
        if (response === undefined) {
          const form = inputRequired.elicit({ message: 'Where?', requestedSchema: where as never });
          return inputRequired({ inputRequests: { where: form }, requestState: 'asked "once"' });
        }
        return { content: [{ type: 'text', text: JSON.stringify([response, mcpReq.requestState()]) }] };
      });
      server.registerTool('slowly', {}, async ({ mcpReq }) => {
        await mcpReq.notify({
          method: 'notifications/progress',
          params: { progressToken: mcpReq._meta?.progressToken ?? 0, progress: 1, total: 2 },
        });
        return { content: [{ type: 'text', text: 'done' }] };
      });
      if (hasMore) server.registerTool('more', {}, () => ({ content: [] }));
      server.registerResource('today', uri, {}, () => ({ contents: [{ uri, text: 'sunny' }] }));
      return server;
    },
    { legacy: 'reject' },
  );
  const handle = toNodeHandler(handler);
  const server = await serveHttp((request, response) => {
    if (new URL(request.url ?? '', 'http://newer').pathname !== '/mcp') return void response.writeHead(404).end();
    void handle(request as IncomingMessage & { method: string; url: string }, response);
  });
  onTestFinished(() => server[Symbol.asyncDispose]());
  return {
    url: `${server.origin}/mcp`,
    levels,
    calls,
    addTool() {
      hasMore = true;
      handler.notify.toolsChanged();
    },
    changeNote: () => handler.notify.resourceUpdated(uri),
  };
}
