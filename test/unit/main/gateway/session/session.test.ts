import { expect, it } from 'vitest';
import { AppBudget } from '../../../../../main/gateway/limits/message-budget.ts';
import { Session } from '../../../../../main/gateway/session/session.ts';
import type { SessionPorts } from '../../../../../main/gateway/session/session-ports.ts';
import { gatewaySession } from '../../../../../main/limits.ts';

/** A session whose server accepts a notification when the test lets it. */
function openSession() {
  const atServer: (() => void)[] = [];
  const ports = {
    budget: new AppBudget(),
    admit: () => {},
    capabilities: { mustBlock: () => false },
    upstream: { sendOneWay: () => new Promise<void>((resolve) => void atServer.push(resolve)) },
  };
  return { session: new Session(ports as unknown as SessionPorts), atServer };
}

const notification = Buffer.from('{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}');
const settled = async (): Promise<void> => await new Promise((resolve) => void setImmediate(resolve));

it('stops reading from an app while its server has a few undelivered notifications', async () => {
  const { session, atServer } = openSession();
  const read: number[] = [];
  const reading = (async () => {
    for (let at = 1; at <= 200; at += 1) {
      await session.receive(notification);
      read.push(at);
    }
  })();
  await settled();
  expect(atServer).toHaveLength(gatewaySession.concurrentDeliveries);
  expect(gatewaySession.concurrentDeliveries).toBeLessThan(gatewaySession.concurrentRequests);
  expect(read).toHaveLength(atServer.length - 1);

  atServer.shift()?.();
  await settled();
  expect(atServer).toHaveLength(gatewaySession.concurrentDeliveries);
  while (read.length < 200) {
    for (const take of atServer.splice(0)) take();
    await settled();
  }
  await reading;
});
