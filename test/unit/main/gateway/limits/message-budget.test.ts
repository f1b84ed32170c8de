import { fc, test } from '@fast-check/vitest';
import { describe, expect, it, vi } from 'vitest';
import { MessageBudget } from '../../../../../main/gateway/limits/message-budget.ts';
import { gatewayMessage, gatewaySession, messageBudget } from '../../../../../main/limits.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));
const longest = gatewayMessage.size;

describe('ReadQuota', () => {
  test.prop([
    fc.scheduler(),
    fc.array(fc.array(fc.integer({ min: 1, max: gatewayMessage.size }), { maxLength: 4 }), { maxLength: 8 }),
  ])('buffers no more than the session limit, and every message is completed', async (scheduler, streams) => {
    const quota = new MessageBudget().of('app').openSession();
    let total = 0;
    let most = 0;
    let whole = 0;
    const read = async (messages: readonly number[]): Promise<void> => {
      const holding = quota.open(() => {});
      for (const message of messages) {
        let held = 0;
        for (const part of [Math.ceil(message / 3), Math.ceil(message / 2), message]) {
          await holding.reserve(part);
          total += part - held;
          held = part;
          most = Math.max(most, total);
          await scheduler.schedule(Promise.resolve());
        }
        whole += 1;
        total -= held;
        await holding.reserve(0);
      }
    };
    const reading = Promise.all(streams.map(read));
    await scheduler.waitFor(reading);
    await turn();
    expect(whole).toBe(streams.flat().length);
    expect(most).toBeLessThanOrEqual(gatewaySession.buffer);
  });
});

describe('MessageBudget', () => {
  /** Opens sessions that each buffer the longest response; returns how many of them were disconnected. */
  async function holdMany(budget: MessageBudget, app: string, count: number): Promise<() => number> {
    let hungUp = 0;
    for (let session = 0; session < count; session += 1) {
      const held = budget.of(app).openSession();
      await held.open(() => (hungUp += 1)).reserve(longest);
    }
    await turn();
    return () => hungUp;
  }

  it('disconnects the app that buffers the most if the total is too large, and no other', async () => {
    const budget = new MessageBudget();
    const attacker = await holdMany(budget, 'attacker', 50);
    expect(attacker()).toBe(50 - messageBudget.all / longest);
    const bystander = await holdMany(budget, 'bystander', 1);
    expect(bystander()).toBe(0);
    expect(attacker()).toBe(51 - messageBudget.all / longest);
  });

  it('counts requests, bodies and responses together', async () => {
    const budget = new MessageBudget();
    const answers = await holdMany(budget, 'attacker', messageBudget.all / longest);
    expect(answers()).toBe(0);
    const release = budget.of('bystander').reserve(longest);
    await turn();
    expect(answers()).toBe(2);
    release();
    const body = budget.of('other').openReading(() => expect.fail('it has least'));
    await body.reserve(longest);
    await body.reserve(0);
    await turn();
    expect(answers()).toBe(2);
  });

  it('forgets an app that was removed, and counts what it has in flight toward the total', async () => {
    const budget = new MessageBudget();
    const [removed, other] = [budget.of('removed'), budget.of('other')];
    const release = removed.reserve(messageBudget.all - longest);
    budget.retain(new Set(['other']));
    expect(budget.of('other')).toBe(other);
    expect(budget.of('removed')).not.toBe(removed);
    const reading = vi.fn();
    await other.openReading(reading).reserve(longest);
    await turn();
    expect(reading).toHaveBeenCalledOnce();
    release();
  });

  it('reads one more message of an app whose requests use up its budget, and a second only after the first', async () => {
    const app = new MessageBudget().of('app');
    const release = app.reserve(gatewaySession.buffer - longest);
    const first = app.openReading(() => {});
    const second = app.openReading(() => {});
    await first.reserve(longest);
    let isRead = false;
    const waiting = second.reserve(1).then(() => (isRead = true));
    await turn();
    expect(isRead).toBe(false);
    await first.reserve(0);
    await waiting;
    const third = app.openReading(() => {}).reserve(1);
    release();
    await third;
  });

  it('does not make a disconnected session wait', async () => {
    const budget = new MessageBudget();
    const held = budget
      .of('app')
      .openSession()
      .open(() => {});
    await held.reserve(longest);
    await holdMany(budget, 'app', 50);
    await held.reserve(longest);
    await held.reserve(0);
  });
});
