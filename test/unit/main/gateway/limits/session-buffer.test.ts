import { fc, test } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import { SessionBuffer } from '../../../../../main/gateway/limits/session-buffer.ts';
import { gatewayMessage, gatewaySession } from '../../../../../main/limits.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('SessionBuffer', () => {
  test.prop([
    fc.scheduler(),
    fc.array(fc.array(fc.integer({ min: 1, max: gatewayMessage.size }), { maxLength: 4 }), { maxLength: 8 }),
  ])('holds no more than the session may, and every message becomes whole', async (scheduler, streams) => {
    const buffer = new SessionBuffer();
    let total = 0;
    let most = 0;
    let whole = 0;
    const read = async (messages: readonly number[]): Promise<void> => {
      const holding = buffer.open();
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
