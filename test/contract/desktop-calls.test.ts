import { describe, expect, it } from 'vitest';
import type { IpcEvent } from '../../shared/ipc-event.ts';
import { startCapabilitiesServer } from '../support/capabilities-server.ts';
import { aPng } from '../support/pictures.ts';
import { createTestDesktop } from '../support/test-desktop.ts';
import type { TestDesktop } from '../support/test-desktop.ts';
import { event, inputSchema, sendJson, startRawServer, textResult } from '../support/raw-mcp-server.ts';
import type { RawRequest, RawServer } from '../support/raw-mcp-server.ts';

const tools = [{ name: 'slow', inputSchema }];
const input = (id: string, call: string) => ({ id, call, name: 'slow', arguments: {} });

/** A desktop with a server whose calls get the test's responses. */
async function openSlow(
  protocol: 'session' | 'stateless',
  respond: (request: RawRequest) => void,
  onPage?: (url: string) => void,
): Promise<{ desktop: TestDesktop; server: RawServer; id: string }> {
  const server = await startRawServer(protocol, tools, (request) => {
    if (request.message.method !== 'tools/call') return false;
    respond(request);
    return true;
  });
  const desktop = await createTestDesktop({ ...(onPage && { onPage }) });
  const { integration } = await desktop.engine.connect(server.url);
  return { desktop, server, id: integration.id };
}

const progressIn = ({ messages }: TestDesktop) =>
  messages.map((text) => JSON.parse(text) as IpcEvent).filter((message) => message.event === 'progress');
const tokenOf = ({ text }: RawRequest): unknown =>
  (JSON.parse(text) as { params: { _meta?: { progressToken?: unknown } } }).params._meta?.progressToken;

it('names what is invalid in a result, a resource and a prompt, as a terminal does', async () => {
  const block = { type: 'text', text: 'read' };
  const results: Readonly<Record<string, object>> = {
    'tools/call': { content: [block, null] },
    'resources/read': { contents: [{ uri: 'a://1', text: 'read' }, null] },
    'prompts/get': { messages: [{ role: 'user', content: block }, null] },
  };
  const server = await startRawServer('session', tools, (request) => {
    const result = results[request.message.method ?? ''];
    if (result) sendJson(request, { result });
    return result !== undefined;
  });
  const desktop = await createTestDesktop();
  const { id } = (await desktop.engine.connect(server.url)).integration;
  const unusablePart = (list: string) => ({ unusable: [{ list, index: 1 }] });
  expect(await desktop.call('integration:callTool', input(id, 'a'))).toMatchObject(unusablePart('content'));
  const uri = 'a://1';
  expect(await desktop.call('integration:readResource', { id, call: 'b', uri })).toMatchObject(
    unusablePart('contents'),
  );
  const requested = { id, call: 'c', name: 'plan', arguments: {} };
  expect(await desktop.call('integration:getPrompt', requested)).toMatchObject(unusablePart('messages'));
});

it('suggests the likely name for a missing one, as a terminal does', async () => {
  const server = await startCapabilitiesServer();
  const desktop = await createTestDesktop();
  const { id } = (await desktop.engine.connect(server.url)).integration;
  const prompt = { id, call: 'a', name: 'plna', arguments: { city: 'Rome' } };
  expect((await desktop.callFailing('integration:getPrompt', prompt)).message).toContain('Did you mean “plan”?');
  const resource = { id, call: 'b', uri: 'notes://blub' };
  expect((await desktop.callFailing('integration:readResource', resource)).message).toContain(
    'Did you mean “notes://blob”?',
  );
});

it('suggests the likely tool if the server rejects one that it does not have', async () => {
  const { desktop, id } = await openSlow('session', (request) =>
    sendJson(request, { result: { content: [], isError: true } }),
  );
  await desktop.call('integration:tools', { id });
  const called = await desktop.call('integration:callTool', { ...input(id, 'a'), name: 'solw' });
  expect(called).toMatchObject({ isError: true, meant: 'slow' });
  expect(await desktop.call('integration:callTool', input(id, 'b'))).not.toHaveProperty('meant');
});

