import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createTextSink } from '../../../../../main/cli/terminal/text-sink.ts';

describe('createTextSink', () => {
  it('goes on, unheard, when the reader has gone away', async () => {
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
    expect(sink.hasLost()).toBe(false);
  });

  it('knows after a full disk that text is lost', async () => {
    const stream = new Writable({
      write: (_chunk, _encoding, done) => done(Object.assign(new Error('write ENOSPC'), { code: 'ENOSPC' })),
    });
    const sink = createTextSink(stream);
    sink.write('answer');
    await sink.flush();
    expect(sink.hasLost()).toBe(true);
  });

  it('waits until everything has left', async () => {
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

  it('writes out control and format characters of a text, and moves the cursor only when told to', async () => {
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

  it('writes our typographic characters as ASCII where that is all a terminal shows', async () => {
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
