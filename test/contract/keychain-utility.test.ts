import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { utilityProcess } from '../electron-stand-in/utility-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

vi.mock('electron', () => ({ utilityProcess }));
const { startKeychainUtility } = await import('../../main/window/start/system/this-installation.ts');

/** A keychain process that responds to nothing and runs until it is ended; and what Electron knows about it. */
function startSilent() {
  const script = path.join(temporaryFolder(), 'child.cjs');
  writeFileSync(script, "process.parentPort.on('message', () => {}); setInterval(() => {}, 1000);");
  const forked = vi.spyOn(utilityProcess, 'fork');
  const keychain = startKeychainUtility(script);
  const child = forked.mock.results.at(-1)?.value as ReturnType<typeof utilityProcess.fork>;
  return { keychain, child, ended: new Promise((resolve) => child.once('exit', resolve)) };
}

describe('the keychain process of Electron', () => {
  it('exits even if it is stopped before it has started, when its id is unknown', async () => {
    const { keychain, child, ended } = startSilent();
    expect(child.pid).toBeUndefined();
    const killed = keychain.kill();
    expect(keychain.isAlive).toBe(false);
    await killed;
    await ended;
  });

  it('exits with a request unanswered', async () => {
    const { keychain, ended } = startSilent();
    const request = keychain.request({ operation: 'read', service: 'postern', account: 'none' }, 1);
    await expect(request).rejects.toMatchObject({ code: 'KC_TIMEOUT' });
    expect(keychain.isAlive).toBe(false);
    await ended;
  });
});
