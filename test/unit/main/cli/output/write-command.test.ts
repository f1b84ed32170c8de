import { describe, expect, it } from 'vitest';
import {
  writeOption,
  quoteForShell,
  writeSignIn,
  writeServerCommand,
} from '../../../../../main/cli/output/write-command.ts';

describe('quoteForShell', () => {
  it.each([
    ['Demo', 'Demo'],
    ['mcp.example-2', 'mcp.example-2'],
    ['My notes', '"My notes"'],
    ['Jan’s; rm', '"Jan’s; rm"'],
    ['$(id)', "'$(id)'"],
    [`it's "$HOME"`, `'it'\\''s "$HOME"'`],
  ])('writes %s as %s', (name, words) => {
    expect(quoteForShell(name)).toBe(words);
  });
});

describe('writeServerCommand', () => {
  it.each([
    ['Demo', 'postern sign-out Demo --json'],
    ['-x', 'postern sign-out --json -- -x'],
    ['--json', 'postern sign-out --json -- --json'],
    ['-my notes', 'postern sign-out --json -- "-my notes"'],
    [undefined, 'postern sign-out NAME --json'],
  ])('keeps a name from being read as an option: %s', (name, words) => {
    expect(writeServerCommand('sign-out', name, '--json')).toBe(words);
  });

  it('does the same in the advice to sign in and in option values', () => {
    expect(writeSignIn({ name: '-x' })).toBe('`postern refresh --sign-in browser -- -x`');
    expect(writeOption('identity-provider', '-x')).toBe('--identity-provider=-x');
  });
});
