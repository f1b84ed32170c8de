import { chmodSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createKeyFile, readSecretFile } from '../../../../../main/storage/keychain/key-file.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

describe('readSecretFile', () => {
  it.each([0o640, 0o604, 0o620, 0o602, 0o610, 0o644])('rejects a file that others can access (%o)', async (mode) => {
    const file = path.join(temporaryFolder(), 'key');
    writeFileSync(file, 'secret');
    chmodSync(file, mode);
    await expect(readSecretFile(file)).rejects.toMatchObject({ code: 'KEY_FILE_UNSAFE' });
    chmodSync(file, 0o600);
    expect((await readSecretFile(file)).toString()).toBe('secret');
  });

  it('accepts a credential whose group bits come from an ACL, but none that anyone can read', async () => {
    const file = path.join(temporaryFolder(), 'key');
    writeFileSync(file, 'secret');
    chmodSync(file, 0o440);
    expect((await readSecretFile(file, { credential: true })).toString()).toBe('secret');
    for (const mode of [0o444, 0o460]) {
      chmodSync(file, mode);
      await expect(readSecretFile(file, { credential: true })).rejects.toMatchObject({ code: 'KEY_FILE_UNSAFE' });
    }
  });

  it('checks the target of a link, and rejects folders and endless files', async () => {
    const folder = temporaryFolder();
    writeFileSync(path.join(folder, 'key'), 'secret', { mode: 0o600 });
    symlinkSync(path.join(folder, 'key'), path.join(folder, 'link'));
    expect((await readSecretFile(path.join(folder, 'link'))).toString()).toBe('secret');
    for (const place of [folder, '/dev/zero', path.join(folder, 'nothing')])
      await expect(readSecretFile(place)).rejects.toMatchObject({ code: expect.stringMatching(/^KEY_FILE_/u) });
  });
});

describe('createKeyFile', () => {
  it('creates 32 random bytes for this user only, whatever the umask, and overwrites nothing', async () => {
    const file = path.join(temporaryFolder(), 'key');
    const before = process.umask(0);
    const created = await createKeyFile(file).finally(() => process.umask(before));
    expect(Buffer.from(created.toString(), 'base64')).toHaveLength(32);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await expect(createKeyFile(file)).rejects.toMatchObject({ code: 'KEY_FILE_MISSING' });
    expect(await readSecretFile(file)).toEqual(created);
  });
});
