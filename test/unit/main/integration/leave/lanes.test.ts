import { describe, expect, it } from 'vitest';
import { createLanes } from '../../../../../main/integration/leave/lanes.ts';

describe('createLanes', () => {
  it('runs no more than its limit at one time, all of them, and is idle after the last', async () => {
    const lanes = createLanes(3);
    let [running, most, ended] = [0, 0, 0];
    for (let number = 0; number < 20; number += 1) {
      lanes.add(async () => {
        running += 1;
        most = Math.max(most, running);
        for (let turn = 0; turn <= number % 4; turn += 1) await Promise.resolve();
        running -= 1;
        ended += 1;
      });
    }
    await lanes.idle();
    expect({ running, most, ended }).toEqual({ running: 0, most: 3, ended: 20 });
  });

  it('takes more after it was idle', async () => {
    const lanes = createLanes(1);
    const seen: number[] = [];
    lanes.add(async () => void seen.push(1));
    await lanes.idle();
    lanes.add(async () => void seen.push(2));
    await lanes.idle();
    await lanes.idle();
    expect(seen).toEqual([1, 2]);
  });
});
