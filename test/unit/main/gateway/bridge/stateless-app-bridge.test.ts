import { expect, it } from 'vitest';
import { StatelessAppBridge } from '../../../../../main/gateway/bridge/stateless-app-bridge.ts';
import { MessageBudget } from '../../../../../main/gateway/limits/message-budget.ts';
import { readEnvelope } from '../../../../../main/gateway/messages/envelope.ts';
import { messageBudget } from '../../../../../main/limits.ts';
import type { PosternError } from '../../../../../main/errors/postern-error.ts';

const turn = (): Promise<unknown> => new Promise((resolve) => setImmediate(resolve));

/** A stateless app of a collection, which answers its requests or leaves them open. */
function openBridge({ answers }: { readonly answers: boolean }) {
  let refused = 0;
  let count = 0;
  const budget = new MessageBudget().of('app');
  const bridge: StatelessAppBridge = new StatelessAppBridge({
    budget,
    newId: () => `"own ${(count += 1)}"`,
    refuse: (error: PosternError) => {
      throw error;
    },
    requeue: async () => {},
    sendToApp: async (message) => {
      if (String(message).includes('Too many requests are waiting.')) refused += 1;
    },
    sendToCollection: async (bytes) => {
      const request = readEnvelope(bytes);
      if (!answers || request.kind !== 'request') return;
      await bridge.handleCollectionMessage(`{"jsonrpc":"2.0","id":${request.id},"result":{}}`, request.id);
    },
  });
  const ask = async (id: number, method: string, params: object): Promise<void> => {
    const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
    const text = JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta } });
    await bridge.handleAppMessage(readEnvelope(Buffer.from(text)));
    await turn();
  };
  return { bridge, budget, ask, refused: () => refused };
}

it('limits the subscriptions that a stateless app leaves open at a collection', async () => {
  const { bridge, budget, ask, refused } = openBridge({ answers: true });
  const most = Math.ceil(messageBudget.app / messageBudget.overhead);
  for (let id = 1; id <= most + 1; id += 1) await ask(id, 'subscriptions/listen', { notifications: {} });
  const before = refused();
  expect(before).toBeGreaterThan(0);
  await bridge.cancel('1');
  await ask(most + 2, 'subscriptions/listen', { notifications: {} });
  expect(refused()).toBe(before);
  bridge.close();
  expect(budget.fits(messageBudget.app / 4)).toBe(true);
});

it('limits what a stateless app sends while the members of a collection start', async () => {
  const { bridge, budget, ask, refused } = openBridge({ answers: false });
  const text = 'x'.repeat(messageBudget.app / 8);
  for (let id = 1; id <= 16; id += 1) await ask(id, 'tools/call', { name: 'echo', arguments: { text } });
  expect(refused()).toBeGreaterThanOrEqual(8);
  bridge.close();
  expect(budget.fits(text.length)).toBe(true);
});
