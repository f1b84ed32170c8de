import { describe, expect, it, vi } from 'vitest';
import { rememberParsed } from '../../../../../main/storage/files/replace-file.ts';

describe('rememberParsed', () => {
  it('parses a text once for as long as it stays the same', () => {
    const parse = vi.fn((text: string) => ({ text }));
    const read = rememberParsed(parse);
    expect(read('a')).toBe(read('a'));
    expect(read('b')).toEqual({ text: 'b' });
    expect(read('a')).toEqual({ text: 'a' });
    expect(parse).toHaveBeenCalledTimes(3);
  });

  it('throws each time for a text that cannot be parsed, and forgets nothing by it', () => {
    const read = rememberParsed((text: string) => JSON.parse(text) as unknown);
    const kept = read('[1]');
    expect(() => read('[')).toThrow(SyntaxError);
    expect(() => read('[')).toThrow(SyntaxError);
    expect(read('[1]')).toBe(kept);
  });
});
