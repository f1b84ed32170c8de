import { describe, expect, it } from 'vitest';
import { closestWord } from '../../../main/closest-word.ts';

const words = ['connect', 'list', 'show', 'sign-out', 'token', 'tools'];

describe('closestWord', () => {
  it.each([
    ['conenct', 'connect'],
    ['CONNECT', 'connect'],
    ['lst', 'list'],
    ['sign', 'sign-out'],
    ['tol', undefined],
    ['to', undefined],
    ['x', undefined],
    ['', undefined],
    ['disconnected-from', undefined],
  ])('corrects %j to %j', (typed, meant) => {
    expect(closestWord(typed, words)).toBe(meant);
  });
});
