import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { lockFilePath } from '../../main/storage/lock-file.ts';
import { profileLock } from '../../main/storage/profile-lock.ts';
import { renderSettingsDocument, settingsVersion } from '../../main/storage/settings-document.ts';
import type { Settings } from '../../shared/settings.ts';
import { anIntegration } from '../support/an-integration.ts';
import { runPostern } from '../support/postern-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** What stands where Postern keeps a file is a pipe that nobody writes to, a device without end, a folder. */

function profile(settings: Settings = {}): string {
  const home = temporaryFolder();
  mkdirSync(path.join(home, 'logs'));
  mkdirSync(path.join(home, 'locks'));
  const document = { version: settingsVersion, settings, integrations: [anIntegration()] };
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
const folder: Put = (file) => {
  rmSync(file, { force: true });
  mkdirSync(file);
};

/** `file` from the profile folder. */
async function run(put: Put, file: string, ...words: string[]) {
  const home = profile();
  put(path.join(home, file));
  return await runPostern([...words, '--json'], { home });
}

const lock = path.relative('/', lockFilePath('/', profileLock));

describe.skipIf(process.platform === 'win32')('a command ends, and says what is in its way', () => {
  it.each<[string, string, Put, string[]]>([
    ['a pipe as the settings', 'config.json', pipe, ['list']],
    ['a device as the settings', 'config.json', zero, ['list']],
    ['a folder as the settings', 'config.json', folder, ['list']],
    ['a pipe as the settings, glanced at', 'config.json', pipe, ['tools', 'one']],
    ['a device as the settings, glanced at', 'config.json', zero, ['tools', 'one']],
    ['a pipe as the vault', 'vault', pipe, ['token', 'one']],
    ['a pipe as a lock', lock, pipe, ['remove', 'one']],
    ['a device as a lock', lock, zero, ['remove', 'one']],
    ['a pipe as the journal of a lock', `${lock}-journal`, pipe, ['remove', 'one']],
    ['a pipe as the kept settings', 'config.json.kept', pipe, ['remove', 'one']],
    ['a pipe as the vault that is deleted', 'vault', pipe, ['remove', '--all', '--yes']],
    ['a pipe as a damaged vault', 'vault.corrupt-1', pipe, ['remove', '--all', '--yes']],
  ])('of %s', async (_, file, put, words) => {
    const { code, last } = await run(put, file, ...words);
    expect(last).toMatchObject({
      result: 'error',
      error: {
        code: 'CFG_READONLY',
        message: expect.stringContaining(`"${path.basename(file)}"`),
        nextStep: expect.stringContaining('Move it'),
      },
    });
    expect(code).toBe(1);
  });

  it.each<[string, Put]>([
    ['a pipe', pipe],
    ['a device', zero],
  ])('where the log is %s, which changes nothing', async (_, put) => {
    const { code, last } = await run(put, 'logs/postern.log', 'show', 'nobody');
    expect(last).toMatchObject({ result: 'error', error: { code: 'NOT_FOUND' } });
    expect(code).toBe(1);
  });

  it.each<[string, Put]>([
    ['a pipe', pipe],
    ['a device', zero],
  ])('where the file of certificates is %s, which is told as unusable', async (_, put) => {
    const file = path.join(temporaryFolder(), 'authorities.pem');
    put(file);
    const { last } = await runPostern(['doctor', '--json'], { home: profile({ certificateFile: file }) });
    expect(last['checks']).toContainEqual(expect.objectContaining({ name: 'certificates', ok: false }));
  });
});
