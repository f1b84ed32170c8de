import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { findJsonFault, positionInJson } from '../../../../../main/storage/settings/settings-document.ts';

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** JSON with one character replaced. */
const nearlyJson = fc
  .tuple(fc.json(), fc.nat(), fc.constantFrom('', ',', '"', '{', ']', '\\', 'e', '0', ' ', '\n'))
  .map(([text, at, replacement]) => text.slice(0, at % text.length) + replacement + text.slice((at % text.length) + 1));

describe('findJsonFault', () => {
  test.prop([fc.oneof(fc.json(), nearlyJson, fc.string())])('finds a fault exactly when JSON.parse does', (text) => {
    expect(findJsonFault(text) === undefined).toBe(isJson(text));
  });

  it('handles any depth', () => {
    expect(findJsonFault('['.repeat(200_000))).toEqual({ line: 1, column: 200_001 });
  });
});

describe('positionInJson', () => {
  const text = '{\n  "a": [1, { "b": [] },\n    "x"],\n  "c": {}\n}';

  it.each([
    [[], 1, 1],
    [['a'], 2, 8],
    [['a', 0], 2, 9],
    [['a', 1, 'b'], 2, 19],
    [['a', 2], 3, 5],
    [['c'], 4, 8],
    [['c', 'missing'], 4, 8],
    [['a', 7, 'b'], 2, 8],
  ] as const)('locates %j', (path, line, column) => {
    expect(positionInJson(text, path)).toEqual({ line, column });
  });
});
