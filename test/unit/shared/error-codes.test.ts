import { expect, it } from 'vitest';
import { quoteServerWords } from '../../../shared/error-codes.ts';

it.each([
  [{ code: -32_000, message: 'No' }, '“No” (code -32000)'],
  [{ message: 'No' }, '“No”'],
  [{ code: -32_000, message: '' }, 'code -32000'],
  [{ message: '' }, ''],
])('names of an error what the server sent: %j', (words, said) => {
  expect(quoteServerWords(words)).toBe(said);
});
