import { request as httpRequest } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { openHttpEndpoint, someSecret } from '../../support/http-endpoint.ts';
import {
  acknowledged,
  changed,
  hangUp,
  statelessMeta,
  startSubscribedSession,
  subscriptionId,
} from '../../support/subscribed-session.ts';
import { event, sendJson } from '../../support/raw-mcp-server.ts';
import type { RawRequest } from '../../support/raw-mcp-server.ts';

interface Heard {
  readonly id?: unknown;
  readonly method?: string;
  readonly result?: unknown;
  readonly params?: { readonly _meta?: Readonly<Record<string, unknown>>; readonly notifications?: unknown };
}

/** A stateless server that an app uses over HTTP. */
async function startStatelessServer() {
  const { fixture, server, notify, engine, integration, served } = await startSubscribedSession();
  const { secretHash, authorization } = someSecret();
  await served.allow(integration, { secretHash });
  const { port, send: askAt } = await openHttpEndpoint(served);
  const path = `/mcp/${(await engine.ports.store.read(integration.id))?.alias}`;
  const fields = {
    authorization,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
  };
  const asText = (id: number | string, method: string, params: object) =>
    JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta: statelessMeta } });
  let id = 0;
  const ask = async (method: string, params: { name?: string } = {}): Promise<unknown> => {
    const headers = { ...fields, 'mcp-method': method, ...(params.name !== undefined && { 'mcp-name': params.name }) };
    return JSON.parse((await askAt(headers, { path, body: asText((id += 1), method, params) })).text);
  };
  const listen = (as: number | string, notifications: object) => {
    const heard: Heard[] = [];
    const stream = { heard, isOver: false };
    const headers = { ...fields, 'mcp-method': 'subscriptions/listen' };
    const request = httpRequest({ host: '127.0.0.1', port, path, method: 'POST', headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        const events = (text + part).split('\n\n');
        text = events.pop() ?? '';
        for (const each of events) if (each.startsWith('data: ')) heard.push(JSON.parse(each.slice(6)) as Heard);
      });
      response.on('error', () => {}).once('close', () => (stream.isOver = true));
    });
    request.on('error', () => {});
    onTestFinished(() => void request.destroy());
    request.end(asText(as, 'subscriptions/listen', { notifications }));
    return stream;
  };
  return { fixture, server, ask, listen, notify };
}

const methods = (heard: readonly Heard[]) => heard.map(({ method }) => method);
it('notifies a stateless app that subscribed while its server was offline', async () => {
  const { fixture, server, ask, listen, notify } = await startStatelessServer();
  await ask('tools/list');
  fixture.before = hangUp;
  expect(await ask('tools/list')).toMatchObject({ result: { tools: [{ name: 'add' }] } });
  const { heard } = listen('mine', { toolsListChanged: true, resourceSubscriptions: ['a:b'] });
  await expect.poll(() => heard).toHaveLength(1);
  expect(heard[0]).toMatchObject({
    method: acknowledged,
    params: { notifications: { toolsListChanged: true }, _meta: { [subscriptionId]: 'mine' } },
  });
  expect(heard[0]?.params?.notifications).toEqual({ toolsListChanged: true });
  fixture.before = () => false;
  await expect.poll(() => methods(heard)).toEqual([acknowledged, changed('tools')]);
  expect(heard[1]?.params?._meta).toEqual({ [subscriptionId]: 'mine' });
  await expect.poll(() => fixture.subscriptions).toHaveLength(1);
  const [subscription] = fixture.subscriptions;
  if (subscription) notify(subscription, 'notifications/resources/updated', { uri: 'a:b' });
  await expect.poll(() => methods(heard)).toEqual([acknowledged, changed('tools'), 'notifications/resources/updated']);
  // Only Postern's own check and its subscription were sent meanwhile.
  expect(server.methods().filter((method) => method === 'tools/call')).toEqual([]);
});

it('keeps a subscription when the server goes offline, and resumes it', async () => {
  const { fixture, ask, listen, notify } = await startStatelessServer();
  await ask('tools/list');
  const stream = listen(7, { toolsListChanged: true });
  await expect.poll(() => methods(stream.heard)).toEqual([acknowledged]);
  let requestCount = 0;
  fixture.before = (request) => {
    requestCount += 1;
    return hangUp(request);
  };
  fixture.subscriptions[0]?.response.destroy();
  // Postern's own check; the server is not back yet.
  await expect.poll(() => requestCount).toBeGreaterThan(1);
  expect(methods(stream.heard)).toEqual([acknowledged]);
  fixture.before = () => false;
  await expect.poll(() => fixture.subscriptions).toHaveLength(2);
  const [, again] = fixture.subscriptions;
  if (again) notify(again, changed('prompts'));
  await expect.poll(() => methods(stream.heard)).toEqual([acknowledged, changed('tools'), changed('prompts')]);
  expect(stream.heard[1]?.params?._meta).toEqual({ [subscriptionId]: 7 });
  expect(stream.isOver).toBe(false);
});

it('ends a subscription that its server ends, with the final response', async () => {
  const { fixture, listen } = await startStatelessServer();
  const stream = listen('mine', { toolsListChanged: true });
  await expect.poll(() => fixture.subscriptions).toHaveLength(1);
  const result = { resultType: 'complete', _meta: { [subscriptionId]: 'mine' } };
  fixture.subscriptions[0]?.response.end(event({ id: 'mine', result }));
  await expect.poll(() => stream.isOver).toBe(true);
  expect(stream.heard).toMatchObject([{ method: acknowledged }, { id: 'mine', result }]);
});

it('delivers missed notifications on the next subscription, after its acknowledgement', async () => {
  const { fixture, ask, listen } = await startStatelessServer();
  await ask('tools/list');
  fixture.before = hangUp;
  expect(await ask('tools/list')).toMatchObject({ result: { tools: [{ name: 'add' }] } });
  let hasAsked = false;
  fixture.before = () => {
    hasAsked = true;
    return false;
  };
  await expect.poll(() => hasAsked).toBe(true);
  const other = listen('other', { promptsListChanged: true });
  await expect.poll(() => methods(other.heard)).toEqual([acknowledged]);
  const { heard } = listen('mine', { toolsListChanged: true });
  await expect.poll(() => methods(heard)).toEqual([acknowledged, changed('tools')]);
  const later = listen('later', { toolsListChanged: true });
  await expect.poll(() => methods(later.heard)).toEqual([acknowledged]);
  expect(methods(other.heard)).toEqual([acknowledged]);
});

it('notifies a stateless app of what changed after a slow response', async () => {
  const { fixture, ask, listen } = await startStatelessServer();
  await ask('tools/list');
  const { heard } = listen('mine', { toolsListChanged: true });
  await expect.poll(() => methods(heard)).toEqual([acknowledged]);
  const held: RawRequest[] = [];
  fixture.before = (request) => request.message.method === 'tools/list' && held.push(request) > 0;
  expect(await ask('tools/list')).toMatchObject({ result: { tools: [{ name: 'add' }] } });
  const [slow] = held;
  if (slow) sendJson(slow, { result: { resultType: 'complete', tools: [] } });
  await expect.poll(() => methods(heard)).toEqual([acknowledged, changed('tools')]);
});
