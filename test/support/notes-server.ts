import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { NodeStreamableHTTPServerTransport, toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { ServerProtocol } from '../../shared/integration.ts';
import { afterTest } from './after-test.ts';
import { serveHttp } from './loopback-server.ts';

export const notesUri = 'notes://today';
const uri = notesUri;

/** A server with the official library whose only resource and whose tools change, in one protocol revision. */
export async function startNotesServer(protocol: ServerProtocol) {
  let text = 'first';
  let tools = ['look'];
  const subscriptions: string[] = [];
  const unsubscribed: string[] = [];
  const streams: ServerResponse[] = [];
  const began: string[] = [];
  const ended: string[] = [];
  const servers: McpServer[] = [];
  const create = (): McpServer => {
    const server = new McpServer(
      { name: 'notes', version: '1' },
      { capabilities: { resources: { subscribe: true }, tools: { listChanged: true } } },
    );
    server.registerResource('today', uri, {}, () => ({ contents: [{ uri, text }] }));
    for (const name of tools) addTool(server, name);
    if (protocol === 'stateless') return server;
    server.server.setRequestHandler('resources/subscribe', ({ params }) => {
      subscriptions.push(params.uri);
      return {};
    });
    server.server.setRequestHandler('resources/unsubscribe', ({ params }) => {
      unsubscribed.push(params.uri);
      return {};
    });
    servers.push(server);
    return server;
  };
  const sessions = new Map<string, NodeStreamableHTTPServerTransport>();
  const handler = createMcpHandler(create, { legacy: 'reject' });
  const modern = toNodeHandler(handler);
  async function serveSession(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readText(request);
    const id = request.headers['mcp-session-id'];
    if (id !== undefined && !sessions.has(String(id))) return void response.writeHead(404).end();
    if (request.method === 'GET') streams.push(response);
    const transport = sessions.get(String(id)) ?? (await openSession());
    await transport.handleRequest(request, response, body === '' ? undefined : JSON.parse(body));
  }
  async function openSession(): Promise<NodeStreamableHTTPServerTransport> {
    const transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => {
        began.push(id);
        sessions.set(id, transport);
      },
      onsessionclosed: (id) => {
        ended.push(id);
        sessions.delete(id);
      },
    });
    await create().connect(transport);
    return transport;
  }
  const server = await serveHttp((request, response) => {
    if (new URL(request.url ?? '', 'http://notes').pathname !== '/mcp') return void response.writeHead(404).end();
    if (protocol === 'stateless') {
      if (request.headers['mcp-method'] === 'subscriptions/listen') {
        subscriptions.push(uri);
        streams.push(response);
        response.once('close', () => unsubscribed.push(uri));
      }
      return void modern(request as IncomingMessage & { method: string; url: string }, response);
    }
    void serveSession(request, response);
  });
  afterTest(() => server[Symbol.asyncDispose]());
  return {
    url: `${server.origin}/mcp`,
    /** Active subscriptions; without sessions also to lists. */
    subscriptions,
    unsubscribed,
    /** Streams for messages from the server, oldest first. */
    streams,
    began,
    ended,
    async change(to: string) {
      text = to;
      if (protocol === 'stateless') return handler.notify.resourceUpdated(uri);
      for (const { server: each } of servers) if (each.transport) await each.sendResourceUpdated({ uri });
    },
    async addTool(name: string) {
      tools = [...tools, name];
      if (protocol === 'stateless') return handler.notify.toolsChanged();
      // The library sends this itself.
      for (const each of servers) if (each.server.transport) addTool(each, name);
    },
    /** Ends every session and stream, as some hosts do regularly. */
    async endStreams() {
      for (const transport of sessions.values()) await transport.close();
      sessions.clear();
    },
  };
}

function addTool(server: McpServer, name: string): void {
  server.registerTool(name, { inputSchema: z.object({}) }, () => ({ content: [] }));
}
