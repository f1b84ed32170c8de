import { describe, expect, it } from 'vitest';
import { writeOption, writeReference, writeSignIn, writeUse } from '../../../../../main/cli/output/write-command.ts';

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

describe('writeUse', () => {
  it.each([
    ['Demo', 'postern sign-out Demo --json'],
    ['-x', 'postern sign-out --json -- -x'],
    ['--json', 'postern sign-out --json -- --json'],
    ['-my notes', 'postern sign-out --json -- "-my notes"'],
    [undefined, 'postern sign-out NAME --json'],
  ])('keeps a name from being read as an option: %s', (name, words) => {
    expect(writeUse('sign-out', name, '--json')).toBe(words);
  });

  it('does the same in the advice to sign in and in option values', () => {
    expect(writeSignIn({ name: '-x' })).toBe('`postern refresh --sign-in browser -- -x`');
    expect(writeOption('identity-provider', '-x')).toBe('--identity-provider=-x');
  });
});
