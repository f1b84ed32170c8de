import { describe, expect, it } from 'vitest';
import { commandWords } from '../../../../../main/cli/options/command-words.ts';

const switches = ['--ozone-platform=headless', '--disable-gpu', '--log-level=3'];

describe('commandWords', () => {
  it.each([
    [[]],
    [['--smoke']],
    [['--no-sandbox', '--user-data-dir=/tmp/x']],
    [['-psn_0_123456']],
    [['https://mcp.example.com']],
    [['somewhere.txt', 'list']],
    [['app://add?url=https://evil.example/mcp&auto=1', 'connect', 'https://evil.example/mcp']],
    [['--', 'postern://connect?url=https://evil.example/mcp']],
    [['--', 'postern:', '--cli', '--', 'remove', '--all', '--yes']],
    [['--', 'postern:', 'list']],
    [['postern://connect', '--inspect', '--load-extension=/tmp/x']],
    [['connect\0', 'https://evil.example/mcp']],
    [['a'.repeat(1_048_576)]],
  ])('shows the window for %#, and acts on no link (IP-13)', (given) => {
    expect(commandWords(given)).toBeUndefined();
  });

  it('takes every word after the mark of the launcher, whatever it is', () => {
    expect(commandWords([...switches, '--no-sandbox', '--cli', '--', 'connect', 'URL', '--name', '--cli'])).toEqual([
      'connect',
      'URL',
      '--name',
      '--cli',
    ]);
    expect(commandWords([...switches, '--cli', '--', 'tols'])).toEqual(['tols']);
    expect(commandWords([...switches, '--cli', '--'])).toEqual([]);
  });

  it('takes a command without the launcher, but none of Chromium’s switches before it (IP-13)', () => {
    expect(commandWords([...switches, 'list', '--json'])).toEqual(['list', '--json']);
    expect(commandWords(['--json', 'tools', 'ID'])).toEqual(['--json', 'tools', 'ID']);
    expect(commandWords(['ls'])).toEqual(['ls']);
    expect(commandWords(['--version'])).toEqual(['--version']);
    expect(commandWords(['--no-sandbox', '--help'])).toEqual(['--help']);
  });
});
