import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { profileLock } from '../../main/storage/files/kernel-locks.ts';
import { lockFilePath } from '../../main/storage/files/lock-file.ts';
import { renderSettingsDocument, settingsVersion } from '../../main/storage/settings/settings-document.ts';
import type { Settings } from '../../shared/settings.ts';
import { anIntegration } from '../support/an-integration.ts';
import { runInProcess } from '../support/command-in-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** In place of Postern's files: a pipe that nobody writes to, an endless device, a folder. */

function profile(settings: Settings = {}): string {
  const home = temporaryFolder();
  mkdirSync(path.join(home, 'logs'));
  mkdirSync(path.join(home, 'locks'));
  const document = {
    version: settingsVersion,
    settings,
    integrations: [anIntegration()],
    apps: [],
    collections: [],
    pendingDeletions: [],
    removedCollections: [],
  };
  writeFileSync(path.join(home, 'config.json'), renderSettingsDocument(document));
  return home;
}

type Put = (file: string) => void;

const pipe: Put = (file) => {
  rmSync(file, { force: true });
  expect(spawnSync('mkfifo', [file]).status).toBe(0);
};
const zero: Put = (file) => {
  rmSync(file, { force: true });
  symlinkSync('/dev/zero', file);
};
/** To a valid file. */
const link: Put = (file) => {
  const elsewhere = path.join(temporaryFolder(), 'elsewhere');
  if (existsSync(file)) renameSync(file, elsewhere);
  else writeFileSync(elsewhere, 'what stands elsewhere');
  symlinkSync(elsewhere, file);
};
const secondName: Put = (file) => {
  link(file);
  const elsewhere = realpathSync(file);
  rmSync(file);
  linkSync(elsewhere, file);
};
const linkedFolder: Put = (file) => {
  const elsewhere = temporaryFolder();
  rmSync(file, { recursive: true, force: true });
  symlinkSync(elsewhere, file);
};
const folder: Put = (file) => {
  rmSync(file, { force: true });
  mkdirSync(file);
};

/** `file` is relative to the profile folder. */
async function run(put: Put, file: string, ...words: string[]) {
  const home = profile();
  put(path.join(home, file));
  return await runInProcess([...words, '--json'], { home });
}

const lock = path.relative('/', lockFilePath('/', profileLock));

describe.skipIf(process.platform === 'win32')('a command fails and reports an unusual file', () => {
  it.each<[string, string, Put, string[]]>([
    ['a pipe as the settings', 'config.json', pipe, ['list']],
    ['a folder as the settings', 'config.json', folder, ['list']],
    ['a pipe as the settings, peeked at', 'config.json', pipe, ['tools', 'one']],
    ['a pipe as the vault', 'vault', pipe, ['token', 'one']],
    ['a pipe as a lock', lock, pipe, ['remove', 'one']],
    ['a pipe as the journal of a lock', `${lock}-journal`, pipe, ['remove', 'one']],
    ['a pipe as the vault that is deleted', 'vault', pipe, ['remove', '--all', '--yes']],
    ['a pipe as a damaged vault', 'vault.corrupt-1', pipe, ['remove', '--all', '--yes']],
  ])('%s', async (_, file, put, words) => {
    const { code, last } = await run(put, file, ...words);
    expect(last).toMatchObject({
      result: 'error',
      error: {
        code: 'CFG_READONLY',
        message: expect.stringContaining(`“${path.basename(file)}”`),
        nextStep: expect.stringContaining('Move it'),
      },
    });
    expect(code).toBe(1);
  });

  it.each<[string, string, Put, string[]]>([
    ['the settings, a device', 'config.json', zero, ['list']],
    ['the settings, a device that is peeked at', 'config.json', zero, ['tools', 'one']],
    ['the settings, read', 'config.json', link, ['list']],
    ['the settings, changed', 'config.json', link, ['settings', 'theme', 'dark']],
    ['the settings, restored', 'config.json', link, ['settings', '--restore']],
    ['the settings, deleted', 'config.json', link, ['remove', '--all', '--yes']],
    ['the vault', 'vault', link, ['token', 'one']],
    ['a lock, a device', lock, zero, ['remove', 'one']],
    ['a lock', lock, link, ['remove', 'one']],
    ['a lock, as a second name of it', lock, secondName, ['remove', 'one']],
    ['the folder of locks', 'locks', linkedFolder, ['remove', 'one']],
  ])('%s as a link; nothing is written through it', async (_, file, put, words) => {
    const home = profile();
    put(path.join(home, file));
    const target = realpathSync(path.join(home, file));
    const content = (): unknown =>
      statSync(target).isDirectory() ? readdirSync(target) : statSync(target).isFile() && readFileSync(target, 'utf8');
    const before = content();
    const { code, last } = await runInProcess([...words, '--json'], { home });
    expect(last).toMatchObject({
      result: 'error',
      error: { code: 'CFG_LINK', message: expect.stringContaining(`“${path.basename(file)}”`) },
    });
    expect(code).toBe(1);
    expect(content()).toEqual(before);
  });

  it.each([
    ['may be written to by others', (home: string) => chmodSync(home, 0o777)],
    ['may be written to by a group', (home: string) => chmodSync(home, 0o770)],
    ['lies where others may exchange it', (home: string) => chmodSync(path.dirname(home), 0o777)],
    ...(process.getuid?.() === 0
      ? [
          ['belongs to another user', (home: string) => chownSync(home, 65_534, 65_534)] as const,
          ['lies in a folder of another user', (home: string) => chownSync(path.dirname(home), 65_534, 0)] as const,
        ]
      : []),
  ] as const)('in place of a profile folder that %s', async (_, open) => {
    const home = path.join(temporaryFolder(), 'profile');
    mkdirSync(home, { mode: 0o700 });
    cpSync(profile(), home, { recursive: true });
    open(home);
    const before = readdirSync(home, { recursive: true });
    for (const words of [['list'], ['settings', 'theme', 'dark'], ['remove', 'one'], ['doctor']]) {
      const { code, last } = await runInProcess([...words, '--json'], { home });
      expect({ code, ...last }).toMatchObject({
        code: 1,
        error: { code: 'CFG_SHARED', nextStep: expect.stringContaining('POSTERN_HOME') },
      });
    }
    expect(readdirSync(home, { recursive: true })).toEqual(before);
  });

  it.each<[string, Put]>([
    ['a pipe', pipe],
    ['a device', zero],
  ])('except for a log that is %s, which changes nothing', async (_, put) => {
    const { code, last } = await run(put, 'logs/postern.log', 'show', 'nobody');
    expect(last).toMatchObject({ result: 'error', error: { code: 'NOT_FOUND' } });
    expect(code).toBe(1);
  });

  it.each<[string, Put]>([
    ['a pipe', pipe],
    ['a device', zero],
  ])('if the certificate file is %s, which is reported as unusable', async (_, put) => {
    const file = path.join(temporaryFolder(), 'authorities.pem');
    put(file);
    const { last } = await runInProcess(['doctor', '--json'], { home: profile({ certificateFile: file }) });
    expect(last['checks']).toContainEqual(expect.objectContaining({ name: 'certificates', ok: false }));
  });
});
