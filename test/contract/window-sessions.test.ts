import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node';
import { McpServer } from '@modelcontextprotocol/server';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { createFakeClock } from '../support/fake-clock.ts';
import { serveHttp } from '../support/loopback-server.ts';
import { createTestDesktop } from '../support/test-desktop.ts';
import type { TestDesktop, TestDesktopOptions } from '../support/test-desktop.ts';
import { sessionEnds, mediaTypeOf } from '../support/raw-mcp-server.ts';

/** A server of the official library that counts within each session, like one with a cart or a folder. */
async function startCountingServer() {
  const sessions = new Map<string, NodeStreamableHTTPServerTransport>();
  const began: string[] = [];
  const ended: string[] = [];
  const held: ServerResponse[] = [];
  const release = Promise.withResolvers<void>();
  let unknown: (typeof sessionEnds)[number] | undefined;
  let isBroken = false;

  async function open(): Promise<NodeStreamableHTTPServerTransport> {
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
    const server = new McpServer({ name: 'counter', version: '1.0.0' });
    let count = 0;
    server.registerTool('next', { inputSchema: z.object({}) }, () => {
      count += 1;
      return { content: [{ type: 'text', text: String(count) }] };
    });
    server.registerTool('wait', { inputSchema: z.object({}) }, async () => {
      await release.promise;
      return { content: [{ type: 'text', text: 'waited' }] };
    });
    await server.connect(transport);
    return transport;
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await readText(request);
    const id = request.headers['mcp-session-id'];
    const known = typeof id === 'string' ? sessions.get(id) : undefined;
    if (new URL(request.url ?? '', 'http://counter').pathname !== '/mcp') return void response.writeHead(404).end();
    if (isBroken) return void response.writeHead(500).end();
    if (id !== undefined && !known && unknown) {
      const [, status, body] = unknown;
      const content = body(/"id":([^,}]+)/u.exec(text)?.[1] ?? 'null');
      response.writeHead(status, { 'content-type': mediaTypeOf(content) });
      return void response.end(content);
    }
    if (text.includes('"wait"')) held.push(response);
    const transport = known ?? (await open());
    await transport.handleRequest(request, response, text === '' ? undefined : JSON.parse(text));
  }

  const server = await serveHttp((request, response) => void serve(request, response));
  onTestFinished(() => server[Symbol.asyncDispose]());
  return {
    url: `${server.origin}/mcp`,
    began,
    ended,
    waiting: held,
    /** Lets the tool `wait` respond. */
    release: release.resolve,
    /** Responds with 500 to everything from now on. */
    breakDown: () => void (isBroken = true),
    /** It restarts, and responds this way to earlier sessions. */
    restart(counted: (typeof sessionEnds)[number]) {
      unknown = counted;
      sessions.clear();
    },
  };
}

async function openCounting(options: TestDesktopOptions = {}) {
  const server = await startCountingServer();
  const desktop = await createTestDesktop(options);
  const { integration } = await desktop.engine.connect(server.url);
  // The connection that connected the server is closed.
  await expect.poll(() => server.ended.toSorted()).toEqual(server.began.toSorted());
  server.began.length = 0;
  server.ended.length = 0;
  return { server, desktop, id: integration.id };
}

let calls = 0;

async function call(desktop: TestDesktop, id: string, name = 'next'): Promise<unknown> {
  calls += 1;
  const { content } = await desktop.call('integration:callTool', { id, call: `c${calls}`, name, arguments: {} });
  return content[0];
}

const text = (value: string) => expect.objectContaining({ text: value });

