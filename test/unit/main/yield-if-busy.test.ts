import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { yieldIfBusy, runAsOwner } from '../../../main/yield-if-busy.ts';

/** Blocks the thread. */
function work(milliseconds: number): void {
  for (const until = performance.now() + milliseconds; performance.now() < until;);
}

it('resumes one worker per turn of the event loop, however many there are', async () => {
  let turns = 0;
  const over = new AbortController();
  const count = async (): Promise<void> => {
    for (; !over.signal.aborted; turns += 1) await setImmediate();
  };
  const counting = count();
  const worker = async (): Promise<void> => {
    for (let step = 0; step < 5; step += 1) {
      work(11);
      await yieldIfBusy();
    }
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  over.abort();
  await counting;
  expect(turns).toBeGreaterThanOrEqual(8 * 4);
});

it('delays one owner by only one step of another, however much that has to do', async () => {
  const order: string[] = [];
  const steps = async (whose: string, count: number): Promise<void> => {
    for (let step = 0; step < count; step += 1) {
      work(11);
      order.push(whose);
      await yieldIfBusy();
    }
  };
  const many = Array.from({ length: 8 }, () => runAsOwner('many', () => steps('many', 3)));
  const few = runAsOwner('few', () => steps('few', 3));
  await Promise.all([...many, few]);
  // From the moment both wait.
  expect(order.slice(9, 13).toSorted()).toEqual(['few', 'few', 'many', 'many']);
});

it('never delays short work', async () => {
  await setImmediate();
  let hasTurned = false;
  const turned = setImmediate().then(() => (hasTurned = true));
  for (let step = 0; step < 10; step += 1) await yieldIfBusy();
  expect(hasTurned).toBe(false);
  await turned;
});
