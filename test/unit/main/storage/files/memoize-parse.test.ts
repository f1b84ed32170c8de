import { describe, expect, it, vi } from 'vitest';
import { memoizeParse } from '../../../../../main/storage/files/replace-file.ts';

describe('memoizeParse', () => {
  it('parses a text once while it stays the same', () => {
    const parse = vi.fn((text: string) => ({ text }));
    const read = memoizeParse(parse);
    expect(read('a')).toBe(read('a'));
    expect(read('b')).toEqual({ text: 'b' });
    expect(read('a')).toEqual({ text: 'a' });
    expect(parse).toHaveBeenCalledTimes(3);
  });

  it('throws each time for an invalid text, and keeps the cached result', () => {
    const read = memoizeParse((text: string) => JSON.parse(text) as unknown);
    const parsed = read('[1]');
    expect(() => read('[')).toThrow(SyntaxError);
    expect(() => read('[')).toThrow(SyntaxError);
    expect(read('[1]')).toBe(parsed);
  });
});
