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
import { createAppFiles, replaceText } from '../../../main/apps/files/app-files.ts';
import { onTerminal } from '../../support/on-terminal.ts';
import { posternCommand, startCommand } from '../../support/postern-process.ts';
import { makeAppHome, modeOf } from '../../support/app-home.ts';
import type { AppHome } from '../../support/app-home.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Files of other apps are not ours: they may contain anything, and anyone may write meanwhile. */

const file = '.cursor/mcp.json';

async function failure(home: AppHome, app = 'cursor'): Promise<unknown> {
  const preview = await home.run('use', 'Notes', app, '--json');
  expect(preview.code).toBe(2);
  expect(readFileSync(path.join(home.profile, 'config.json'), 'utf8')).not.toContain('"apps"');
  const { code, last } = await home.run('use', 'Notes', app, '--yes', '--json');
  expect(code).toBe(1);
  const error = last['error'] as { code: string; paste: { lines: string; secret: boolean } };
  const [record] = (
    JSON.parse(readFileSync(path.join(home.profile, 'config.json'), 'utf8')) as { apps: { id: string }[] }
  ).apps;
  // The lines to paste name the app's record.
  expect(error.paste).toMatchObject({ lines: expect.stringContaining(record?.id ?? 'no record'), secret: false });
  return error.code;
}

describe('a link in place of an app’s file', () => {
  it('stays a link, and its target within home is changed (GW-40)', async () => {
    const home = makeAppHome();
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
  ])('is neither read nor written if it points outside home: %s (GW-41)', async (_name, put) => {
    const home = makeAppHome();
    const outside = temporaryFolder();
    writeFileSync(path.join(outside, 'mcp.json'), '{}');
    mkdirSync(home.at('.cursor'));
    put(home.at(file), outside);
    expect(await failure(home)).toBe('APP_FILE_DENIED');
    expect(readdirSync(outside)).toEqual(['mcp.json']);
    expect(readFileSync(path.join(outside, 'mcp.json'), 'utf8')).toBe('{}');
    const { last } = await home.run('apps', 'cursor', '--json');
    expect(last).toMatchObject({
      apps: [{ files: [{ state: expect.stringMatching(/denied|absent/) }], entries: [] }],
    });
  });
});

const noFiles: readonly (readonly [what: string, put: (place: string) => unknown, code: string])[] = [
  ['a pipe without a writer', (place: string) => spawnSync('mkfifo', [place]), 'APP_FILE_DENIED'],
  ['a device without end', (place: string) => symlinkSync('/dev/zero', place), 'APP_FILE_DENIED'],
  ['a folder', (place: string) => mkdirSync(place), 'APP_FILE_DENIED'],
  [
    'more than 4 MiB',
    (place: string) => {
      writeFileSync(place, '{}');
      truncateSync(place, 4 * 2 ** 20 + 1);
    },
    'APP_FILE_DENIED',
  ],
  ['UTF-16', (place: string) => writeFileSync(place, Buffer.from('\ufeff{}', 'utf16le')), 'APP_FILE_DAMAGED'],
  [
    'a letter of before UTF-8',
    (place: string) => writeFileSync(place, Buffer.from('{"cafe": "caf\u00e9"}', 'latin1')),
    'APP_FILE_DAMAGED',
  ],
  ['half a file', (place: string) => writeFileSync(place, '{"mcpServers": {'), 'APP_FILE_DAMAGED'],
  ['100 000 levels', (place: string) => writeFileSync(place, '{"a":'.repeat(100_000)), 'APP_FILE_DAMAGED'],
  ['a list of the wrong kind', (place: string) => writeFileSync(place, '{"mcpServers": []}'), 'APP_FILE_LAYOUT'],
  [
    'the list twice',
    (place: string) => writeFileSync(place, '{"mcpServers": {}, "mcpServers": {}}'),
    'APP_FILE_LAYOUT',
  ],
];

