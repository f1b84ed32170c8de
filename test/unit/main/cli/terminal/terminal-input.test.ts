import { describe, expect, it } from 'vitest';
import { stdinLength } from '../../../../../main/limits.ts';
import { typedStdin } from '../../../../support/typed-stdin.ts';

const never = new AbortController().signal;

describe('createStdinLines', () => {
  it('opens standard input only on first use', async () => {
    const stdin = typedStdin();
    expect(stdin.opened()).toBe(0);
    const line = stdin.lines.next(never);
    stdin.type('a\n');
    await line;
    expect(stdin.opened()).toBe(1);
  });

  it('passes the first line to `next` and later ones, including buffered ones, to the listener', async () => {
    const stdin = typedStdin();
    const first = stdin.lines.next(never);
    stdin.type('secret\r\naddress 1\nadd');
    expect(await first).toBe('secret');
    const heard: string[] = [];
    const stop = stdin.lines.forward((line) => heard.push(line));
    stdin.type('ress 2\n');
    stop();
    stdin.type('for later\n');
    expect(heard).toEqual(['address 1', 'address 2']);
    expect(await stdin.lines.next(never)).toBe('for later');
  });

  it('reads a last line without a line end, then reports the end of input', async () => {
    const stdin = typedStdin();
    const first = stdin.lines.next(never);
    stdin.type('secret');
    stdin.end();
    expect(await first).toBe('secret');
    expect(await stdin.lines.next(never)).toBeUndefined();
  });

  it('joins characters that are split across chunks, and drops a byte order mark', async () => {
    const stdin = typedStdin();
    const line = stdin.lines.next(never);
    const bytes = Buffer.from('\ufeffpäss\n');
    stdin.type(bytes.subarray(0, 5));
    stdin.type(bytes.subarray(5));
    expect(await line).toBe('päss');
  });

  it('reads everything up to the end', async () => {
    const stdin = typedStdin();
    const all = stdin.lines.readAll(never);
    stdin.type('{\n  "a": 1\n}');
    stdin.end();
    expect(JSON.parse(await all)).toEqual({ a: 1 });
  });

  it('stops waiting when it is interrupted', async () => {
    const stdin = typedStdin();
    const controller = new AbortController();
    const line = stdin.lines.next(controller.signal);
    controller.abort(new Error('enough'));
    await expect(line).rejects.toThrow('enough');
  });

  it.each(['x', '\n', 'x\n'])('rejects input that is too long, made of %j, with USAGE', async (text) => {
    const stdin = typedStdin();
    const reading = stdin.lines.next(never);
    for (let count = 0; count < 3; count += 1) stdin.type(text.repeat(stdinLength / 2));
    await reading.catch(() => {});
    await expect(stdin.lines.next(never)).rejects.toMatchObject({ code: 'USAGE' });
  });

  it('rejects input that is too long in total, however short its lines, with USAGE', async () => {
    const stdin = typedStdin();
    const reading = stdin.lines.readAll(never);
    reading.catch(() => {});
    for (let count = 0; count < 5; count += 1) {
      stdin.type('x\n'.repeat(stdinLength / 8));
      await new Promise(setImmediate);
    }
    await expect(reading).rejects.toMatchObject({ code: 'USAGE' });
  });
});
