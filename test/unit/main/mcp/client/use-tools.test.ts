import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CallPatience } from '../../../../../main/mcp/client/use-tools.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const detail = { host: 'host.example', tool: 'slow' };
const patience = (): CallPatience => new CallPatience({ silence: 60_000, longest: 600_000 }, detail);

describe('the time that a call gets', () => {
  it('ends with silence, and says how long it was', () => {
    const { signal } = patience();
    vi.advanceTimersByTime(59_999);
    expect(signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(signal.reason).toMatchObject({ code: 'CALL_TIMED_OUT', detail: { ...detail, seconds: 60 } });
  });

  it('goes on while the server says something, and not for ever', () => {
    const call = patience();
    for (let told = 0; told < 10; told += 1) {
      expect(call.signal.aborted).toBe(false);
      vi.advanceTimersByTime(59_000);
      call.heard();
    }
    expect(call.signal.aborted).toBe(false);
    vi.advanceTimersByTime(10_000);
    expect(call.signal.reason).toMatchObject({ code: 'CALL_TIMED_OUT', detail: { seconds: 600 } });
  });

  it('does not count what a person needs for an answer, and begins anew after it', async () => {
    const call = patience();
    const answer = Promise.withResolvers<void>();
    const asking = call.without(() => answer.promise);
    vi.advanceTimersByTime(300_000);
    call.heard();
    vi.advanceTimersByTime(100_000);
    expect(call.signal.aborted).toBe(false);
    answer.resolve();
    await asking;
    vi.advanceTimersByTime(59_999);
    expect(call.signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(call.signal.aborted).toBe(true);
  });

  it('is over when nobody waits any more', () => {
    const call = patience();
    call.stop();
    call.heard();
    vi.advanceTimersByTime(600_000);
    expect(call.signal.aborted).toBe(false);
    expect(vi.getTimerCount()).toBe(0);
  });
});
