import { describe, expect, it } from 'vitest';
import type { IpcEvent } from '../../shared/ipc-event.ts';
import { createTestDesktop } from '../support/test-desktop.ts';
import type { TestDesktop } from '../support/test-desktop.ts';
import { event, inputSchema, startWireServer, textResult } from '../support/wire-server.ts';
import type { WireRequest, WireServer } from '../support/wire-server.ts';

const tools = [{ name: 'slow', inputSchema }];
const input = (id: string, call: string) => ({ id, call, name: 'slow', arguments: {} });

/** A desktop that knows a server whose calls are answered as the test says. */
async function openSlow(
  era: 'legacy' | 'modern',
  answer: (request: WireRequest) => void,
): Promise<{ desktop: TestDesktop; server: WireServer; id: string }> {
  const server = await startWireServer(era, tools, (request) => {
    if (request.message.method !== 'tools/call') return false;
    answer(request);
    return true;
  });
  const desktop = await createTestDesktop();
  const { integration } = await desktop.engine.connect(server.url);
  return { desktop, server, id: integration.id };
}

const progressIn = ({ messages }: TestDesktop) =>
  messages.map((text) => JSON.parse(text) as IpcEvent).filter((message) => message.event === 'progress');
const tokenOf = ({ text }: WireRequest): unknown =>
  (JSON.parse(text) as { params: { _meta?: { progressToken?: unknown } } }).params._meta?.progressToken;

describe.for(['legacy', 'modern'] as const)('a call of the window on the %s wire', (era) => {
  it('shows how far it is, as text and not more often than it can be read (MCP 2025-11-25, progress)', async () => {
    const { desktop, id } = await openSlow(era, (request) => {
      const { message, response } = request;
      const tell = (params: object): void => {
        const progressToken = tokenOf(request);
        response.write(event({ method: 'notifications/progress', params: { progressToken, ...params } }));
      };
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      tell({ progress: 1, total: 4, message: 'First\u202Enext\nline' });
      for (let progress = 1; progress < 4; progress += 0.01) tell({ progress, total: 4 });
      response.end(event({ id: message.id, ...textResult('Done') }));
    });
    const { content } = await desktop.call('integration:callTool', input(id, 'a'));
    expect(content).toMatchObject([{ text: 'Done' }]);
    const told = progressIn(desktop);
    expect(told[0]).toMatchObject({ call: 'a', progress: 1, total: 4 });
    expect(told[0]?.message).not.toMatch(/[\u202E\n]/u);
    expect(told.length).toBeLessThan(100);
  });

  it('is stopped by the person, and the server is told', async () => {
    const asked = Promise.withResolvers<WireRequest>();
    const { desktop, server, id } = await openSlow(era, asked.resolve);
    const call = desktop.refuse('integration:callTool', input(id, 'a'));
    const request = await asked.promise;
    const left = new Promise((resolve) => request.response.once('close', resolve));
    // The id of another call stops nothing.
    await desktop.call('integration:stopCall', { call: 'b' });
    expect(request.response.closed).toBe(false);
    await desktop.call('integration:stopCall', { call: 'a' });
    expect(await call).toMatchObject({ code: 'CALL_INTERRUPTED' });
    if (era === 'modern') await left;
    else {
      const cancelled = server.came.find(({ message }) => message.method === 'notifications/cancelled');
      expect(cancelled?.message.params?.requestId).toEqual(request.message.id);
    }
    expect((await desktop.seen(({ integrations }) => integrations?.find((one) => one.id === id))).status.name).toBe(
      'ready',
    );
  });
});
