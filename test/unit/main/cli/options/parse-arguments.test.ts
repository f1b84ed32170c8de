import { describe, expect, it } from 'vitest';
import { fc, test } from '@fast-check/vitest';
import { commandNames } from '../../../../../main/cli/options/command-specs.ts';
import { parseArguments } from '../../../../../main/cli/options/parse-arguments.ts';
import { UsageError } from '../../../../../main/cli/options/usage-error.ts';
import { PosternError } from '../../../../../main/postern-error.ts';
import { toPlainError } from '../../../../../main/plain-error.ts';

function problemOf(...args: string[]): string {
  try {
    parseArguments(args);
  } catch (error) {
    if (error instanceof UsageError) return toPlainError(error).message;
    throw error;
  }
  throw new Error('understood');
}

describe('parseArguments', () => {
  it('takes options before, between and after the words', () => {
    const { command, positionals, options } = parseArguments([
      '--json',
      'call',
      '--sign-in',
      'print',
      'Notes',
      'add',
      '{}',
    ]);
    expect({ command, positionals }).toEqual({ command: 'call', positionals: ['Notes', 'add', '{}'] });
    expect(options.get('sign-in')).toEqual(['print']);
    expect(options.has('json')).toBe(true);
  });

  it('keeps every value of an option that may stand several times', () => {
    const { options } = parseArguments(['connect', 'u', '--allow-host', 'a', '--allow-host=b']);
    expect(options.get('allow-host')).toEqual(['a', 'b']);
  });

  it('takes a lone dash as a word: standard input', () => {
    expect(parseArguments(['call', 'Notes', 'add', '-']).positionals).toEqual(['Notes', 'add', '-']);
  });

  it('takes what follows -- as words', () => {
    expect(parseArguments(['show', '--', '--odd name']).positionals).toEqual(['--odd name']);
  });

  it.each([
    [['conect', 'u'], 'There is no command “conect”. Did you mean “connect”?'],
    [['tool', 'x'], 'There is no command “tool”. Did you mean “tools”?'],
    [
      ['https://a.example/mcp'],
      'There is no command “https://a.example/mcp”. To connect a server: postern connect URL.',
    ],
    [['connect', 'u', '--loca'], 'There is no option --loca. Did you mean --local?'],
    [['list', '--local'], '“postern list” has no option --local.'],
    [['connect', 'u', '--local=yes'], '--local takes no value.'],
    [['connect', 'u', '--name'], '--name needs a value: --name NAME.'],
    [['connect', 'u', '--client-id='], '--client-id needs a value: --client-id ID.'],
    [['connect', 'u', '--name', '--local'], '--name needs a value: --name NAME.'],
    [['connect', 'u', '--sign-in', 'browse'], '--sign-in is one of browser, print. Did you mean “browser”?'],
    [['connect', 'u', '--pkce', 'never'], '--pkce is one of when-listed, always, required.'],
    [['connect'], '“postern connect” needs a URL.'],
    [['remove'], '“postern remove” needs an ID.'],
    [['remove', 'One', '--all'], '“postern remove” takes either ID or --all.'],
    [['call', 'Notes'], '“postern call” needs a TOOL.'],
    [['show', 'My', 'Notes'], '“postern show” has a word too many. Put a name with spaces in quotes.'],
    [['call', 'Notes', 'add', '{"a":', '1}'], '“postern call” has a word too many. Put the JSON in single quotes.'],
  ])('explains %j', (args, problem) => {
    expect(problemOf(...args)).toBe(problem);
  });

  it('takes a switch in place of the words that it stands for', () => {
    expect(parseArguments(['remove', '--all', '--yes'])).toMatchObject({ command: 'remove', positionals: [] });
  });

  it('takes no secret from the command line and does not repeat it', () => {
    const problem = problemOf('connect', 'u', '--client-secret=s3cr3t');
    expect(problem).toContain('--client-secret-stdin');
    expect(problem).not.toContain('s3cr3t');
  });

  it('needs no words where help is asked for', () => {
    expect(parseArguments(['connect', '--help']).options.has('help')).toBe(true);
    expect(parseArguments(['help', 'connect'])).toMatchObject({ command: 'connect' });
    expect(parseArguments(['-h']).options.has('help')).toBe(true);
  });

  test.prop([fc.array(fc.oneof(fc.constantFrom(...commandNames, '--json', '--name', '-', '--'), fc.string()))])(
    'understands any words or says USAGE or URL_COMMAND, without a control character',
    (args) => {
      let problem = '';
      try {
        parseArguments(args);
      } catch (error) {
        // A paste is told by a code of its own.
        if (!(error instanceof PosternError && error.code === 'URL_COMMAND')) expect(error).toBeInstanceOf(UsageError);
        problem = toPlainError(error).message;
      }
      expect(problem).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
    },
  );
});
