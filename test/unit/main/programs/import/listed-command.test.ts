import { describe, expect, it } from 'vitest';
import { readEntry } from '../../../../../main/apps/entry/read-entry.ts';
import { listServer } from '../../../../../main/apps/import/list-server.ts';
import { listedCommand } from '../../../../../main/apps/import/listed-command.ts';

const wordsOf = (command: string, ...args: string[]) => listedCommand(readEntry({ command, args }))?.words;
const notesOf = (entry: object) => listServer('a', readEntry(entry)).notes;

describe('listedCommand', () => {
  it.each([
    [
      ['cmd', '/c', 'npx', '-y', 'files'],
      ['npx', '-y', 'files'],
    ],
    [
      ['C:\\Windows\\System32\\cmd.exe', '/D', '/S', '/C', 'npx.cmd', 'files'],
      ['npx.cmd', 'files'],
    ],
    [
      ['cmd', '/c', 'npx -y files'],
      ['npx', '-y', 'files'],
    ],
  ])('starts what cmd.exe would: %j', ([command = '', ...args], words) => {
    expect(wordsOf(command, ...args)).toEqual(words);
  });

  it.each([
    [['cmd', '/c', 'npx files & calc']],
    [['cmd', '/c', 'npx', '%APPDATA%\\files']],
    [['cmd', '/k', 'npx', 'files']],
    [['cmd', 'npx', 'files']],
    [['cmdx', '/c', 'npx']],
    [['sh', '-c', 'npx files']],
  ])('leaves a shell that reads something into its words: %j', ([command = '', ...args]) => {
    expect(wordsOf(command, ...args)).toEqual([command, ...args]);
  });

  it('knows the home folder, and leaves everything else of a program to the person', () => {
    expect(wordsOf('npx', '${userHome}/x', '${env:HOME}', '--at=${userHome}')).toEqual([
      'npx',
      '~/x',
      '~',
      '--at=${userHome}',
    ]);
    for (const word of ['${workspaceFolder}', '--key=${input:key}', '<your key>', '--at=${userHome}', 'YOUR_KEY'])
      expect(notesOf({ command: 'npx', args: [word] })).toContain('command-to-fill-in');
    expect(notesOf({ command: 'npx', args: ['files', '~/x', '$5'] })).toEqual(['local-command']);
  });

  it.each([
    [{ env: { A: '${A}', B: 'b', C: '$C', D: '${input:d}', E: '${env:E}', F: '${F:-f}' } }, ['A', 'C', 'D', 'E', 'F']],
    [{ env: { B: 'b' }, env_vars: ['A'] }, ['A']],
    [{ envs: { B: 'b' }, env_keys: ['A'] }, ['A']],
    [{ env: { A: '$5 and more', B: 'b' } }, []],
  ])('has no value for a variable that the list leaves to its program: %j', (part, missing) => {
    const variables = listedCommand(readEntry({ command: 'x', ...part }))?.variables ?? [];
    expect(variables.filter(({ value }) => value === undefined).map(({ name }) => name)).toEqual(missing);
    expect(notesOf({ command: 'x', ...part }).includes('command-to-fill-in')).toBe(missing.length > 0);
  });

  it.each([
    [{ command: 'x', cwd: '${workspaceFolder}/a' }],
    [{ command: 'x', cwd: './a' }],
    [{ command: './x' }],
    [{ command: 'x', envFile: '.env' }],
  ])('knows that only the program knows where %j is', (entry) => {
    expect(notesOf(entry)).toContain('command-to-fill-in');
  });

  it('takes a folder and a command that stand for themselves', () => {
    expect(notesOf({ command: './x', cwd: '/srv/a' })).toEqual(['local-command']);
    expect(listedCommand(readEntry({ command: { path: 'x', args: ['y'], env: { A: 'a' } } }))).toEqual({
      words: ['x', 'y'],
      variables: [{ name: 'A', value: 'a' }],
    });
  });

  it.each([
    [{ command: 'x', args: Array.from({ length: 101 }, () => 'y') }],
    [{ command: 'x', args: ['y'.repeat(5_000)] }],
    [{ command: 'x', args: ['a\0b'] }],
    [{ command: 'x', env: { 'A=B': 'c' } }],
    [{ command: 'x', env: { A: 'a\0b' } }],
  ])('is nothing for what no program can be given', (entry) => {
    expect(listedCommand(readEntry(entry))).toBeUndefined();
    expect(notesOf(entry)).toEqual(['local-command', 'command-unusable']);
  });
});
