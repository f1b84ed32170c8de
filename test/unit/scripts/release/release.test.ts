import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { verifyRelease } from '../../../../main/window/updates/update-feed.ts';
import { findVersionFaults } from '../../../../scripts/release/check-version.ts';
import { publicKeyOf } from '../../../../scripts/release/sign-checksums.ts';
import { writeNotes } from '../../../../scripts/release/write-notes.ts';
import { product } from '../../../../shared/product.ts';
import { makePublisherKeys } from '../../../support/release/signed-checksums.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const root = path.join(import.meta.dirname, '../../../..');
const keys = makePublisherKeys();

function signFolder(folder: string, env: Readonly<Record<string, string>>) {
  const script = path.join(root, 'scripts/release/sign-checksums.ts');
  return spawnSync(process.execPath, [script, folder], { env: { ...process.env, ...env }, encoding: 'utf8' });
}

describe('signing a release', () => {
  it('writes a list that `sha512sum` and a running Postern accept', () => {
    const folder = temporaryFolder();
    writeFileSync(path.join(folder, 'Postern-1.2.0-linux-x64.AppImage'), 'app');
    writeFileSync(path.join(folder, 'latest-linux.yml'), 'feed');
    mkdirSync(path.join(folder, 'a-folder'));
    const env = { UPDATE_SIGNING_KEY: keys.privateKey, UPDATE_PUBLIC_KEY: keys.publicKey };
    expect(signFolder(folder, env).status).toBe(0);
    // Runs a second time, with its own output in the folder.
    expect(signFolder(folder, env).status).toBe(0);
    const checksums = readFileSync(path.join(folder, 'checksums.txt'), 'utf8');
    const signature = readFileSync(path.join(folder, 'checksums.txt.sig'), 'utf8');
    expect(checksums.split('\n').map((line) => line.slice(130))).toEqual([
      'Postern-1.2.0-linux-x64.AppImage',
      'latest-linux.yml',
      '',
    ]);
    if (process.platform === 'linux')
      expect(spawnSync('sha512sum', ['--check', '--strict', 'checksums.txt'], { cwd: folder }).status).toBe(0);
    const sha512 = Buffer.from(checksums.slice(0, 128), 'hex').toString('base64');
    const files = [{ name: 'Postern-1.2.0-linux-x64.AppImage', sha512 }];
    expect(() => verifyRelease({ version: '1.2.0', files, checksums, signature }, keys.publicKey)).not.toThrow();
  });

  it('accepts the output of `openssl genpkey`', ({ skip }) => {
    const { status, stdout } = spawnSync('openssl', ['genpkey', '-algorithm', 'ed25519'], { encoding: 'utf8' });
    skip(status !== 0, 'no openssl here');
    expect(Buffer.from(publicKeyOf(stdout), 'base64')).toHaveLength(44);
  });

  it.each([
    ['no key', {}, 'UPDATE_SIGNING_KEY is missing'],
    [
      'a key that does not match the public key',
      { UPDATE_PUBLIC_KEY: makePublisherKeys().publicKey },
      'are not a pair',
    ],
  ])('stops with %s', (_name, env, message) => {
    const folder = temporaryFolder();
    writeFileSync(path.join(folder, 'file'), '');
    const signingKey = 'UPDATE_PUBLIC_KEY' in env ? keys.privateKey : '';
    const { status, stderr } = signFolder(folder, { UPDATE_SIGNING_KEY: signingKey, ...env });
    expect(status).not.toBe(0);
    expect(stderr).toContain(message);
  });
});

describe('a release', () => {
  it('has the same version everywhere', () => {
    const faults = findVersionFaults(`v${product.version}`);
    // The changelog section is written at release time.
    expect(faults.filter((fault) => !fault.startsWith('CHANGELOG.md'))).toEqual([]);
    expect(findVersionFaults('v99.0.0')[0]).toContain('The tag is v99.0.0');
  });

  it('takes its notes only from the section of its version', () => {
    const changelog = '# Changes\n\n## 1.1.0 (2026-12-01)\n\n- New\n\n## 1.0.0\n\n- Old\n';
    expect(writeNotes(changelog, '1.1.0')).toMatch(/^- New\n\n## Verify a download/);
    expect(writeNotes(changelog, '1.0.0')).not.toContain('New');
    expect(() => writeNotes(changelog, '1.1')).toThrow('no section');
  });
});
