import { describe, expect, it } from 'vitest';
import { Publisher } from '../../../../../main/window/ipc/publisher.ts';
import type { IpcEvent } from '../../../../../shared/ipc-event.ts';

function createPublisher(snapshot: (slice: string) => unknown, cost = 0) {
  const sent: IpcEvent[] = [];
  const failures: unknown[] = [];
  const timers: (() => void)[] = [];
  const waits: number[] = [];
  let now = 0;
  const publisher = new Publisher({
    clock: {
      monotonic: () => now,
      after(wait, run) {
        waits.push(wait);
        timers.push(run);
        return () => {};
      },
    },
    snapshot: async (slice) => {
      now += cost;
      return (await snapshot(slice)) as never;
    },
    send: (event) => void sent.push(event),
    onFailure: (error) => void failures.push(error),
  });
  return {
    sent,
    failures,
    timers,
    waits,
    publisher,
    /** Runs all timers, and lets pending work finish. */
    async settle() {
      for (const run of timers.splice(0)) run();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

describe('Publisher', () => {
  it('combines changes into one message with whole slices', async () => {
    const { publisher, sent, settle, timers } = createPublisher(() => []);
    publisher.changed('integrations');
    publisher.changed('connections');
    publisher.changed('integrations');
    expect(timers).toHaveLength(1);
    await settle();
    expect(sent).toEqual([{ event: 'snapshot', slices: { integrations: [], connections: [] } }]);
  });

  it('does not resend an unchanged slice', async () => {
    const { publisher, sent, settle } = createPublisher(() => []);
    for (let round = 0; round < 2; round += 1) {
      publisher.changed('connections');
      await settle();
    }
    expect(sent).toHaveLength(1);
  });

  it('publishes slices in order, however long one takes', async () => {
    const slow = Promise.withResolvers<unknown>();
    const answers: unknown[] = [slow.promise, []];
    const { publisher, sent, settle } = createPublisher(() => answers.shift());
    publisher.changed('connections');
    await settle();
    publisher.changed('integrations');
    await settle();
    expect(sent).toEqual([]);
    slow.resolve([]);
    await settle();
    expect(sent.map((event) => event.event === 'snapshot' && Object.keys(event.slices))).toEqual([
      ['connections'],
      ['integrations'],
    ]);
  });

  it('publishes slow slices less often, but within a second', async () => {
    const { publisher, waits, settle } = createPublisher(() => [], 40);
    for (let round = 0; round < 2; round += 1) {
      publisher.changed('integrations');
      await settle();
    }
    expect(waits).toEqual([30, 320]);
    const slow = createPublisher(() => [], 5_000);
    for (let round = 0; round < 2; round += 1) {
      slow.publisher.changed('integrations');
      await slow.settle();
    }
    expect(slow.waits).toEqual([30, 1_000]);
  });

  it('sends the other slices if one fails, and that one the next time', async () => {
    const answers: unknown[] = [Promise.reject(new Error('unreadable')), [], []];
    const { publisher, sent, failures, settle } = createPublisher(() => answers.shift());
    publisher.changed('integrations');
    publisher.changed('connections');
    await settle();
    expect(failures).toHaveLength(1);
    publisher.changed('integrations');
    await settle();
    expect(sent.map((event) => event.event === 'snapshot' && Object.keys(event.slices))).toEqual([
      ['connections'],
      ['integrations'],
    ]);
  });

  it('sends nothing that the contract does not define, and continues', async () => {
    const answers: unknown[] = [[{ id: 'a', accessToken: 'canary' }], []];
    const { publisher, sent, failures, settle } = createPublisher(() => answers.shift());
    publisher.changed('connections');
    await settle();
    expect(failures).toHaveLength(1);
    publisher.changed('connections');
    await settle();
    expect(sent).toEqual([{ event: 'snapshot', slices: { connections: [] } }]);
  });
});
