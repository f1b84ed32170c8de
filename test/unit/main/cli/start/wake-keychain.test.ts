import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { wakeKeychain } from '../../../../../main/cli/start/wake-keychain.ts';
import type { Installation } from '../../../../../main/host/installation.ts';
import type { KeychainRequest } from '../../../../../main/storage/keychain/keychain-process.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

/** Keychain requests for these arguments before anything else is loaded; `undefined` if the process is not started. */
async function requestsFor(argv: readonly string[], keyring?: string): Promise<readonly KeychainRequest[] | undefined> {
  const folder = temporaryFolder();
  vi.stubEnv('POSTERN_HOME', folder);
  onTestFinished(() => void vi.unstubAllEnvs());
  const integrations = [{ id: '7', name: 'Notes', method: 'OAuthWithDCR', state: 'connected', options: {} }];
  writeFileSync(path.join(folder, 'config.json'), JSON.stringify({ integrations }));
  writeFileSync(path.join(folder, 'vault'), JSON.stringify({ account: 'vault-1' }));
  if (keyring !== undefined) writeFileSync(path.join(folder, 'keyring'), keyring);
  const requests: KeychainRequest[] = [];
  let isStarted = false;
  const installation: Installation = {
    isPackaged: false,
    channel: 'dev',
    startKeychain() {
      isStarted = true;
      const request = async (one: KeychainRequest) => {
        requests.push(one);
        return { ok: true, value: 'key' } as const;
      };
      return { request, isAlive: true, kill: async () => {} };
    },
  };
  const keychains = await wakeKeychain(argv, installation);
  await keychains?.own.read('vault-1');
  expect(keychains !== undefined).toBe(isStarted);
  return keychains && requests;
}

describe('wakeKeychain', () => {
  it('requests once the key that the command will need', async () => {
    const key = [{ operation: 'read', service: 'postern-dev', account: 'vault-1' }];
    expect(await requestsFor(['token', 'notes'])).toEqual(key);
    expect(await requestsFor(['--json', 'exec', '7', '--', 'env', '--help'])).toEqual(key);
    // Requested by the explicit read only.
    expect(await requestsFor(['login', 'https://notes.example/mcp'])).toEqual(key);
  });

  it.each([
    ['reads no secret', ['list']],
    ['only explains', ['token', 'Notes', '--help']],
    ['only explains by -h', ['token', 'Notes', '-h']],
    ['stores nothing', ['connect', 'https://notes.example/mcp', '--memory']],
    ['names another vault', ['token', 'Notes', '--vault=file']],
    ['names a passphrase', ['token', 'Notes', '--passphrase-fd', '3']],
    ['uses another profile', ['serve', '--profile-folder', '/elsewhere']],
    ['only has another command as an argument', ['show', 'token']],
  ])('starts nothing for a command that %s', async (_, argv) => {
    expect(await requestsFor(argv)).toBeUndefined();
  });

  it('starts nothing if a keyring seals the profile or cannot be read', async () => {
    expect(await requestsFor(['token', 'Notes'], '{"kind":"file"}')).toBeUndefined();
    expect(await requestsFor(['token', 'Notes'], 'torn')).toBeUndefined();
  });
});
