import { afterEach, describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../../../main/host/system-ports.ts';

afterEach(() => void vi.useRealTimers());

describe('systemClock', () => {
  it.each([2 ** 31 - 1, 2 ** 31, 2 ** 40, Number.MAX_SAFE_INTEGER, Infinity])(
    'does not fire at once for a wait of %d ms, unlike a Node timer (TK-06)',
    (milliseconds) => {
      vi.useFakeTimers();
      let fired = 0;
      const cancel = systemClock.after(milliseconds, () => (fired += 1));
      vi.advanceTimersByTime(86_400_000);
      expect(fired).toBe(0);
      cancel();
      expect(vi.getTimerCount()).toBe(0);
    },
  );

  it('fires once, at once for a wait that is over', () => {
    vi.useFakeTimers();
    let fired = 0;
    systemClock.after(-5, () => (fired += 1));
    vi.advanceTimersByTime(1);
    vi.advanceTimersByTime(1_000);
    expect(fired).toBe(1);
  });
});