describe('a result', () => {
  const link = 'https://docs.example/page';
  const content = [
    { type: 'text', text: `See [the page](${link}) or javascript:alert(1) or http://docs.example/plain` },
    { type: 'image', data: aPng(3, 2).toString('base64'), mimeType: 'text/html' },
  ];

  async function open() {
    const { desktop, id } = await openSlow('session', ({ message, response }) =>
      sendJson({ message, response }, { result: { content, structuredContent: { a: 1 } } }),
    );
    await desktop.call('integration:callTool', input(id, 'a'));
    return { desktop, id };
  }

  it('is copied as shown and saved as received, under a name that no server chooses', async () => {
    const { desktop } = await open();
    await desktop.call('result:copy', { call: 'a' });
    expect(desktop.copied.at(-1)).toContain('[the page]');
    expect(await desktop.call('result:save', { call: 'a', piece: 1 })).toEqual({ saved: true });
    expect(desktop.saved.at(-1)).toEqual({ name: 'result.png', content: aPng(3, 2) });
    await desktop.call('result:save', { call: 'a', piece: 2 });
    expect(desktop.saved.at(-1)).toMatchObject({ name: 'result.json' });
    for (const refused of [{ call: 'b' }, { call: 'a', piece: 3 }])
      expect(await desktop.callFailing('result:save', refused)).toMatchObject({ code: 'NOT_FOUND' });
  });

  it('IP-24 opens only pages that it names, and only on the web', async () => {
    const pages: string[] = [];
    const { desktop, id } = await openSlow(
      'session',
      ({ message, response }) => sendJson({ message, response }, { result: { content } }),
      (url) => void pages.push(url),
    );
    await desktop.call('integration:callTool', input(id, 'a'));
    await desktop.call('result:open', { call: 'a', url: link });
    expect(pages).toEqual([link]);
    for (const url of ['https://evil.example/', 'javascript:alert(1)', 'http://docs.example/plain', ''])
      await desktop.callFailing('result:open', { call: 'a', url });
    await desktop.callFailing('result:open', { call: 'b', url: link });
    expect(pages).toEqual([link]);
  });

  it('is stored only for the last calls', async () => {
    const { desktop, id } = await open();
    for (const call of ['b', 'c', 'd', 'e', 'f']) await desktop.call('integration:callTool', input(id, call));
    expect(await desktop.callFailing('result:copy', { call: 'a' })).toMatchObject({ code: 'NOT_FOUND' });
    await desktop.call('result:copy', { call: 'f' });
  });
});

describe.for(['session', 'stateless'] as const)('a call from the window (%s)', (protocol) => {
  it('shows its progress as text, no faster than it can be read (MCP 2025-11-25, progress)', async () => {
    const { desktop, id } = await openSlow(protocol, (request) => {
      const { message, response } = request;
      const sendProgress = (params: object): void => {
        const progressToken = tokenOf(request);
        response.write(event({ method: 'notifications/progress', params: { progressToken, ...params } }));
      };
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      sendProgress({ progress: 1, total: 4, message: 'First\u202Enext\nline' });
      for (let progress = 1; progress < 4; progress += 0.01) sendProgress({ progress, total: 4 });
      response.end(event({ id: message.id, ...textResult('Done') }));
    });
    const { content } = await desktop.call('integration:callTool', input(id, 'a'));
    expect(content).toMatchObject([{ text: 'Done' }]);
    const shownProgress = progressIn(desktop);
    expect(shownProgress[0]).toMatchObject({ call: 'a', progress: 1, total: 4 });
    expect(shownProgress[0]?.message).not.toMatch(/[\u202E\n]/u);
    expect(shownProgress.length).toBeLessThan(100);
  });

  it("EL-09 shows the server's log messages with the call that they belong to, at most a hundred short lines", async () => {
    const held: RawRequest[] = [];
    const { desktop, id } = await openSlow(protocol, (request) => {
      request.response.writeHead(200, { 'content-type': 'text/event-stream' });
      request.response.write(':\n\n');
      held.push(request);
    });
    const calls = ['a', 'b'].map((call) => desktop.call('integration:callTool', input(id, call)));
    await expect.poll(() => held.length).toBe(2);
    for (const { message, response } of held) {
      const sendLog = (data: unknown): void =>
        void response.write(event({ method: 'notifications/message', params: { level: 'info', data } }));
      sendLog(`of ${String(message.id)}\u202E${'x'.repeat(1_000)}`);
      for (let line = 0; line < 1_000; line += 1) sendLog({ line });
      response.end(event({ id: message.id, ...textResult(String(message.id)) }));
    }
    const results = await Promise.all(calls);
    const lines = desktop.messages
      .map((text) => JSON.parse(text) as IpcEvent)
      .filter((message) => message.event === 'log');
    for (const [index, call] of ['a', 'b'].entries()) {
      const own = lines.filter((line) => line.call === call);
      expect(own).toHaveLength(100);
      const [piece] = results[index]?.content ?? [];
      expect(own[0]?.text).toMatch(new RegExp(`^of ${piece?.type === 'text' ? piece.text : ''}x{10}`, 'u'));
      expect(own[0]?.text.length).toBeLessThanOrEqual(400);
    }
  });

  it('is stopped by the user, and the server is notified', async () => {
    const requested = Promise.withResolvers<RawRequest>();
    const { desktop, server, id } = await openSlow(protocol, requested.resolve);
    const call = desktop.callFailing('integration:callTool', input(id, 'a'));
    const request = await requested.promise;
    const unusablePart = new Promise((resolve) => request.response.once('close', resolve));
    // The id of another call cancels nothing.
    await desktop.call('integration:stopCall', { call: 'b' });
    expect(request.response.closed).toBe(false);
    await desktop.call('integration:stopCall', { call: 'a' });
    expect(await call).toMatchObject({ code: 'CALL_INTERRUPTED' });
    if (protocol === 'stateless') await unusablePart;
    else {
      const cancelled = () => server.received.find(({ message }) => message.method === 'notifications/cancelled');
      // The session continues, so nobody waits for the server to accept it.
      await expect.poll(() => cancelled()?.message.params?.requestId).toEqual(request.message.id);
    }
    expect((await desktop.waitFor(({ integrations }) => integrations?.find((one) => one.id === id))).status.name).toBe(
      'ready',
    );
  });
});