describe('something other than a regular file', () => {
  it.each(noFiles)('is left unchanged, without waiting for it: %s (GW-42)', async (_name, put, code) => {
    const home = makeAppHome();
    mkdirSync(home.at('.cursor'));
    put(home.at(file));
    const before = lstatSync(home.at(file));
    expect(await failure(home)).toBe(code);
    expect((await home.run('apps', 'cursor')).code).toBe(0);
    const { last } = await home.run('apps', '--json');
    const listed = (last['apps'] as readonly { id: string }[]).find(({ id }) => id === 'cursor');
    // Its content is not checked before it is read.
    expect(listed).toMatchObject({ files: [{ state: code === 'APP_FILE_DENIED' ? 'denied' : 'present' }] });
    const after = lstatSync(home.at(file));
    expect([after.ino, after.size, after.mtimeMs]).toEqual([before.ino, before.size, before.mtimeMs]);
    expect(existsSync(path.join(home.profile, 'backups'))).toBe(false);
  });

  it.each([
    ['codex', '.codex/config.toml', 'mcp_servers = { x = { command = "y" } }\n', 'APP_FILE_LAYOUT'],
    ['codex', '.codex/config.toml', '[[mcp_servers]]\nx = 1\n', 'APP_FILE_LAYOUT'],
    ['goose', '.config/goose/config.yaml', 'a: [\n', 'APP_FILE_DAMAGED'],
    [
      'continue',
      '.continue/config.yaml',
      `a: &a [${'x,'.repeat(99)}x]\nb: &b [${'*a,'.repeat(99)}*a]\nc: [${'*b,'.repeat(99)}*b]\n`,
      'APP_FILE_DAMAGED',
    ],
  ])('is left unchanged in %s: %s %j (GW-42)', async (app, place, text, code) => {
    const home = makeAppHome();
    home.put(place, text);
    expect(await failure(home, app)).toBe(code);
    expect(home.text(place)).toBe(text);
  });

  it.each([
    ['as many as are read', 440_000, 'APP_FILE_DAMAGED'],
    ['4 MiB', 4 * 2 ** 20, 'APP_FILE_LAYOUT'],
  ])('handles unmatched brackets: %s (GW-42)', async (_name, count, code) => {
    const home = makeAppHome();
    home.put('.config/goose/config.yaml', ']'.repeat(count));
    expect(await failure(home, 'goose')).toBe(code);
  });

  it('handles 4 MiB of comments (GW-42)', async () => {
    const home = makeAppHome();
    const text = `{${'// comment\n'.repeat(380_000)}}`;
    home.put(file, text);
    expect((await home.run('use', 'Notes', 'cursor', '--yes')).code).toBe(0);
    expect((await home.run('unuse', 'Notes', 'cursor', '--yes')).code).toBe(0);
    expect(home.text(file)).toBe(text);
  });
});

describe('a file that another program writes meanwhile', () => {
  it('between the preview and the consent is not overwritten (GW-43)', async () => {
    const home = makeAppHome();
    home.put(file, '{}');
    const command = startCommand(onTerminal(...posternCommand('use', 'Notes', 'cursor')), {
      home: home.profile,
      env: home.env,
    });
    await command.waitFor(/Continue\? \[y\/N\]/);
    home.put(file, '{"theirs": 1}');
    command.type('y\n');
    const { code, stdout } = await command.ended;
    expect(code).toBe(1);
    expect(stdout).toContain('APP_FILE_CHANGED');
    expect(home.text(file)).toBe('{"theirs": 1}');
    expect(readFileSync(path.join(home.profile, 'config.json'), 'utf8')).not.toContain('"apps"');
    expect((await home.run('undo', '--json')).last).toMatchObject({ changes: [] });
  });

  it('while the new file is being written is not overwritten (GW-43)', async () => {
    const folder = temporaryFolder();
    const place = path.join(folder, 'mcp.json');
    writeFileSync(place, 'before');
    const isAsBefore = async (): Promise<boolean> => readFileSync(place, 'utf8') === 'before';
    const theirs = async (): Promise<boolean> => {
      expect(readdirSync(folder)).toHaveLength(2);
      writeFileSync(place, 'theirs');
      return await isAsBefore();
    };
    expect(await replaceText({ file: place, text: 'ours', stats: statSync(place), isUnchanged: theirs })).toBe(false);
    expect(readFileSync(place, 'utf8')).toBe('theirs');
    const fresh = path.join(folder, 'fresh.json');
    const appears = async (): Promise<boolean> => {
      writeFileSync(fresh, 'theirs');
      return true;
    };
    expect(await replaceText({ file: fresh, text: 'ours', stats: undefined, isUnchanged: appears })).toBe(false);
    expect(readFileSync(fresh, 'utf8')).toBe('theirs');
    expect(readdirSync(folder).toSorted()).toEqual(['fresh.json', 'mcp.json']);
  });

  it('is compared by its bytes, whether it existed, disappeared or appeared (GW-43)', async () => {
    const home = temporaryFolder();
    const files = createAppFiles({ home, commands: { platform: process.platform, findExecutable: () => undefined } });
    const place = { path: path.join(home, 'mcp.json') };
    const changed = { code: 'APP_FILE_CHANGED' };
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

describe('the saved history of changes', () => {
  it('is not trusted after someone else wrote to it (GW-44)', async () => {
    const home = makeAppHome();
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
    for (const text of [other({ app: '../..' }), other({ app: 'zed' }), '{']) {
      writeFileSync(path.join(folder, note), text);
      expect((await home.run('undo', '--json')).last).toMatchObject({ changes: [] });
    }
    expect(home.text(file)).toBe(used);
    expect(home.text('secrets')).toBe('theirs');
  });

  it.each<readonly [string, (place: string) => unknown]>([
    ['is a pipe without a writer', (place) => spawnSync('mkfifo', [place])],
    ['is a device without end', (place) => symlinkSync('/dev/zero', place)],
    ['is longer than an app’s file', (place) => (writeFileSync(place, ''), truncateSync(place, 2 ** 32))],
  ])('is not read forever, and not waited for: a copy that %s (GW-44)', async (_name, put) => {
    const home = makeAppHome();
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
    expect(last).toMatchObject({ error: { code: 'APP_FILE_DENIED' } });
    expect(home.text(file)).toBe(used);
  });
});
