import { chmodSync, chownSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { accessTokenLength } from '../../../../../main/limits.ts';
import { Secret } from '../../../../../main/secret.ts';
import { assertionFiles } from '../../../../../main/storage/files/assertion-file.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

function write(text = 'token\n', mode = 0o600): { folder: string; file: string } {
  const folder = temporaryFolder();
  const file = path.join(folder, 'token');
  writeFileSync(file, text);
  chmodSync(file, mode);
  return { folder, file };
}

async function read(file: string): Promise<string> {
  const result = await assertionFiles.read(file);
  return result instanceof Secret ? `token ${result.reveal()}` : result;
}

describe('the file of an assertion', () => {
  it('is read without surrounding white space, even through a link, which a cluster changes at each renewal', async () => {
    const { folder, file } = write();
    symlinkSync(file, path.join(folder, 'link'));
    expect(await read(file)).toBe('token token');
    expect(await read(path.join(folder, 'link'))).toBe('token token');
  });

  it('is missing if it or a parent folder does not exist', async () => {
    const { folder, file } = write();
    expect(await read(path.join(folder, 'other'))).toBe('missing');
    expect(await read(path.join(file, 'below'))).toBe('missing');
  });

  it('cannot be a folder or a circular link', async () => {
    const folder = temporaryFolder();
    mkdirSync(path.join(folder, 'token'));
    symlinkSync(path.join(folder, 'loop'), path.join(folder, 'loop'));
    expect(await read(path.join(folder, 'token'))).toBe('not-a-file');
    expect(await read(path.join(folder, 'loop'))).toBe('not-a-file');
  });

  it('is no longer than an access token', async () => {
    expect(await read(write('x'.repeat(accessTokenLength)).file)).toBe(`token ${'x'.repeat(accessTokenLength)}`);
    expect(await read(write('x'.repeat(accessTokenLength + 1)).file)).toBe('large');
  });

  it.skipIf(process.platform === 'win32')('is foreign if anyone can write to it', async () => {
    expect(await read(write('token', 0o602).file)).toBe('foreign');
    expect(await read(write('token', 0o644).file)).toBe('token token');
  });

  it.skipIf(process.getuid?.() !== 0)('is foreign if another user owns it', async () => {
    const { file } = write();
    chownSync(file, 12_345, 12_345);
    expect(await read(file)).toBe('foreign');
  });
});
