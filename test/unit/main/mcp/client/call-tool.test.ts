import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CallTimeout } from '../../../../../main/mcp/client/call-tool.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const detail = { host: 'host.example', tool: 'slow' };
const callTimeout = (): CallTimeout => new CallTimeout({ silence: 60_000, longest: 600_000 }, detail);

describe('the time limit of a call', () => {
  it('expires after silence, and reports how long it lasted', () => {
    const { signal } = callTimeout();
    vi.advanceTimersByTime(59_999);
    expect(signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(signal.reason).toMatchObject({ code: 'CALL_TIMED_OUT', detail: { ...detail, seconds: 60 } });
  });

  it('is extended by activity, but not forever', () => {
    const call = callTimeout();
    for (let round = 0; round < 10; round += 1) {
      expect(call.signal.aborted).toBe(false);
      vi.advanceTimersByTime(59_000);
      call.noteActivity();
    }
    expect(call.signal.aborted).toBe(false);
    vi.advanceTimersByTime(10_000);
    expect(call.signal.reason).toMatchObject({ code: 'CALL_TIMED_OUT', detail: { seconds: 600 } });
  });

  it('is paused while the user answers a question, and restarts afterwards', async () => {
    const call = callTimeout();
    const response = Promise.withResolvers<void>();
    const asking = call.pauseDuring(() => response.promise);
    vi.advanceTimersByTime(300_000);
    call.noteActivity();
    vi.advanceTimersByTime(100_000);
    expect(call.signal.aborted).toBe(false);
    response.resolve();
    await asking;
    vi.advanceTimersByTime(59_999);
    expect(call.signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(call.signal.aborted).toBe(true);
  });

  it('never expires once the call is over', () => {
    const call = callTimeout();
    call.stop();
    call.noteActivity();
    vi.advanceTimersByTime(600_000);
    expect(call.signal.aborted).toBe(false);
    expect(vi.getTimerCount()).toBe(0);
  });
});
