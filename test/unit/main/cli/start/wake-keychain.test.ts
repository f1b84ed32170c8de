import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { wakeKeychain } from '../../../../../main/cli/start/wake-keychain.ts';
import type { Installation } from '../../../../../main/host/installation.ts';
import type { KeychainRequest } from '../../../../../main/storage/keychain/keychain-process.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

/** What is asked of the keychain for these words, before anything else is loaded; `undefined`: it is not started. */
async function askedFor(argv: readonly string[], keyring?: string): Promise<readonly KeychainRequest[] | undefined> {
  const folder = temporaryFolder();
  vi.stubEnv('POSTERN_HOME', folder);
  onTestFinished(() => void vi.unstubAllEnvs());
  const integrations = [{ id: '7', name: 'Notes', method: 'OAuthWithDCR', state: 'connected', options: {} }];
  writeFileSync(path.join(folder, 'config.json'), JSON.stringify({ integrations }));
  writeFileSync(path.join(folder, 'vault'), JSON.stringify({ account: 'vault-1' }));
  if (keyring !== undefined) writeFileSync(path.join(folder, 'keyring'), keyring);
  const asked: KeychainRequest[] = [];
  let isStarted = false;
  const installation: Installation = {
    packaged: false,
    channel: 'dev',
    startKeychain() {
      isStarted = true;
      const request = async (one: KeychainRequest) => {
        asked.push(one);
        return { ok: true, value: 'key' } as const;
      };
      return { request, alive: true, kill: async () => {} };
    },
  };
  const keychains = await wakeKeychain(argv, installation);
  await keychains?.own.read('vault-1');
  expect(keychains !== undefined).toBe(isStarted);
  return keychains && asked;
}

describe('wakeKeychain', () => {
  it('asks once for the key that the command is going to need', async () => {
    const key = [{ operation: 'read', service: 'postern-dev', account: 'vault-1' }];
    expect(await askedFor(['token', 'notes'])).toEqual(key);
    expect(await askedFor(['--json', 'exec', '7', '--', 'env', '--help'])).toEqual(key);
    // Asked for by the reading alone.
    expect(await askedFor(['login', 'https://notes.example/mcp'])).toEqual(key);
  });

  it.each([
    ['reads no secret', ['list']],
    ['only explains', ['token', 'Notes', '--help']],
    ['only explains by -h', ['token', 'Notes', '-h']],
    ['keeps nothing', ['connect', 'https://notes.example/mcp', '--memory']],
    ['is told of another vault', ['token', 'Notes', '--vault=file']],
    ['is told of a passphrase', ['token', 'Notes', '--passphrase-fd', '3']],
    ['is of another profile', ['serve', '--profile-folder', '/elsewhere']],
    ['has a word of another command alone', ['show', 'token']],
  ])('starts nothing for one that %s', async (_, argv) => {
    expect(await askedFor(argv)).toBeUndefined();
  });

  it('starts nothing where a keyring seals the profile, or cannot be read', async () => {
    expect(await askedFor(['token', 'Notes'], '{"kind":"file"}')).toBeUndefined();
    expect(await askedFor(['token', 'Notes'], 'torn')).toBeUndefined();
  });
});
