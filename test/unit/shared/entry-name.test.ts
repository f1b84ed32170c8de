import { expect, it } from 'vitest';
import { collectionNameProblem } from '../../../shared/entry-name.ts';

it.each([
  ['work-stuff', undefined],
  ['Work Stuff', 'letters'],
  ['x'.repeat(25), 'letters'],
  ['-x', 'hyphen'],
])('checks %s as the name of a new collection', (name, problem) => {
  expect(collectionNameProblem(name)).toBe(problem);
});
