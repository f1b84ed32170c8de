import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { parseArguments, UsageError } from '../../../../../main/cli/options/parse-arguments.ts';
import { commandTable } from '../../../../../main/cli/table/command-table.ts';
import { PosternError, toPlainError } from '../../../../../main/errors/postern-error.ts';

function problemOf(...args: string[]): string {
  try {
    parseArguments(commandTable, args);
  } catch (error) {
    if (error instanceof UsageError) return toPlainError(error).message;
    throw error;
  }
  throw new Error('no usage error');
}

describe('parseArguments', () => {
  it.each(Object.entries(commandTable.aliases))('reads %s as %s', (short, name) => {
    expect(parseArguments(commandTable, [short, '--help']).command).toBe(name);
  });

  it('types command names: a comparison with an unknown name does not compile', () => {
    const { command } = parseArguments(commandTable, ['rename', 'Notes', 'Work']);
    // @ts-expect-error There is no such command.
    expect(command === 'renmae').toBe(false);
    expect(command === 'rename').toBe(true);
  });

  it('does not treat a property of Object.prototype as a command', () => {
    expect(problemOf('constructor')).toContain('constructor');
  });

  it('accepts options before, between and after the arguments', () => {
    const { command, positionals, options } = parseArguments(commandTable, [
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

  it('collects every value of a repeatable option', () => {
    const { options } = parseArguments(commandTable, ['connect', 'u', '--allow-host', 'a', '--allow-host=b']);
    expect(options.get('allow-host')).toEqual(['a', 'b']);
  });

  it('reads a lone dash as an argument: standard input', () => {
    expect(parseArguments(commandTable, ['call', 'Notes', 'add', '-']).positionals).toEqual(['Notes', 'add', '-']);
  });

  it('reads everything after -- as arguments', () => {
    expect(parseArguments(commandTable, ['show', '--', '--odd name']).positionals).toEqual(['--odd name']);
  });

  it.each([
    [['conect', 'u'], 'conect', '“connect”'],
    [['tool', 'x'], 'tool', '“tools”'],
    [['https://a.example/mcp'], 'https://a.example/mcp', 'postern connect URL'],
    [['connect', 'u', '--loca'], '--loca', '--local'],
    [['connect', 'u', '--sign-in', 'browse'], '--sign-in', '“browser”'],
  ])('names the unknown word and suggests another: %j', (args, unknown, suggestion) => {
    const problem = problemOf(...args);
    const [before, after] = [problem.indexOf(unknown), problem.lastIndexOf(suggestion)];
    expect(before).toBeGreaterThan(-1);
    expect(after).toBeGreaterThan(before);
  });

  it.each([
    [
      ['list', '--local'],
      ['postern list', '--local'],
    ],
    [
      ['connect', 'u', '--local=yes'],
      ['--local', 'no value'],
    ],
    [['connect', 'u', '--name'], ['--name NAME']],
    [['connect', 'u', '--client-id='], ['--client-id ID']],
    [['connect', 'u', '--name', '--local'], ['--name NAME']],
    [
      ['connect', 'u', '--pkce', 'never'],
      ['--pkce', 'when-listed', 'always', 'required'],
    ],
    [['connect'], ['postern connect', 'URL']],
    [['remove'], ['postern remove', 'ID']],
    [
      ['remove', 'One', '--all'],
      ['postern remove', 'ID', '--all'],
    ],
    // Never change anything because a preview option was not recognized.
    [
      ['unuse', '--all', 'cursor', '--dry-run'],
      ['--dry-run', '--all'],
    ],
    [
      ['permit', 'Notes', '--review', '--preset', 'read-only'],
      ['--preset', '--review'],
    ],
    [
      ['unuse', '--all', 'cursor', 'zed'],
      ['ID APP…', '--all APP'],
    ],
    [
      ['local', 'Notes'],
      ['postern local', 'add', 'start', 'stop', 'logs'],
    ],
    [
      ['call', 'Notes'],
      ['postern call', 'TOOL'],
    ],
    [
      ['show', 'My', 'Notes'],
      ['postern show', 'in quotes'],
    ],
  ])('reports what is wrong with %j, and what belongs there', (args, facts) => {
    const problem = problemOf(...args);
    for (const fact of facts) expect(problem).toContain(fact);
    expect(problem).not.toContain('Did you mean');
  });

  it('accepts a switch instead of the arguments that it replaces', () => {
    expect(parseArguments(commandTable, ['remove', '--all', '--yes'])).toMatchObject({
      command: 'remove',
      positionals: [],
    });
    expect(parseArguments(commandTable, ['unuse', '--all', 'zed'])).toMatchObject({
      command: 'unuse',
      positionals: ['zed'],
    });
  });

  it('refuses a secret on the command line and does not repeat it', () => {
    const problem = problemOf('connect', 'u', '--client-secret=s3cr3t');
    expect(problem).toContain('--client-secret-stdin');
    expect(problem).not.toContain('s3cr3t');
  });

  it('needs no arguments with --help', () => {
    expect(parseArguments(commandTable, ['connect', '--help']).options.has('help')).toBe(true);
    expect(parseArguments(commandTable, ['help', 'connect'])).toMatchObject({ command: 'connect' });
    expect(parseArguments(commandTable, ['-h']).options.has('help')).toBe(true);
  });

  test.prop([fc.array(fc.oneof(fc.constantFrom(...commandTable.names, '--json', '--name', '-', '--'), fc.string()))])(
    'parses any arguments or fails with USAGE or URL_COMMAND, without control characters',
    (args) => {
      let problem = '';
      try {
        parseArguments(commandTable, args);
      } catch (error) {
        // A pasted command has its own code.
        if (!(error instanceof PosternError && error.code === 'URL_COMMAND')) expect(error).toBeInstanceOf(UsageError);
        problem = toPlainError(error).message;
      }
      expect(problem).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
    },
  );
});
