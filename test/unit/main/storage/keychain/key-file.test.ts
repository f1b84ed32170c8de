import { chmodSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeKeyFile, readSecretFile } from '../../../../../main/storage/keychain/key-file.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

describe('readSecretFile', () => {
  it.each([0o640, 0o604, 0o620, 0o602, 0o610, 0o644])('refuses a file that others may use (%o)', async (mode) => {
    const file = path.join(temporaryFolder(), 'key');
    writeFileSync(file, 'secret');
    chmodSync(file, mode);
    await expect(readSecretFile(file)).rejects.toMatchObject({ code: 'KEY_FILE_UNSAFE' });
    chmodSync(file, 0o600);
    expect((await readSecretFile(file)).toString()).toBe('secret');
  });

  it('takes a credential whose group stands for an access list, and none that everybody may read', async () => {
    const file = path.join(temporaryFolder(), 'key');
    writeFileSync(file, 'secret');
    chmodSync(file, 0o440);
    expect((await readSecretFile(file, { credential: true })).toString()).toBe('secret');
    for (const mode of [0o444, 0o460]) {
      chmodSync(file, mode);
      await expect(readSecretFile(file, { credential: true })).rejects.toMatchObject({ code: 'KEY_FILE_UNSAFE' });
    }
  });

  it('judges the file that a link leads to, and takes no folder and nothing endless', async () => {
    const folder = temporaryFolder();
    writeFileSync(path.join(folder, 'key'), 'secret', { mode: 0o600 });
    symlinkSync(path.join(folder, 'key'), path.join(folder, 'link'));
    expect((await readSecretFile(path.join(folder, 'link'))).toString()).toBe('secret');
    for (const place of [folder, '/dev/zero', path.join(folder, 'nothing')])
      await expect(readSecretFile(place)).rejects.toMatchObject({ code: expect.stringMatching(/^KEY_FILE_/u) });
  });
});

describe('makeKeyFile', () => {
  it('makes one of 32 random bytes for its person alone, whatever the umask, over nothing', async () => {
    const file = path.join(temporaryFolder(), 'key');
    const before = process.umask(0);
    const made = await makeKeyFile(file).finally(() => process.umask(before));
    expect(Buffer.from(made.toString(), 'base64')).toHaveLength(32);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await expect(makeKeyFile(file)).rejects.toMatchObject({ code: 'KEY_FILE_MISSING' });
    expect(await readSecretFile(file)).toEqual(made);
  });
});
