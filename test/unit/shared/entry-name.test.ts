import { expect, it } from 'vitest';
import { collectionNameProblem } from '../../../shared/entry-name.ts';

it.each([
  ['work-stuff', undefined],
  ['Work Stuff', 'letters'],
  ['x'.repeat(25), 'letters'],
  ['-x', 'hyphen'],
])('says of %s whether a new collection may be called so', (name, problem) => {
  expect(collectionNameProblem(name)).toBe(problem);
});
