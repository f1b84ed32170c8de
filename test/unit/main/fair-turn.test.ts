import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { fairTurn } from '../../../main/fair-turn.ts';

/** Keeps the processor for so many milliseconds. */
function work(milliseconds: number): void {
  for (const until = performance.now() + milliseconds; performance.now() < until;);
}

it('lets one of all that work go on in each turn of the event loop, however many there are', async () => {
  let turns = 0;
  const over = new AbortController();
  const count = async (): Promise<void> => {
    for (; !over.signal.aborted; turns += 1) await setImmediate();
  };
  const counting = count();
  const worker = async (): Promise<void> => {
    for (let step = 0; step < 5; step += 1) {
      work(11);
      await fairTurn();
    }
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  over.abort();
  await counting;
  expect(turns).toBeGreaterThanOrEqual(8 * 4);
});

it('makes short work wait for nothing', async () => {
  await setImmediate();
  let hasTurned = false;
  const turned = setImmediate().then(() => (hasTurned = true));
  for (let step = 0; step < 10; step += 1) await fairTurn();
  expect(hasTurned).toBe(false);
  await turned;
});
