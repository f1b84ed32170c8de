import { describe, expect, it } from 'vitest';
import { writeReference } from '../../../../../main/cli/output/write-command.ts';

describe('writeReference', () => {
  it.each([
    ['Demo', 'Demo'],
    ['mcp.example-2', 'mcp.example-2'],
    ['My notes', '"My notes"'],
    ['Jan’s; rm', '"Jan’s; rm"'],
    ['$(id)', "'$(id)'"],
    [`it's "$HOME"`, `'it'\\''s "$HOME"'`],
  ])('writes %s as %s', (name, words) => {
    expect(writeReference(name)).toBe(words);
  });
});
