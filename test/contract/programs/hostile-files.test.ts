import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createProgramFiles, replaceText } from '../../../main/apps/files/program-files.ts';
import { onTerminal } from '../../support/on-terminal.ts';
import { posternCommand, startCommand } from '../../support/postern-process.ts';
import { makeProgramHome, modeOf } from '../../support/program-home.ts';
import type { ProgramHome } from '../../support/program-home.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Files of other programs are not ours: anything may stand there, and anybody may write meanwhile. */

const file = '.cursor/mcp.json';

async function failure(home: ProgramHome, program = 'cursor'): Promise<unknown> {
  const asked = await home.run('use', 'Notes', program, '--json');
  expect(asked.code).toBe(2);
  expect(readFileSync(path.join(home.profile, 'config.json'), 'utf8')).not.toContain('"programs"');
  const { code, last } = await home.run('use', 'Notes', program, '--yes', '--json');
  expect(code).toBe(1);
  const error = last['error'] as { code: string; paste: { lines: string; secret: boolean } };
  const [record] = (
    JSON.parse(readFileSync(path.join(home.profile, 'config.json'), 'utf8')) as { programs: { id: string }[] }
  ).programs;
  // What a person pastes instead is admitted.
  expect(error.paste).toMatchObject({ lines: expect.stringContaining(record?.id ?? 'no record'), secret: false });
  return error.code;
}

describe('a link in the place of a program’s file', () => {
  it('stays a link, and what it leads to within home is changed (GW-40)', async () => {
    const home = makeProgramHome();
    const real = home.put('dotfiles/mcp.json', '{"a": 1}');
    chmodSync(real, 0o640);
    mkdirSync(home.at('.cursor'));
    symlinkSync('../dotfiles/mcp.json', home.at(file));
    expect((await home.run('use', 'Notes', 'cursor', '--yes')).code).toBe(0);
    expect(readlinkSync(home.at(file))).toBe('../dotfiles/mcp.json');
    expect(readFileSync(real, 'utf8')).toContain('"notes"');
    expect(modeOf(real)).toBe(0o640);
    expect((await home.run('unuse', 'Notes', 'cursor', '--yes')).code).toBe(0);
    expect(readFileSync(real, 'utf8')).toBe('{"a": 1}');
  });

  it.each([
    ['to a file', (place: string, outside: string) => symlinkSync(path.join(outside, 'mcp.json'), place)],
    ['to nothing', (place: string, outside: string) => symlinkSync(path.join(outside, 'nothing'), place)],
    [
      'by its folder',
      (place: string, outside: string) => {
        rmSync(path.dirname(place), { recursive: true });
        symlinkSync(outside, path.dirname(place));
      },
    ],
    ['to itself', (place: string) => symlinkSync(path.basename(place), place)],
  ])('is neither read nor written where it leads out of home: %s (GW-41)', async (_name, put) => {
    const home = makeProgramHome();
    const outside = temporaryFolder();
    writeFileSync(path.join(outside, 'mcp.json'), '{}');
    mkdirSync(home.at('.cursor'));
    put(home.at(file), outside);
    expect(await failure(home)).toBe('PROGRAM_FILE_DENIED');
    expect(readdirSync(outside)).toEqual(['mcp.json']);
    expect(readFileSync(path.join(outside, 'mcp.json'), 'utf8')).toBe('{}');
    const { last } = await home.run('programs', 'cursor', '--json');
    expect(last).toMatchObject({
      programs: [{ files: [{ state: expect.stringMatching(/denied|absent/) }], entries: [] }],
    });
  });
});

const noFiles: readonly (readonly [what: string, put: (place: string) => unknown, code: string])[] = [
  ['a pipe that nobody writes to', (place: string) => spawnSync('mkfifo', [place]), 'PROGRAM_FILE_DENIED'],
  ['a device without end', (place: string) => symlinkSync('/dev/zero', place), 'PROGRAM_FILE_DENIED'],
  ['a folder', (place: string) => mkdirSync(place), 'PROGRAM_FILE_DENIED'],
  [
    'more than 4 MiB',
    (place: string) => {
      writeFileSync(place, '{}');
      truncateSync(place, 4 * 2 ** 20 + 1);
    },
    'PROGRAM_FILE_DENIED',
  ],
  ['UTF-16', (place: string) => writeFileSync(place, Buffer.from('\ufeff{}', 'utf16le')), 'PROGRAM_FILE_DAMAGED'],
  [
    'a letter of before UTF-8',
    (place: string) => writeFileSync(place, Buffer.from('{"cafe": "caf\u00e9"}', 'latin1')),
    'PROGRAM_FILE_DAMAGED',
  ],
  ['half a file', (place: string) => writeFileSync(place, '{"mcpServers": {'), 'PROGRAM_FILE_DAMAGED'],
  ['100 000 levels', (place: string) => writeFileSync(place, '{"a":'.repeat(100_000)), 'PROGRAM_FILE_DAMAGED'],
  ['a list of the wrong kind', (place: string) => writeFileSync(place, '{"mcpServers": []}'), 'PROGRAM_FILE_LAYOUT'],
  [
    'the list twice',
    (place: string) => writeFileSync(place, '{"mcpServers": {}, "mcpServers": {}}'),
    'PROGRAM_FILE_LAYOUT',
  ],
];

