import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { MessageBudget } from '../../../../../main/gateway/limits/message-budget.ts';
import { gatewayMessage, gatewaySession, messageBudget } from '../../../../../main/limits.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));
const longest = gatewayMessage.size;

describe('ReadingRoom', () => {
  test.prop([
    fc.scheduler(),
    fc.array(fc.array(fc.integer({ min: 1, max: gatewayMessage.size }), { maxLength: 4 }), { maxLength: 8 }),
  ])('holds no more than the session may, and every message becomes whole', async (scheduler, streams) => {
    const room = new MessageBudget().of('app').openSession();
    let total = 0;
    let most = 0;
    let whole = 0;
    const read = async (messages: readonly number[]): Promise<void> => {
      const holding = room.open(() => {});
      for (const message of messages) {
        let held = 0;
        for (const part of [Math.ceil(message / 3), Math.ceil(message / 2), message]) {
          await holding.hold(part);
          total += part - held;
          held = part;
          most = Math.max(most, total);
          await scheduler.schedule(Promise.resolve());
        }
        whole += 1;
        total -= held;
        await holding.hold(0);
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
  /** Sessions that each hold an answer of the longest kind; answers which of them were hung up on. */
  async function holdMany(budget: MessageBudget, app: string, count: number): Promise<() => number> {
    let hungUp = 0;
    for (let session = 0; session < count; session += 1) {
      const held = budget.of(app).openSession();
      await held.open(() => (hungUp += 1)).hold(longest);
    }
    await turn();
    return () => hungUp;
  }

  it('hangs up on the app that has most where all have too much, and on no other', async () => {
    const budget = new MessageBudget();
    const attacker = await holdMany(budget, 'attacker', 50);
    expect(attacker()).toBe(50 - messageBudget.all / longest);
    const bystander = await holdMany(budget, 'bystander', 1);
    expect(bystander()).toBe(0);
    expect(attacker()).toBe(51 - messageBudget.all / longest);
  });

  it('counts requests, bodies and answers together', async () => {
    const budget = new MessageBudget();
    const answers = await holdMany(budget, 'attacker', messageBudget.all / longest);
    expect(answers()).toBe(0);
    const giveBack = budget.of('bystander').take(longest);
    await turn();
    expect(answers()).toBe(2);
    giveBack();
    const body = budget.of('other').openReading(() => expect.fail('it has least'));
    await body.hold(longest);
    await body.hold(0);
    await turn();
    expect(answers()).toBe(2);
  });

  it('reads one more message of an app whose requests take all that it has, and no second one before that is over', async () => {
    const app = new MessageBudget().of('app');
    const giveBack = app.take(gatewaySession.buffer - longest);
    const first = app.openReading(() => {});
    const second = app.openReading(() => {});
    await first.hold(longest);
    let isRead = false;
    const waiting = second.hold(1).then(() => (isRead = true));
    await turn();
    expect(isRead).toBe(false);
    await first.hold(0);
    await waiting;
    const third = app.openReading(() => {}).hold(1);
    giveBack();
    await third;
  });

  it('lets nobody wait who was hung up on', async () => {
    const budget = new MessageBudget();
    const held = budget
      .of('app')
      .openSession()
      .open(() => {});
    await held.hold(longest);
    await holdMany(budget, 'app', 50);
    await held.hold(longest);
    await held.hold(0);
  });
});
