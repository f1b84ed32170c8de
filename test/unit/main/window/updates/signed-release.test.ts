import { describe, expect, it } from 'vitest';
import { verifyRelease } from '../../../../../main/window/updates/update-feed.ts';
import { makePublisherKeys, makeRelease } from '../../../../support/release/signed-checksums.ts';

const keys = makePublisherKeys();
const name = 'Postern-1.2.0-linux-x64.AppImage';
const release = makeRelease(keys, '1.2.0', { [name]: Buffer.from('new'), 'latest-linux.yml': Buffer.from('feed') });
const valid = { ...release, files: release.files.filter((file) => file.name === name) };
const refused = expect.objectContaining({ code: 'UPD_SIGNATURE' }) as Error;

describe('verifyRelease', () => {
  it('accepts a release of the publisher', () => {
    expect(() => verifyRelease(valid, keys.publicKey)).not.toThrow();
  });

  it.each([
    ['a file with different content', { files: [{ name, sha512: Buffer.from('other').toString('base64') }] }],
    ['an extra file', { files: [...valid.files, { name: 'Postern-1.2.0-linux-x64.deb', sha512: 'AA==' }] }],
    ['no file at all', { files: [] }],
    [
      'a file under another name',
      { files: valid.files.map((file) => ({ ...file, name: 'Postern-1.2.0-x.AppImage' })) },
    ],
    ['a list that was changed', { checksums: `${valid.checksums}${'0'.repeat(128)}  Postern-1.2.0-more.exe\n` }],
    ['an empty signature', { signature: '' }],
    ['an invalid signature', { signature: 'not base64 !' }],
  ])('rejects %s (PK-06)', (_name, changes) => {
    expect(() => verifyRelease({ ...valid, ...changes }, keys.publicKey)).toThrow(refused);
  });

  it('rejects a list signed by another key (PK-06)', () => {
    const other = makePublisherKeys();
    const foreignRelease = makeRelease(other, '1.2.0', { [name]: Buffer.from('new') });
    expect(() => verifyRelease({ ...valid, ...foreignRelease }, keys.publicKey)).toThrow(refused);
    expect(() => verifyRelease(valid, '')).toThrow(refused);
  });

  it('rejects an old signed release under a newer version number (PK-07)', () => {
    expect(() => verifyRelease({ ...valid, version: '9.9.9' }, keys.publicKey)).toThrow(refused);
    expect(() => verifyRelease({ ...valid, version: '1.2' }, keys.publicKey)).toThrow(refused);
  });
});
