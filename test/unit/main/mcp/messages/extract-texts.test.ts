import { fc, it } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import { extractTexts, unescapeInPlace } from '../../../../../main/mcp/messages/extract-texts.ts';
import type { ExtractedTexts } from '../../../../../main/mcp/messages/extract-texts.ts';

const long = 'x\n"\\é€😀'.repeat(40_000);

describe('extractTexts', () => {
  it.each(['', ' ', '\n  '])('cuts long strings out and returns their bytes (%j before them)', (space) => {
    const document = Buffer.from(
      `{"a":"\\\\","text":${space}${JSON.stringify(long)},"b":{"text" :${JSON.stringify(`${long}2`)}}}`,
    );
    const cut: ExtractedTexts = new Map();
    const rest = JSON.parse(extractTexts(document, cut).toString()) as { a: string; text: string; b: { text: string } };
    expect(rest.a).toBe('\\');
    const back = (word: string) => unescapeInPlace(cut.get(word) as Buffer).toString();
    expect([back(rest.text), back(rest.b.text)]).toEqual([long, `${long}2`]);
  });

  it('leaves short strings, other members and invalid JSON alone', () => {
    for (const document of [
      '{"text":"short"}',
      `{"data":${JSON.stringify(long)}}`,
      `{"text":"${'x'.repeat(300_000)}`,
      '',
      '"',
    ]) {
      const cut: ExtractedTexts = new Map();
      const bytes = Buffer.from(document);
      expect(extractTexts(bytes, cut)).toBe(bytes);
      expect(cut.size).toBe(0);
    }
  });
});

describe('unescapeInPlace', () => {
  it.prop([fc.string({ unit: 'binary' })])('unescapes like JSON.parse (RFC 8259 section 7)', (text) => {
    const plain = Buffer.from(JSON.stringify(text).slice(1, -1));
    expect(unescapeInPlace(plain).toString()).toBe(Buffer.from(text).toString());
    const escaped = [...text]
      .map((sign) =>
        Array.from({ length: sign.length }, (_, at) => `\\u${sign.charCodeAt(at).toString(16).padStart(4, '0')}`).join(
          '',
        ),
      )
      .join('');
    expect(unescapeInPlace(Buffer.from(escaped)).toString()).toBe(Buffer.from(text).toString());
  });

  it('refuses an invalid escape', () => {
    expect(() => unescapeInPlace(Buffer.from(String.raw`\u12x4`))).toThrow(SyntaxError);
  });
});
