import { describe, expect, it, vi } from 'vitest';
import { createLiveSteps } from '../../../../../main/cli/output/live-steps.ts';
import { recordedSink } from '../../../../support/recorded-sink.ts';

function open({ isTerminal = true, env = {}, columns = 40 } = {}) {
  const sink = recordedSink({ isTerminal });
  return { sink, steps: createLiveSteps({ sink, env, columns: () => columns }) };
}

describe('createLiveSteps', () => {
  it('ticks on a terminal and leaves one line for each step', () => {
    vi.useFakeTimers();
    try {
      const { sink, steps } = open();
      let left = 9;
      steps.begin(() => `Waiting ${left--}`);
      vi.advanceTimersByTime(250);
      steps.end('done', 'Signed in');
      vi.advanceTimersByTime(1_000);
      expect(sink.text).toContain('⠙ Waiting 8');
      expect(sink.text.endsWith('\r\u001b[2K\u001b[32m✓\u001b[0m Signed in\n')).toBe(true);
    } finally {
      vi.useRealTimers();
    }
  });

  it('moves with ASCII where the locale has no more', () => {
    const { sink, steps } = open({ env: { LC_ALL: 'C' } });
    steps.begin('Asking');
    steps.clear();
    expect(sink.text).toContain('| Asking');
  });

  it('cuts a moving line to the width of the terminal', () => {
    const { sink, steps } = open({ columns: 20 });
    steps.begin('x'.repeat(100));
    steps.clear();
    expect(sink.text).toContain(`⠋ ${'x'.repeat(16)}…\r`);
  });

  it('writes plain lines, without escapes, where there is no terminal', () => {
    const { sink, steps } = open({ isTerminal: false });
    steps.begin('Asking');
    steps.end('failed', 'No answer');
    expect(sink.text).toBe('no  No answer\n');
  });

  it.each([{ TERM: 'dumb' }, { CI: '1' }])('does not move lines with %o', (env) => {
    const { sink, steps } = open({ env });
    steps.begin('Asking');
    steps.end('done', 'Answered');
    expect(sink.text).toBe('ok  Answered\n');
  });

  it('uses no color with NO_COLOR', () => {
    const { sink, steps } = open({ env: { NO_COLOR: '1' } });
    steps.end('done', 'Answered');
    expect(sink.text).toBe('✓ Answered\n');
  });
});
