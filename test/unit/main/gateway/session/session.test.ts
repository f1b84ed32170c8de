import { expect, it } from 'vitest';
import { AppBudget } from '../../../../../main/gateway/limits/message-budget.ts';
import { Session } from '../../../../../main/gateway/session/session.ts';
import type { SessionPorts } from '../../../../../main/gateway/session/session-ports.ts';
import { gatewaySession } from '../../../../../main/limits.ts';

/** A session whose server takes a notification when the test says so. */
function openSession() {
  const atServer: (() => void)[] = [];
  const ports = {
    budget: new AppBudget(),
    admit: () => {},
    permits: { refuses: () => false },
    upstream: { tell: () => new Promise<void>((resolve) => void atServer.push(resolve)) },
  };
  return { session: new Session(ports as unknown as SessionPorts), atServer };
}

const notification = Buffer.from('{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}');
const settled = async (): Promise<void> => await new Promise((resolve) => void setImmediate(resolve));

it('reads no more of an app whose server has still to take a few notifications', async () => {
  const { session, atServer } = openSession();
  const read: number[] = [];
  const reading = (async () => {
    for (let at = 1; at <= 200; at += 1) {
      await session.receive(notification);
      read.push(at);
    }
  })();
  await settled();
  expect(atServer).toHaveLength(gatewaySession.tellingAtOnce);
  expect(gatewaySession.tellingAtOnce).toBeLessThan(gatewaySession.atOnce);
  expect(read).toHaveLength(atServer.length - 1);

  atServer.shift()?.();
  await settled();
  expect(atServer).toHaveLength(gatewaySession.tellingAtOnce);
  while (read.length < 200) {
    for (const take of atServer.splice(0)) take();
    await settled();
  }
  await reading;
});
