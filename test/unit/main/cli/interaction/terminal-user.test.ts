import { describe, expect, it } from 'vitest';
import { readHiddenLine } from '../../../../../main/cli/interaction/terminal-user.ts';
import { typedStdin } from '../../../../support/typed-stdin.ts';

const never = new AbortController().signal;

describe('readHiddenLine', () => {
  it.each([
    ['abc\r', 'abc'],
    ['abd\u007fc\n', 'abc'],
    ['wrong\u0015abc\r', 'abc'],
    ['\u001b[200~abc\u001b[201~\r', 'abc'],
    ['a\u001b[Dbc\r', 'abc'],
    ['abc\u0004', 'abc'],
    ['\r', ''],
    ['\u0004', undefined],
  ])('reads %j as %j', async (keys, line) => {
    const stdin = typedStdin({ isTerminal: true });
    const reading = readHiddenLine(stdin.lines, () => {}, never);
    stdin.type(keys);
    expect(await reading).toBe(line);
  });

  it('accepts input pasted ahead of the question', async () => {
    const stdin = typedStdin({ isTerminal: true });
    const first = stdin.lines.next(never);
    stdin.type('id\nsecret\n');
    expect(await first).toBe('id');
    expect(await readHiddenLine(stdin.lines, () => {}, never)).toBe('secret');
  });

  it('ends with the input', async () => {
    const stdin = typedStdin({ isTerminal: true });
    const reading = readHiddenLine(stdin.lines, () => {}, never);
    stdin.end();
    expect(await reading).toBeUndefined();
  });

  it('turns the echo off before it asks and on again after the reply', async () => {
    const stdin = typedStdin({ isTerminal: true });
    // A fast user replies as soon as the question is shown.
    await readHiddenLine(
      stdin.lines,
      () => {
        expect(stdin.rawModes).toEqual([true]);
        stdin.type('a\r');
      },
      never,
    );
    expect(stdin.rawModes).toEqual([true, false]);
  });

  it('fails with USER_CANCELLED on Ctrl-C, and restores the terminal', async () => {
    const stdin = typedStdin({ isTerminal: true });
    const reading = readHiddenLine(stdin.lines, () => {}, never);
    stdin.type('ab\u0003');
    await expect(reading).rejects.toMatchObject({ code: 'USER_CANCELLED' });
    expect(stdin.rawModes).toEqual([true, false]);
  });

  it('ends when it is interrupted', async () => {
    const stdin = typedStdin({ isTerminal: true });
    const controller = new AbortController();
    const reading = readHiddenLine(stdin.lines, () => {}, controller.signal);
    controller.abort(new Error('enough'));
    await expect(reading).rejects.toThrow('enough');
    expect(stdin.rawModes).toEqual([true, false]);
  });
});
