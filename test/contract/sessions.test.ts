import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node';
import { McpServer } from '@modelcontextprotocol/server';
import { expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { runInProcess } from '../support/command-in-process.ts';
import { serveHttp } from '../support/loopback-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { createTestEngine } from '../support/test-engine.ts';

/**
 * A server of the official library, version 2, with a session for each client; `endBefore` drops all of them when
 * that message comes.
 */
async function startSessionServer() {
  const sessions = new Map<string, NodeStreamableHTTPServerTransport>();
  const began: string[] = [];
  const ended: string[] = [];
  let calls = 0;
  const open = async (): Promise<NodeStreamableHTTPServerTransport> => {
    const transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => {
        began.push(id);
        sessions.set(id, transport);
      },
    });
    const server = new McpServer({ name: 'sessions', version: '1.0.0' });
    server.registerTool('add', { inputSchema: z.object({ a: z.number(), b: z.number() }) }, ({ a, b }) => {
      calls += 1;
      return { content: [{ type: 'text', text: String(a + b) }] };
    });
    await server.connect(transport);
    return transport;
  };
  let ending: string | undefined;
  let endsAlways = false;
  const server = await serveHttp((request, response) => {
    void readText(request).then((text) => serve(request, response, text));
  });

  async function serve(request: IncomingMessage, response: ServerResponse, text: string): Promise<void> {
    const message: unknown = text === '' ? undefined : JSON.parse(text);
    if (ending !== undefined && text.includes(`"${ending}"`)) {
      if (!endsAlways) ending = undefined;
      sessions.clear();
    }
    const id = request.headers['mcp-session-id'];
    // A server may take its time with that: nobody waits for it.
    if (request.method === 'DELETE') return void ended.push(String(id));
    const known = typeof id === 'string' ? sessions.get(id) : undefined;
    if (new URL(request.url ?? '', 'http://sessions').pathname !== '/mcp' || (id !== undefined && !known)) {
      return void response.writeHead(404).end();
    }
    const transport = known ?? (await open());
    await transport.handleRequest(request, response, message);
  }

  onTestFinished(() => server[Symbol.asyncDispose]());
  const endBefore = (method: string, always = false): void => {
    ending = method;
    endsAlways = always;
  };
  return { url: `${server.origin}/mcp`, began, ended, endBefore, calls: () => calls };
}

it('uses a server of the official library, version 2, that gives each client a session', async () => {
  const server = await startSessionServer();
  const engine = createTestEngine();
  const { integration, tools } = await engine.connect(server.url);
  expect(tools.map(({ name }) => name)).toEqual(['add']);
  expect(integration.protocol).toBe('session');
  expect(await engine.call(integration, 'add', { a: 2, b: 3 })).toBe('5');
});

it('opens a new session if such a server ended the last one before a call, and calls once', async () => {
  const server = await startSessionServer();
  const engine = createTestEngine();
  const { integration } = await engine.connect(server.url);
  const before = server.began.length;
  server.endBefore('tools/call');
  expect(await engine.call(integration, 'add', { a: 2, b: 3 })).toBe('5');
  expect([server.began.length - before, server.calls()]).toEqual([2, 1]);
});

it('reports it if such a server ends the new session as well, and calls nothing', async () => {
  const server = await startSessionServer();
  const engine = createTestEngine();
  const { integration } = await engine.connect(server.url);
  server.endBefore('tools/call', true);
  await expect(engine.call(integration, 'add', { a: 2, b: 3 })).rejects.toMatchObject({ code: 'SESSION_ENDED' });
  expect(server.calls()).toBe(0);
});

it('is notified by a command that its session is over, without a wait (session management 5)', async () => {
  const server = await startSessionServer();
  const home = temporaryFolder();
  const run = (...args: string[]) => runInProcess([...args, '--json'], { home });
  expect((await run('connect', server.url, '--local', '--name', 'x')).code).toBe(0);
  const before = server.began.length;
  expect(await run('call', 'x', 'add', 'a:=2', 'b:=3')).toMatchObject({ code: 0, last: { content: [{ text: '5' }] } });
  expect(server.ended).toEqual(expect.arrayContaining(server.began.slice(before)));
  expect(server.began.length).toBeGreaterThan(before);
});
