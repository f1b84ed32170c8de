import { expect, it } from 'vitest';
import { AppBudget } from '../../../../../main/gateway/limits/message-budget.ts';
import { CallLog } from '../../../../../main/gateway/responses/call-log.ts';
import { readEnvelope } from '../../../../../main/gateway/messages/envelope.ts';
import type { Envelope, RequestEnvelope } from '../../../../../main/gateway/messages/envelope.ts';
import { AppSubscriptions } from '../../../../../main/gateway/session/app-subscriptions.ts';
import { MessageOrder, AppRequests } from '../../../../../main/gateway/session/app-requests.ts';
import { StaleResponses } from '../../../../../main/gateway/session/session-ports.ts';
import type { SessionPorts } from '../../../../../main/gateway/session/session-ports.ts';
import { collectGarbage } from '../../../../support/collect-garbage.ts';

/** Requests of an app whose server is slow: each listing is answered from the cache, and the test ends it. */
function openRequests() {
  const sent: string[] = [];
  const atServer: { readonly request: RequestEnvelope; readonly end: () => void }[] = [];
  const ports = {
    clock: { after: (_wait: number, run: () => void) => (queueMicrotask(run), () => {}) },
    upstream: {
      request: (request: RequestEnvelope) =>
        new Promise<void>((resolve) => void atServer.push({ request, end: resolve })),
    },
    server: {
      integration: { protocol: 'stateless' },
      catalog: {
        lookUp: async () => Buffer.from('{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}'),
        store: async () => {},
      },
      tools: { learn: async () => {} },
    },
    calls: new CallLog(
      { activity: { add: () => {} }, clock: { now: () => 0, monotonic: () => 0 } },
      { app: 'cursor', server: { integration: { id: 'one', name: 'Notes' } } },
    ),
    capabilities: {
      admit: async () => {},
      filterResponse: async (_request: unknown, response: Buffer) => response,
      watchChanges: () => () => false,
    },
    send: async (message: Buffer | string) => void sent.push(String(message)),
  };
  const session = ports as unknown as SessionPorts;
  const stale = new StaleResponses();
  const requests = new AppRequests(
    session,
    new MessageOrder(new AppBudget()),
    stale,
    new AppSubscriptions(session, stale, () => async () => {}),
  );
  const ask = async (id: number): Promise<WeakRef<Envelope>> => {
    const request = readEnvelope(Buffer.from(`{"jsonrpc":"2.0","id":${id},"method":"tools/list"}`));
    if (request.kind !== 'request') throw new Error('no request');
    await requests.begin(request, {});
    return new WeakRef(request);
  };
  return { requests, stale, sent, atServer, ask };
}

function responseTo(id: number, tools: readonly object[]) {
  const response = readEnvelope(Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, result: { tools } })));
  if (response.kind !== 'response') throw new Error('no response');
  return response;
}

it('releases a request that was answered from the cache and gets no response from the server', async () => {
  const { stale, sent, atServer, ask } = openRequests();
  const requestRef = await ask(1);
  await expect.poll(() => [sent.length, atServer.length]).toEqual([1, 1]);
  atServer.shift()?.end();
  await expect
    .poll(() => {
      collectGarbage();
      return requestRef.deref() === undefined;
    })
    .toBe(true);
  // The cached response may be stale.
  expect(stale.hasAny).toBe(true);
});

it('notifies the app of changes to a cached list, even after a listing that the server never answered', async () => {
  const { requests, sent, atServer, ask } = openRequests();
  await ask(1);
  await expect.poll(() => [sent.length, atServer.length]).toEqual([1, 1]);
  atServer.shift()?.end();
  await ask(2);
  await expect.poll(() => [sent.length, atServer.length]).toEqual([2, 1]);
  await requests.handleResponse(responseTo(2, [{ name: 'another', inputSchema: { type: 'object' } }]));
  expect(sent.slice(2).map((text) => (JSON.parse(text) as { method?: string }).method)).toEqual([
    'notifications/tools/list_changed',
  ]);
});
