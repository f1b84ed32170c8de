import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { PosternError } from '../../main/errors/postern-error.ts';
import { keychainBackend } from '../../main/storage/keychain/keychain-service.ts';
import { createKeychain } from '../../main/storage/keychain/keytar-keychain.ts';

/** What only another system's keychain can show. Runs on that system; elsewhere it is reported as skipped. */
const childPath = join(import.meta.dirname, '../../main/storage/keychain/keychain-child.ts');

function openKeychain(service: string) {
  const keychain = createKeychain({ service, childPath, timeout: 20_000 });
  onTestFinished(() => keychain.close());
  return keychain;
}

describe.runIf(process.platform === 'darwin')('the keychain of macOS', () => {
  /** The default keychain is replaced during the test, so that no real entry is touched. */
  function useKeychain(): string {
    const security = (...words: string[]): string => execFileSync('security', words, { encoding: 'utf8' });
    const file = join(homedir(), `Library/Keychains/postern-test-${randomUUID()}.keychain-db`);
    const before = security('default-keychain').trim().replaceAll('"', '');
    security('create-keychain', '-p', 'test', file);
    security('default-keychain', '-s', file);
    onTestFinished(() => {
      security('default-keychain', '-s', before);
      security('delete-keychain', file);
    });
    security('unlock-keychain', '-p', 'test', file);
    return file;
  }

  it('that is locked, with no one to unlock it, gives its typed error and creates nothing (KC-05)', async () => {
    const file = useKeychain();
    const keychain = openKeychain(`postern-test-${randomUUID()}`);
    await keychain.write('account', 'value');
    expect(await keychain.read('account')).toBe('value');
    execFileSync('security', ['lock-keychain', file]);
    const error: unknown = await keychain.read('account').catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(PosternError);
    expect(['KC_LOCKED', 'KC_DENIED', 'KC_TIMEOUT']).toContain((error as PosternError).code);
  });
});

describe.runIf(process.platform === 'win32')('the credential manager of Windows', () => {
  it('stores an entry that may roam with the user, as the backend’s description says (KC-12)', async () => {
    const service = `postern-test-${randomUUID()}`;
    const keychain = openKeychain(service);
    await keychain.write('account', 'value');
    onTestFinished(() => keychain.delete('account'));
    const listed = execFileSync('cmdkey', [`/list:${service}/account`], { encoding: 'utf8' });
    // CRED_PERSIST_ENTERPRISE, as `keychainBackend` and SECURITY.md say; the roaming key opens no vault elsewhere.
    expect(listed).toMatch(/enterprise/i);
    expect(keychainBackend('win32')).toBe('windows-credential-manager');
  });
});
