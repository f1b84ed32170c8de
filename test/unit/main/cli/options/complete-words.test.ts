import { expect, it } from 'vitest';
import { expectedKind, expectsFile, completeWords } from '../../../../../main/cli/options/complete-words.ts';
import { commandTable } from '../../../../../main/cli/table/command-table.ts';

const ids = ['a1b2', 'c3d4'];

it.each<[readonly string[], ReturnType<typeof expectedKind>]>([
  [['tools', ''], 'server'],
  [['use', 'a1b2', 'cur'], 'app'],
  // Several apps may follow.
  [['use', 'a1b2', 'cursor', ''], 'app'],
  [['import', ''], 'app'],
  [['activity', '--app', ''], 'app'],
  [['local', 'stop', ''], 'local'],
  [['help', 'tools', ''], undefined],
  [['settings', ''], 'setting'],
  [['settings', 'theme', ''], 'value'],
  [['settings', 'theme', 'dark', ''], undefined],
  [['connect', '--client-id', ''], undefined],
  [['connect', '--name', ''], undefined],
  [['use', 'a1b2', '--project', ''], undefined],
  [['permit', 'a1b2', ''], 'tool'],
  [['call', 'a1b2', ''], 'capability'],
  [['tools', '--'], undefined],
  [[''], undefined],
])('expects, as the last word of %j, %s', (words, names) => {
  expect(expectedKind(commandTable, words)).toBe(names);
});

it.each<[readonly string[], readonly string[]]>([
  [['do'], ['doctor']],
  [['logo'], ['logout']],
  [['rm', 'c'], ['c3d4']],
  [['tools', ''], ids],
  [['tools', 'c'], ['c3d4']],
  [
    ['tools', 'a1b2', '--sign-in', ''],
    ['browser', 'print', 'device'],
  ],
  [['tools', '--sign-in', 'print', ''], ids],
  [
    ['connect', '--allow-'],
    ['--allow-host', '--allow-http'],
  ],
  // A value that cannot be completed, and one argument too many.
  [['connect', '--name', ''], []],
  [['show', 'a1b2', ''], []],
  [['completion', 'f'], ['fish']],
  [
    ['with', 'https://a.example/mcp', 'pr'],
    ['prompts', 'prompt'],
  ],
  [['call', '--log-level', 'wa'], ['warning']],
  [['connect', '--sign-in=p'], ['--sign-in=print']],
  [['connect', '--name=p'], []],
  [['help', 'sig'], ['sign-out']],
  [
    ['help', 'local', 'st'],
    ['start', 'stop'],
  ],
  [['help', 'tools', ''], []],
  [['nonsense', ''], []],
])('completes %j with %j', (words, expected) => {
  expect(completeWords(commandTable, words, ids)).toEqual(expected);
});

it.each<[readonly string[], boolean]>([
  [['import', ''], true],
  [['exec', 'a1b2', 'l'], true],
  [['local', 'add', 'Notes', 'no'], true],
  [['call', 'a1b2', 'export', '--output', ''], true],
  [['local', 'add', '--cwd', ''], true],
  [['settings', 'certificateFile', ''], true],
  [['settings', 'theme', ''], false],
  [['tools', ''], false],
  [['tools', 'a1b2', ''], false],
  [['connect', ''], false],
  [['connect', '--name', ''], false],
  [['connect', '--client-id', ''], false],
  [['with', 'https://a.example/mcp', ''], false],
  [['nonsense', ''], false],
  [[''], false],
])('reports whether the last word of %j is a file: %s', (words, expected) => {
  expect(expectsFile(commandTable, words)).toBe(expected);
});
