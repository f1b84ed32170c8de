import { fc, test } from '@fast-check/vitest';
import { expect, it } from 'vitest';
import { MessageLines } from '../../../main/message-lines.ts';

test.prop([
  fc.array(
    fc.string({ unit: 'binary', maxLength: 20 }).map((text) => text.replaceAll(/[\r\n]/gu, '')),
    { maxLength: 20 },
  ),
  fc.integer({ min: 1, max: 7 }),
])('splits chunks of any size into the lines that were sent', (texts, size) => {
  const bytes = Buffer.from(texts.map((text) => `${text}\n`).join(''));
  const lines = new MessageLines(1_000);
  const found: string[] = [];
  for (let start = 0; start < bytes.length; start += size) {
    for (const line of lines.feed(bytes.subarray(start, start + size))) found.push(line.bytes.toString());
  }
  expect(found).toEqual(texts.map((text) => Buffer.from(text).toString()).filter((text) => text !== ''));
});

it('discards the rest of an overlong line and continues after it', () => {
  const lines = new MessageLines(10);
  const found = ['{"id":1,"a', 'bcdefghijklmnop', 'q"}\nnext\r\n'].flatMap((text) => [
    ...lines.feed(Buffer.from(text)),
  ]);
  expect(found.map(({ isTooLong }) => isTooLong)).toEqual([true, false]);
  expect(found[0]?.bytes.toString()).toContain('"id":1');
  expect(found[1]?.bytes.toString()).toBe('next');
  expect(lines.length).toBe(0);
});