describe('what is no file of a program', () => {
  it.each(noFiles)('is left as it is, and not waited for: %s (GW-42)', async (_name, put, code) => {
    const home = makeProgramHome();
    mkdirSync(home.at('.cursor'));
    put(home.at(file));
    const before = lstatSync(home.at(file));
    expect(await failure(home)).toBe(code);
    expect((await home.run('programs', 'cursor')).code).toBe(0);
    const { last } = await home.run('programs', '--json');
    const listed = (last['programs'] as readonly { id: string }[]).find(({ id }) => id === 'cursor');
    // What is inside is not known before somebody looks.
    expect(listed).toMatchObject({ files: [{ state: code === 'PROGRAM_FILE_DENIED' ? 'denied' : 'unread' }] });
    const after = lstatSync(home.at(file));
    expect([after.ino, after.size, after.mtimeMs]).toEqual([before.ino, before.size, before.mtimeMs]);
    expect(existsSync(path.join(home.profile, 'backups'))).toBe(false);
  });

  it.each([
    ['codex', '.codex/config.toml', 'mcp_servers = { x = { command = "y" } }\n', 'PROGRAM_FILE_LAYOUT'],
    ['codex', '.codex/config.toml', '[[mcp_servers]]\nx = 1\n', 'PROGRAM_FILE_LAYOUT'],
    ['goose', '.config/goose/config.yaml', 'a: [\n', 'PROGRAM_FILE_DAMAGED'],
    [
      'continue',
      '.continue/config.yaml',
      `a: &a [${'x,'.repeat(99)}x]\nb: &b [${'*a,'.repeat(99)}*a]\nc: [${'*b,'.repeat(99)}*b]\n`,
      'PROGRAM_FILE_DAMAGED',
    ],
  ])('is left as it is in %s: %s %j (GW-42)', async (program, place, text, code) => {
    const home = makeProgramHome();
    home.put(place, text);
    expect(await failure(home, program)).toBe(code);
    expect(home.text(place)).toBe(text);
  });

  it.each([
    ['as many as are read', 440_000, 'PROGRAM_FILE_DAMAGED'],
    ['4 MiB', 4 * 2 ** 20, 'PROGRAM_FILE_LAYOUT'],
  ])('takes brackets that close nothing in its stride: %s (GW-42)', async (_name, count, code) => {
    const home = makeProgramHome();
    home.put('.config/goose/config.yaml', ']'.repeat(count));
    expect(await failure(home, 'goose')).toBe(code);
  });

  it('takes 4 MiB of comments in its stride (GW-42)', async () => {
    const home = makeProgramHome();
    const text = `{${'// comment\n'.repeat(380_000)}}`;
    home.put(file, text);
    expect((await home.run('use', 'Notes', 'cursor', '--yes')).code).toBe(0);
    expect((await home.run('unuse', 'Notes', 'cursor', '--yes')).code).toBe(0);
    expect(home.text(file)).toBe(text);
  });
});

