import { Writable } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import { createLiveSteps, createTextSink } from '../../../../../main/cli/terminal/terminal-output.ts';
import { recordedSink } from '../../../../support/recorded-sink.ts';

describe('createTextSink', () => {
  it('discards output after the reader has closed the pipe', async () => {
    const written: string[] = [];
    const stream = new Writable({
      write(chunk: Buffer, _encoding, done) {
        written.push(chunk.toString());
        done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
      },
    });
    const sink = createTextSink(stream);
    sink.write('first');
    await new Promise(setImmediate);
    sink.write('second');
    await sink.flush();
    expect(written).toEqual(['first']);
    expect(sink.hasLostOutput()).toBe(false);
  });

  it('reports lost output after the disk was full', async () => {
    const stream = new Writable({
      write: (_chunk, _encoding, done) => done(Object.assign(new Error('write ENOSPC'), { code: 'ENOSPC' })),
    });
    const sink = createTextSink(stream);
    sink.write('answer');
    await sink.flush();
    expect(sink.hasLostOutput()).toBe(true);
  });

  it('waits until everything is written', async () => {
    let left = '';
    const stream = new Writable({
      write(chunk: Buffer, _encoding, done) {
        setImmediate(() => {
          left += chunk.toString();
          done();
        });
      },
    });
    const sink = createTextSink(stream);
    sink.write('a');
    sink.write('b');
    await sink.flush();
    expect(left).toBe('ab');
  });

  it('escapes control and format characters in text, and moves the cursor only on request', async () => {
    let left = '';
    const stream = new Writable({
      write(chunk: Buffer, _encoding, done) {
        left += chunk.toString();
        done();
      },
    });
    const sink = createTextSink(stream);
    sink.write('a\u001b]0;b\u0007\u009b\u202e\r\nc\n');
    sink.control('erase-line');
    await sink.flush();
    expect(left).toBe('a\\u001b]0;b\\u0007\\u009b\\u202e\nc\n\r\u001b[2K');
  });

  it('writes typographic characters as ASCII if the terminal shows only that', async () => {
    let left = '';
    const stream = new Writable({
      write(chunk: Buffer, _encoding, done) {
        left += chunk.toString();
        done();
      },
    });
    const sink = createTextSink(stream, { ascii: true });
    sink.write('✓ “Notes”…\n');
    await sink.flush();
    expect(left).toBe('ok "Notes"...\n');
  });
});

function open({ isTerminal = true, env = {}, columns = 40 } = {}) {
  const sink = recordedSink({ isTerminal });
  return { sink, steps: createLiveSteps({ sink, env, columns: () => columns }) };
}

describe('createLiveSteps', () => {
  it('animates on a terminal and leaves one line per step', () => {
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

  it('animates with ASCII in an ASCII locale', () => {
    const { sink, steps } = open({ env: { LC_ALL: 'C' } });
    steps.begin('Asking');
    steps.clear();
    expect(sink.text).toContain('| Asking');
  });

  it('cuts an animated line to the width of the terminal', () => {
    const { sink, steps } = open({ columns: 20 });
    steps.begin('x'.repeat(100));
    steps.clear();
    expect(sink.text).toContain(`⠋ ${'x'.repeat(16)}…\r`);
  });

  it('writes plain lines without escapes if there is no terminal', () => {
    const { sink, steps } = open({ isTerminal: false });
    steps.begin('Asking');
    steps.end('failed', 'No answer');
    expect(sink.text).toBe('no  No answer\n');
  });

  it.each([{ TERM: 'dumb' }, { CI: '1' }])('does not animate with %o', (env) => {
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
