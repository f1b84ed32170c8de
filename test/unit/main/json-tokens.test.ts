import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { JsonTokens } from '../../../main/json-tokens.ts';

/** The tokens of a text in chunks of `size` bytes, or in one if omitted. */
function tokensOf(text: string, size?: number) {
  const bytes = Buffer.from(text);
  const tokens = size === undefined ? new JsonTokens(bytes) : new JsonTokens();
  const found: unknown[] = [];
  const read = (): void => {
    while (tokens.next()) found.push([tokens.kind, tokens.depth, tokens.isName, tokens.raw]);
  };
  read();
  const step = size ?? Infinity;
  for (let at = size === undefined ? Infinity : 0; at < bytes.byteLength; at += step) {
    tokens.feed(bytes.subarray(at, at + step));
    read();
  }
  return { found, tokens };
}

const texts = fc.oneof(
  fc.json(),
  fc.json().map((text) => `[${text},"\\u00e9\\ud83d\\ude00\\"",-1.5e3 ,\n{"a\\\\":null}]`),
);
/** JSON with one character replaced. */
const broken = fc
  .tuple(texts, fc.nat(), fc.constantFrom('', ',', ':', '"', '{', ']', '\\', 'e', '0', ' ', '\n', '\u0001'))
  .map(([text, at, instead]) => text.slice(0, at % text.length) + instead + text.slice((at % text.length) + 1));

it('accepts what JSON.parse accepts, and finds the first fault', () => {
  fc.assert(
    fc.property(fc.oneof(texts, broken, fc.string()), (text) => {
      const { tokens } = tokensOf(text);
      let isJson = true;
      try {
        JSON.parse(text);
      } catch {
        isJson = false;
      }
      expect(tokens.isJson).toBe(isJson);
      expect(tokens.fault < 0).toBe(isJson);
    }),
  );
});

it('reads the same tokens however a text is split', () => {
  fc.assert(
    // The line break ends a final number; chunks do not reveal the end of the text.
    fc.property(texts, fc.integer({ min: 1, max: 40 }), (text, size) => {
      expect(tokensOf(`${text}\n`, size).found).toEqual(tokensOf(text).found);
    }),
  );
});

it('drops only the text of a long string that is split', () => {
  const text = JSON.stringify({ ['a"\\'.repeat(400)]: ['x'.repeat(5_000), 'next'], b: 1 });
  const names = tokensOf(text, 7).found.map((token) => (token as unknown[])[3]);
  expect(names).toEqual(['{', '', ':', '[', '', ',', 'next', ']', ',', 'b', ':', '1', '}']);
});

it('validates levels below the requested depth', () => {
  const tokens = new JsonTokens(Buffer.from('{"a":[1,{"b":[01]}],"c":2}'));
  const found: string[] = [];
  while (tokens.next(1)) found.push(tokens.raw);
  expect(found).toEqual(['{', 'a', ':', ',', 'c', ':', '2', '}']);
  expect([tokens.isJson, tokens.fault, tokens.deepest]).toEqual([false, 15, 4]);
});

it('stores one bit per level, and distinguishes objects from lists at every level', () => {
  const levels = 1_000_000;
  const text = Buffer.from('[{"a":'.repeat(levels / 2) + '1' + '}]'.repeat(levels / 2));
  const before = process.memoryUsage();
  const tokens = new JsonTokens(text);
  while (tokens.next(0));
  const after = process.memoryUsage();
  expect([tokens.isJson, tokens.deepest]).toEqual([true, levels]);
  const taken = after.heapTotal + after.external - before.heapTotal - before.external;
  expect(taken).toBeLessThan(4_000_000);

  text[text.byteLength - 2] = ']'.charCodeAt(0);
  const wrong = new JsonTokens(text);
  while (wrong.next(0));
  expect([wrong.isJson, wrong.fault]).toEqual([false, text.byteLength - 2]);
});
