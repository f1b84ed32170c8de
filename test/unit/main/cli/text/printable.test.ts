import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { printable, printableJson, printableLine } from '../../../../../main/cli/text/printable.ts';

const dangerous = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/u;
const anyText = fc.string({ unit: 'binary' });

describe('printable', () => {
  it('keeps line ends, writes out what moves the cursor or turns the text', () => {
    expect(printable('a\r\nb\rc\td\u001b[2Je\u202ef\u009b')).toBe('a\nb\nc    d\\u001b[2Je\\u202ef\\u009b');
  });

  it('keeps the joiners that scripts and emoji need', () => {
    expect(printable('👩‍💻 می‌خواهم')).toBe('👩‍💻 می‌خواهم');
  });

  it('writes out hidden tag characters', () => {
    expect(printable('\u{e0041}')).toBe('\\udb40\\udc41');
  });

  test.prop([anyText])('lets no control or direction character through', (text) => {
    expect(printable(text)).not.toMatch(dangerous);
  });
});

describe('printableLine', () => {
  test.prop([anyText])('is one line without control or direction characters', (text) => {
    expect(printableLine(text)).not.toMatch(/[\n\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
  });
});

describe('printableJson', () => {
  test.prop([
    fc.dictionary(anyText, fc.oneof(anyText, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.array(anyText))),
  ])('says the same without a control or direction character, on one line (RFC 8259 7)', (value) => {
    const text = printableJson(value);
    expect(text).not.toMatch(dangerous);
    expect(text).not.toContain('\n');
    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
  });

  it('keeps its own line ends when it is indented', () => {
    expect(printableJson({ a: 'x\u001b\ny' }, 2)).toBe('{\n  "a": "x\\u001b\\ny"\n}');
  });
});
