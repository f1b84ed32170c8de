import { describe, expect, it } from 'vitest';
import { createWorkQueue } from '../../../../main/engine/work-queue.ts';
import { settle } from '../../../support/refresh-world.ts';

function gated(limit: number) {
  const queue = createWorkQueue(limit);
  const began: string[] = [];
  const gates = new Map<string, () => void>();
  const add = (name: string): void =>
    queue.add(name, async () => {
      began.push(name);
      await new Promise<void>((resolve) => gates.set(name, resolve));
    });
  return { queue, began, add, finish: async (name: string) => (gates.get(name)?.(), await settle()) };
}

describe('createWorkQueue', () => {
  it('runs up to the limit, in order', async () => {
    const { add, began, finish } = gated(2);
    for (const name of ['a', 'b', 'c', 'd']) add(name);
    expect(began).toEqual(['a', 'b']);
    await finish('b');
    expect(began).toEqual(['a', 'b', 'c']);
  });

  it('queues a name once, and runs it again if it was added while running', async () => {
    const { add, began, finish } = gated(1);
    add('a');
    add('b');
    add('b');
    add('a');
    await finish('a');
    await finish('b');
    expect(began).toEqual(['a', 'b', 'a']);
    await finish('a');
    expect(began).toEqual(['a', 'b', 'a']);
  });

  it('is idle after the last task, and then accepts more', async () => {
    const queue = createWorkQueue(3);
    let [running, most, ended] = [0, 0, 0];
    const work = (turns: number) => async () => {
      running += 1;
      most = Math.max(most, running);
      for (let turn = 0; turn <= turns; turn += 1) await Promise.resolve();
      running -= 1;
      ended += 1;
    };
    for (let number = 0; number < 20; number += 1) queue.add(String(number), work(number % 4));
    await queue.idle();
    expect({ running, most, ended }).toEqual({ running: 0, most: 3, ended: 20 });
    queue.add('more', work(1));
    await queue.idle();
    await queue.idle();
    expect(ended).toBe(21);
  });

  it('drops waiting tasks on close, and waits for running ones', async () => {
    const { queue, add, began, finish } = gated(1);
    add('a');
    add('b');
    let isClosed = false;
    const closed = queue.close().then(() => (isClosed = true));
    await settle();
    expect(isClosed).toBe(false);
    await finish('a');
    await closed;
    add('c');
    expect(began).toEqual(['a']);
  });
});