describe('the window', () => {
  it('reuses the session of a server from one command to the next', async () => {
    const { server, desktop, id } = await openCounting();
    await desktop.call('integration:tools', { id });
    expect(await call(desktop, id)).toEqual(text('1'));
    expect(await call(desktop, id)).toEqual(text('2'));
    expect([server.began.length, server.ended]).toEqual([1, []]);
  });

  it('shares it between concurrent commands', async () => {
    const { server, desktop, id } = await openCounting();
    const found = await Promise.all([call(desktop, id), call(desktop, id), call(desktop, id)]);
    expect(found).toEqual(expect.arrayContaining([text('1'), text('2'), text('3')]));
    expect(server.began).toHaveLength(1);
  });

  it('ends it with DELETE when the window closes, and opens another one for the next (session management 5)', async () => {
    const { server, desktop, id } = await openCounting();
    await call(desktop, id);
    desktop.composed.desktop.windowsClosed();
    await expect.poll(() => server.ended).toEqual(server.began);
    expect(await call(desktop, id)).toEqual(text('1'));
    await desktop.composed.close();
    expect(server.ended).toEqual(server.began);
  });

  it('ends it after it has been idle for a while, and not before', async () => {
    const clock = createFakeClock();
    const { server, desktop, id } = await openCounting({ clock });
    await call(desktop, id);
    clock.advance(9 * 60_000);
    expect(await call(desktop, id)).toEqual(text('2'));
    clock.advance(9 * 60_000);
    expect(await call(desktop, id)).toEqual(text('3'));
    clock.advance(11 * 60_000);
    await expect.poll(() => server.ended).toEqual(server.began);
  });

  it.each(sessionEnds)('opens a new session after the server has forgotten it: %s', async (...counted) => {
    const { server, desktop, id } = await openCounting();
    await call(desktop, id);
    server.restart(counted);
    expect(await call(desktop, id)).toEqual(text('1'));
    expect(server.began).toHaveLength(2);
  });

  it('keeps it after an error response, and after a canceled call', async () => {
    const { server, desktop, id } = await openCounting();
    await call(desktop, id);
    await expect(call(desktop, id, 'nothing')).rejects.toThrow();
    const stopped = desktop.callFailing('integration:callTool', { id, call: 'stopped', name: 'wait', arguments: {} });
    await expect.poll(() => server.waiting.length).toBe(1);
    await desktop.call('integration:stopCall', { call: 'stopped' });
    await stopped;
    expect(await call(desktop, id)).toEqual(text('2'));
    expect([server.began.length, server.ended]).toEqual([1, []]);
  });

  it('reports what is wrong with a broken server, at the first command and at the next', async () => {
    const { server, desktop, id } = await openCounting();
    await call(desktop, id);
    server.breakDown();
    const input = { id, call: 'broken', name: 'next', arguments: {} };
    for (let round = 0; round < 2; round += 1)
      expect(await desktop.callFailing('integration:callTool', input)).toMatchObject({ code: 'MCP_FAILED' });
  });

  it('uses none that began with another sign-in, as when another process has signed in again', async () => {
    const { server, desktop, id } = await openCounting();
    await call(desktop, id);
    await desktop.engine.ports.store.update(id, (current) => ({ ...current, signedInAt: 1, account: 'other' }));
    expect(await call(desktop, id)).toEqual(text('1'));
    expect(server.began).toHaveLength(2);
    await expect.poll(() => server.ended).toEqual(server.began.slice(0, 1));
  });

  it('cancels no call for another that begins with another sign-in, and ends its session after it', async () => {
    const { server, desktop, id } = await openCounting();
    const waiting = call(desktop, id, 'wait');
    await expect.poll(() => server.waiting.length).toBe(1);
    await desktop.engine.ports.store.update(id, (current) => ({ ...current, signedInAt: 1, account: 'other' }));
    expect(await call(desktop, id)).toEqual(text('1'));
    server.release();
    expect(await waiting).toEqual(text('waited'));
    await expect.poll(() => server.ended).toEqual(server.began.slice(0, 1));
  });

  it('ends it when the server is removed', async () => {
    const { server, desktop, id } = await openCounting();
    await call(desktop, id);
    await desktop.call('integration:remove', { ids: [id] });
    await expect.poll(() => server.ended).toEqual(server.began);
  });

  it('cancels calls in flight when the window closes', async () => {
    const { server, desktop, id } = await openCounting();
    await call(desktop, id);
    const waiting = desktop.callFailing('integration:callTool', { id, call: 'w', name: 'wait', arguments: {} });
    await expect.poll(() => server.waiting.length).toBe(1);
    desktop.composed.desktop.windowsClosed();
    await waiting;
    await expect.poll(() => server.ended).toEqual(server.began);
  });
});
