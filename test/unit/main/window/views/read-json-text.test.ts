import { describe, expect, it } from 'vitest';
import { readJsonText } from '../../../../../main/window/views/display-json.ts';

describe('readJsonText', () => {
  it('parses structures, and leaves plain words and numbers', () => {
    expect(readJsonText(' {"a":[1,"x"]}')).toEqual({ a: [1, 'x'] });
    for (const text of ['1', '"a"', 'null', '[link](x)', '{']) expect(readJsonText(text)).toBeUndefined();
  });

  it('leaves as text numbers that JavaScript cannot represent', () => {
    expect(readJsonText('[9007199254740991,0.5]')).toEqual([9_007_199_254_740_991, 0.5]);
    for (const text of ['{"id":1234567890123456789}', '[1e999]']) expect(readJsonText(text)).toBeUndefined();
  });

  it('IP-01 removes invisible characters written as escapes', () => {
    expect(readJsonText(String.raw`["a\u202eb"]`)).toEqual(['ab']);
  });

  it('IP-24 leaves as text what is deep, very long or has names that cannot be shown', () => {
    const nested = '['.repeat(99_999);
    expect(readJsonText(nested + ']'.repeat(99_999))).toBeUndefined();
    expect(readJsonText(`[${'1,'.repeat(30_000)}1]`)).toBeUndefined();
    expect(readJsonText('{"__proto__":1}')).toBeUndefined();
    expect(readJsonText(String.raw`{"a\u202e":1}`)).toBeUndefined();
  });
});
