import { describe, expect, it } from 'vitest';
import { everyPipeKind, startPipe } from '../../support/pipe-process.ts';
import {
  acknowledged,
  changed,
  hangUp,
  statelessMeta,
  startSubscribedSession,
  subscriptionId,
} from '../../support/subscribed-session.ts';

/** What a stateless app listens on, through a pipe, the gateway and a server that goes offline. */

const suites = everyPipeKind.map((pipe) => ({
  pipe,
  name: pipe.missing ? `${pipe.name} (${pipe.missing})` : pipe.name,
}));

const request = (id: number | string, method: string, params: object = {}) => ({
  jsonrpc: '2.0',
  id,
  method,
  params: { ...params, _meta: statelessMeta },
});
const listens = (id: number | string) =>
  request(id, 'subscriptions/listen', { notifications: { toolsListChanged: true, resourceSubscriptions: ['a:b'] } });
const notification = (id: number | string, method: string, params: object = {}) => ({
  jsonrpc: '2.0',
  method,
  params: { ...params, _meta: { [subscriptionId]: id } },
});
const yes = (id: number | string) => notification(id, acknowledged, { notifications: { toolsListChanged: true } });

describe.skipIf(process.platform === 'win32').for(suites)('the $name pipe', ({ pipe }) => {
  async function open() {
    const started = await startSubscribedSession();
    const { engine, integration, served } = started;
    const record = await served.allow(integration);
    const words = ['--profile-folder', engine.folder, integration.alias ?? integration.id, '--app', record];
    return { ...started, app: startPipe(pipe, words) };
  }

  it.skipIf(pipe.missing)(
    'listens for an app while its server is offline, and notifies it once that is back',
    async () => {
      const { app, fixture, notify } = await open();
      app.send(request(1, 'tools/list'));
      expect(await app.next()).toMatchObject({ id: 1, result: { tools: [{ name: 'add' }] } });
      fixture.before = hangUp;
      app.send(listens('mine'));
      expect(await app.next()).toEqual(yes('mine'));
      fixture.before = () => false;
      expect(await app.next()).toEqual(notification('mine', changed('tools')));
      await expect.poll(() => fixture.subscriptions).toHaveLength(1);
      const [subscription] = fixture.subscriptions;
      if (subscription) notify(subscription, 'notifications/resources/updated', { uri: 'a:b' });
      expect(await app.next()).toEqual(notification('mine', 'notifications/resources/updated', { uri: 'a:b' }));
    },
  );

  it.skipIf(pipe.missing)('does so for one that has requested nothing else', async () => {
    const { app, fixture } = await open();
    fixture.before = hangUp;
    app.send(listens(1));
    expect(await app.next()).toEqual(yes(1));
    fixture.before = () => false;
    await expect.poll(() => fixture.subscriptions).toHaveLength(1);
    expect(await app.next()).toEqual(notification(1, changed('tools')));
  });

  it.skipIf(pipe.missing)(
    'keeps listening if the server goes offline in between, and when it ends the subscription',
    async () => {
      const { app, fixture, notify } = await open();
      app.send(request(1, 'tools/list'), listens(7));
      const first = [await app.next(), await app.next()];
      expect(first).toContainEqual(yes(7));
      let asked = 0;
      fixture.before = (one) => {
        asked += 1;
        return hangUp(one);
      };
      fixture.subscriptions[0]?.response.destroy();
      await expect.poll(() => asked).toBeGreaterThan(1);
      fixture.before = () => false;
      await expect.poll(() => fixture.subscriptions).toHaveLength(2);
      const [, again] = fixture.subscriptions;
      if (again) notify(again, changed('prompts'));
      expect(await app.next()).toEqual(notification(7, changed('tools')));
      expect(await app.next()).toEqual(notification(7, changed('prompts')));
      again?.response.end(`data: ${JSON.stringify({ jsonrpc: '2.0', id: 7, result: {} })}\n\n`);
      expect(await app.next()).toEqual({ jsonrpc: '2.0', id: 7, result: {} });
    },
  );

  it.skipIf(pipe.missing)('stops listening once the app has cancelled it', async () => {
    const { app, fixture, server } = await open();
    fixture.before = hangUp;
    app.send(listens('mine'));
    expect(await app.next()).toEqual(yes('mine'));
    app.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'mine' } });
    app.send(listens('other'));
    expect(await app.next()).toEqual(yes('other'));
    // The server disconnected, so it may have been asked again before the app cancelled.
    const asked = () => server.received.filter(({ message }) => message.id === 'mine').length;
    const before = asked();
    fixture.before = () => false;
    await expect.poll(() => fixture.subscriptions).toHaveLength(1);
    expect(fixture.subscriptions.map(({ message }) => message.id)).toEqual(['other']);
    app.send(request(2, 'tools/call', { name: 'add' }));
    await expect.poll(() => app.lines().some((line) => line.includes('"id":2'))).toBe(true);
    expect(asked()).toBe(before);
  });
});
