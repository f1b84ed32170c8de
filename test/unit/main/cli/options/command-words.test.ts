import { describe, expect, it } from 'vitest';
import { firstWordsOf } from '../../../../../main/cli/options/command-spec.ts';
import { commandWords } from '../../../../../main/cli/options/command-words.ts';
import { commandTable } from '../../../../../main/cli/table/command-table.ts';

const wordsOf = (given: readonly string[]) => commandWords(given, firstWordsOf(commandTable));
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
    expect(wordsOf(given)).toBeUndefined();
  });

  it('takes every word after the mark of the launcher, whatever it is', () => {
    expect(wordsOf([...switches, '--no-sandbox', '--cli', '--', 'connect', 'URL', '--name', '--cli'])).toEqual([
      'connect',
      'URL',
      '--name',
      '--cli',
    ]);
    expect(wordsOf([...switches, '--cli', '--', 'tols'])).toEqual(['tols']);
    expect(wordsOf([...switches, '--cli', '--'])).toEqual([]);
  });

  it('takes a command without the launcher, but none of Chromium’s switches before it (IP-13)', () => {
    expect(wordsOf([...switches, 'list', '--json'])).toEqual(['list', '--json']);
    expect(wordsOf(['--json', 'tools', 'ID'])).toEqual(['--json', 'tools', 'ID']);
    expect(wordsOf(['ls'])).toEqual(['ls']);
    expect(wordsOf(['--version'])).toEqual(['--version']);
    expect(wordsOf(['--no-sandbox', '--help'])).toEqual(['--help']);
  });
});
