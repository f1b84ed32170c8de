import { expect, it } from 'vitest';
import { completeWords } from '../../../../../main/cli/options/complete-words.ts';

const ids = ['a1b2', 'c3d4'];

it.each<[readonly string[], readonly string[]]>([
  [['do'], ['doctor']],
  [['tools', ''], ids],
  [['tools', 'c'], ['c3d4']],
  [
    ['tools', 'a1b2', '--sign-in', ''],
    ['browser', 'print'],
  ],
  [['tools', '--sign-in', 'print', ''], ids],
  [
    ['connect', '--allow-'],
    ['--allow-host', '--allow-http'],
  ],
  // A value that nobody can know, and a word too many.
  [['connect', '--name', ''], []],
  [['show', 'a1b2', ''], []],
  [['completion', 'f'], ['fish']],
  [['nonsense', ''], []],
])('after %j come %j', (words, expected) => {
  expect(completeWords(words, ids)).toEqual(expected);
});