describe('a file that somebody writes meanwhile', () => {
  it('between the preview and the yes is left as they wrote it (GW-43)', async () => {
    const home = makeProgramHome();
    home.put(file, '{}');
    const asked = startCommand(onTerminal(...posternCommand('use', 'Notes', 'cursor')), {
      home: home.profile,
      env: home.env,
    });
    await asked.waitFor(/Do this\? \[y\/N\]/);
    home.put(file, '{"theirs": 1}');
    asked.type('y\n');
    const { code, stdout } = await asked.ended;
    expect(code).toBe(1);
    expect(stdout).toContain('PROGRAM_FILE_CHANGED');
    expect(home.text(file)).toBe('{"theirs": 1}');
    expect(readFileSync(path.join(home.profile, 'config.json'), 'utf8')).not.toContain('"programs"');
    expect((await home.run('undo', '--json')).last).toMatchObject({ changes: [] });
  });

  it('while the new one is written beside it is left as they wrote it (GW-43)', async () => {
    const folder = temporaryFolder();
    const place = path.join(folder, 'mcp.json');
    writeFileSync(place, 'before');
    const isAsBefore = async (): Promise<boolean> => readFileSync(place, 'utf8') === 'before';
    const theirs = async (): Promise<boolean> => {
      expect(readdirSync(folder)).toHaveLength(2);
      writeFileSync(place, 'theirs');
      return await isAsBefore();
    };
    expect(await replaceText({ file: place, text: 'ours', stats: statSync(place), isAsBefore: theirs })).toBe(false);
    expect(readFileSync(place, 'utf8')).toBe('theirs');
    const fresh = path.join(folder, 'fresh.json');
    const appears = async (): Promise<boolean> => {
      writeFileSync(fresh, 'theirs');
      return true;
    };
    expect(await replaceText({ file: fresh, text: 'ours', stats: undefined, isAsBefore: appears })).toBe(false);
    expect(readFileSync(fresh, 'utf8')).toBe('theirs');
    expect(readdirSync(folder).toSorted()).toEqual(['fresh.json', 'mcp.json']);
  });

  it('is known by its bytes, whether it was there, gone or made (GW-43)', async () => {
    const home = temporaryFolder();
    const files = createProgramFiles({ home, commands: { platform: process.platform, findProgram: () => undefined } });
    const place = { path: path.join(home, 'mcp.json') };
    const changed = { code: 'PROGRAM_FILE_CHANGED' };
    await files.write(place, undefined, 'one');
    await expect(files.write(place, undefined, 'two')).rejects.toMatchObject(changed);
    await expect(files.write(place, 'zero', 'two')).rejects.toMatchObject(changed);
    await expect(files.write(place, 'zero', undefined)).rejects.toMatchObject(changed);
    expect(readFileSync(place.path, 'utf8')).toBe('one');
    await files.write(place, 'one', undefined);
    await expect(files.write(place, 'one', 'two')).rejects.toMatchObject(changed);
    expect(readdirSync(home)).toEqual([]);
  });
});

describe('what is kept of changes', () => {
  it('is not believed where somebody wrote into it (GW-44)', async () => {
    const home = makeProgramHome();
    home.put(file, '{}');
    home.put('secrets', 'theirs');
    await home.run('use', 'Notes', 'cursor', '--yes');
    const folder = path.join(home.profile, 'backups/cursor');
    const [copy = '', note = ''] = readdirSync(folder).toSorted();
    const used = home.text(file);
    const change = JSON.parse(readFileSync(path.join(folder, note), 'utf8')) as { id: string; path: string };
    writeFileSync(path.join(folder, copy), '{"mcpServers": {"evil": {"command": "evil"}}}');
    expect((await home.run('undo', change.id, '--yes', '--json')).last).toMatchObject({
      error: { code: 'UNDO_STALE' },
    });
    const other = (part: object): string => JSON.stringify({ ...change, ...part });
    for (const text of [other({ program: '../..' }), other({ program: 'zed' }), '{']) {
      writeFileSync(path.join(folder, note), text);
      expect((await home.run('undo', '--json')).last).toMatchObject({ changes: [] });
    }
    expect(home.text(file)).toBe(used);
    expect(home.text('secrets')).toBe('theirs');
  });

  it.each<readonly [string, (place: string) => unknown]>([
    ['is a pipe that nobody writes to', (place) => spawnSync('mkfifo', [place])],
    ['is a device without end', (place) => symlinkSync('/dev/zero', place)],
    ['is longer than a program’s file', (place) => (writeFileSync(place, ''), truncateSync(place, 2 ** 32))],
  ])('is not waited for, nor read without end: a copy that %s (GW-44)', async (_name, put) => {
    const home = makeProgramHome();
    home.put(file, '{}');
    await home.run('use', 'Notes', 'cursor', '--yes');
    const folder = path.join(home.profile, 'backups/cursor');
    const [copy = '', note = ''] = readdirSync(folder).toSorted();
    const used = home.text(file);
    const { id } = JSON.parse(readFileSync(path.join(folder, note), 'utf8')) as { id: string };
    rmSync(path.join(folder, copy));
    put(path.join(folder, copy));
    const { code, last } = await home.run('undo', id, '--yes', '--json');
    expect(code).toBe(1);
    expect(last).toMatchObject({ error: { code: 'PROGRAM_FILE_DENIED' } });
    expect(home.text(file)).toBe(used);
  });
});
