import { describe, expect, it } from 'vitest';
import { verifyRelease } from '../../../../../main/window/updates/update-feed.ts';
import { makePublisherKeys, makeRelease } from '../../../../support/release/signed-checksums.ts';

const keys = makePublisherKeys();
const name = 'Postern-1.2.0-linux-x64.AppImage';
const release = makeRelease(keys, '1.2.0', { [name]: Buffer.from('new'), 'latest-linux.yml': Buffer.from('feed') });
const offered = { ...release, files: release.files.filter((file) => file.name === name) };
const refused = expect.objectContaining({ code: 'UPD_SIGNATURE' }) as Error;

describe('verifyRelease', () => {
  it('lets a release of the publisher pass', () => {
    expect(() => verifyRelease(offered, keys.publicKey)).not.toThrow();
  });

  it.each([
    ['a file with another content', { files: [{ name, sha512: Buffer.from('other').toString('base64') }] }],
    ['one file too many', { files: [...offered.files, { name: 'Postern-1.2.0-linux-x64.deb', sha512: 'AA==' }] }],
    ['no file at all', { files: [] }],
    [
      'a file under another name',
      { files: offered.files.map((file) => ({ ...file, name: 'Postern-1.2.0-x.AppImage' })) },
    ],
    ['a list that was changed', { checksums: `${offered.checksums}${'0'.repeat(128)}  Postern-1.2.0-more.exe\n` }],
    ['an empty signature', { signature: '' }],
    ['a signature that is none', { signature: 'not base64 !' }],
  ])('refuses %s (PK-06)', (_name, changes) => {
    expect(() => verifyRelease({ ...offered, ...changes }, keys.publicKey)).toThrow(refused);
  });

  it('refuses a list that somebody else has signed (PK-06)', () => {
    const other = makePublisherKeys();
    const theirs = makeRelease(other, '1.2.0', { [name]: Buffer.from('new') });
    expect(() => verifyRelease({ ...offered, ...theirs }, keys.publicKey)).toThrow(refused);
    expect(() => verifyRelease(offered, '')).toThrow(refused);
  });

  it('refuses an old release, signed as it was, under a newer number (PK-07)', () => {
    expect(() => verifyRelease({ ...offered, version: '9.9.9' }, keys.publicKey)).toThrow(refused);
    expect(() => verifyRelease({ ...offered, version: '1.2' }, keys.publicKey)).toThrow(refused);
  });
});
