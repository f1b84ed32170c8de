import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { keychainValueLength } from '../../../main/limits.ts';
import { createKeychain } from '../../../main/storage/keychain/keytar-keychain.ts';
import { keychainContract } from '../../support/keychain-contract.ts';
import { createMemoryKeychain } from '../../support/memory-keychain.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

// The process, its life and its death are real here; only keytar is replaced.

/** Milliseconds in which a child has to respond. */
const childTime = 60_000;

/** A keychain whose child responds to each request with `answer` (a function's source). */
function keychainWith(answer: string) {
  const childPath = path.join(temporaryFolder(), 'child.mjs');
  writeFileSync(
    childPath,
    `const entries = new Map(); let calls = 0;
     const answer = ${answer};
     process.on('message', (request) => { calls += 1; const result = answer(request, calls, entries); if (result) process.send(result); });
     process.on('disconnect', () => process.exit());`,
  );
  const keychain = createKeychain({ service: 'postern-test', childPath, timeout: childTime });
  onTestFinished(() => keychain.close());
  return keychain;
}

const working = `({ operation, service, account, value }, calls, entries) => {
  if (operation === 'write') entries.set(account, value);
  if (operation === 'delete') return { ok: true, value: entries.delete(account) ? '' : null };
  return { ok: true, value: entries.get(account) ?? null };
}`;

const contractFolderKeychain = () => keychainWith(working);

describe('createKeychain', () => {
  keychainContract(contractFolderKeychain);

  it('treats null as "locked", not as "no entry", if nothing can be written (KC-10)', async () => {
    const keychain = keychainWith(`({ operation }) => operation === 'write'
      ? { ok: false, message: 'Cannot create an item in a locked collection' } : { ok: true, value: null }`);
    await expect(keychain.read('a')).rejects.toMatchObject({ code: 'KC_LOCKED' });
    await expect(keychain.delete('a')).rejects.toMatchObject({ code: 'KC_LOCKED' });
  });

  it('reads again after a probe that unlocked the keyring', async () => {
    const keychain = keychainWith(`({ operation, account }, calls, entries) => {
      if (operation === 'write') entries.set('unlocked', 'yes');
      if (operation === 'delete') return { ok: true, value: '' };
      return { ok: true, value: entries.has('unlocked') ? (account.startsWith('probe-') ? account : 'value') : null };
    }`);
    expect(await keychain.read('a')).toBe('value');
  });

  it('prefetches an expected entry, once, and only for that account', async () => {
    const keychain = keychainWith(`({ account }, calls) => ({ ok: true, value: account + ' in call ' + calls })`);
    keychain.prepare('a');
    expect(await keychain.read('a')).toBe('a in call 1');
    expect(await keychain.read('a')).toBe('a in call 2');
    keychain.prepare('a');
    expect(await keychain.read('b')).toBe('b in call 4');
    expect(await keychain.read('a')).toBe('a in call 5');
  });

  it('does not access the keychain when it is only prepared', async () => {
    const keychain = keychainWith(`(_, calls) => ({ ok: true, value: 'call ' + calls })`);
    keychain.prepare();
    expect(await keychain.read('a')).toBe('call 1');
  });

  it('reports a failed prefetch to its caller, and reads again for the next', async () => {
    const keychain = keychainWith(
      `(_, calls) => calls === 1 ? { ok: false, message: 'Cannot create an item in a locked collection' } : { ok: true, value: 'v' }`,
    );
    keychain.prepare('a');
    await expect(keychain.read('a')).rejects.toMatchObject({ code: 'KC_LOCKED' });
    expect(await keychain.read('a')).toBe('v');
  });

  it('does not trust a null if the probe is not stored', async () => {
    const keychain = keychainWith(`() => ({ ok: true, value: null })`);
    await expect(keychain.read('a')).rejects.toMatchObject({ code: 'KC_UNAVAILABLE' });
  });

  it('kills an unresponsive child, reports KC_TIMEOUT, and continues with a new one (KC-03)', async () => {
    const keychain = keychainWith(
      `({ account }, calls) => account === 'waits' ? undefined : { ok: true, value: 'pid ' + process.pid + ' call ' + calls }`,
    );
    const first = await keychain.read('a');
    // A minute passes at once, and no child has to start faster than a busy machine can.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const unanswered = expect(keychain.read('waits')).rejects.toMatchObject({ code: 'KC_TIMEOUT', stage: 'storage' });
    await vi.advanceTimersByTimeAsync(childTime);
    await unanswered;
    vi.useRealTimers();
    // Without waiting for the old child to exit.
    const second = await keychain.read('a');
    expect(second).toMatch(/call 1$/);
    expect(second).not.toBe(first);
  });

  it('reports KC_UNAVAILABLE when the child crashes, as libsecret does on a locked keyring', async () => {
    const keychain = keychainWith(`() => { process.kill(process.pid, 'SIGSEGV'); }`);
    await expect(keychain.read('a')).rejects.toMatchObject({ code: 'KC_UNAVAILABLE' });
    await expect(keychain.write('a', 'b')).rejects.toMatchObject({ code: 'KC_UNAVAILABLE' });
  });

  it('reports KC_UNAVAILABLE when there is no child to run (KC-02)', async () => {
    const keychain = createKeychain({ service: 'postern-test', childPath: '/nowhere/child.mjs', timeout: 10_000 });
    await expect(keychain.read('a')).rejects.toMatchObject({ code: 'KC_UNAVAILABLE' });
    await keychain.close();
  });

  it('replaces a child whose D-Bus connection broke after it had worked', async () => {
    const keychain = keychainWith(`({ operation }, calls) => calls > 1
      ? { ok: false, message: 'The connection is closed' } : { ok: true, value: 'answer ' + process.pid }`);
    const first = await keychain.read('a');
    const second = await keychain.read('a');
    expect(second).toMatch(/^answer/);
    expect(second).not.toBe(first);
  });

  it('queries a missing keychain once, not twice', async () => {
    const folder = temporaryFolder();
    const log = JSON.stringify(path.join(folder, 'log'));
    const keychain = keychainWith(`() => { process.getBuiltinModule('fs').appendFileSync(${log}, '.');
      return { ok: false, message: 'Could not connect: No such file or directory' }; }`);
    await expect(keychain.read('a')).rejects.toMatchObject({ code: 'KC_UNAVAILABLE' });
    expect(process.getBuiltinModule('fs').readFileSync(path.join(folder, 'log'), 'utf8')).toBe('.');
  });

  it('sends one request at a time (KC-17)', async () => {
    const keychain = keychainWith(`(request, calls, entries) => {
      const busy = entries.get('busy'); entries.set('busy', true);
      setImmediate(() => { entries.delete('busy'); process.send({ ok: true, value: busy ? 'two at once' : 'alone' }); });
    }`);
    const answers = await Promise.all(['a', 'b', 'c'].map((account) => keychain.read(account)));
    expect(answers).toEqual(['alone', 'alone', 'alone']);
  });

  it('passes the value to the child only by message, not by argument or environment', async () => {
    const keychain = keychainWith(`({ operation, value }) => operation === 'write' ? { ok: true, value: '' } :
      { ok: true, value: JSON.stringify([process.argv, process.env]) }`);
    await keychain.write('a', 'canary-value');
    expect(await keychain.read('a')).not.toContain('canary-value');
  });

  it('rejects what Windows could not store (KC_TOO_LARGE)', async () => {
    const keychain = keychainWith(working);
    await keychain.write('a', 'x'.repeat(keychainValueLength));
    await expect(keychain.write('a', 'x'.repeat(keychainValueLength + 1))).rejects.toMatchObject({
      code: 'KC_TOO_LARGE',
    });
  });

  it('forks nothing before its first call, and again after close', async () => {
    const idle = createKeychain({ service: 'postern-test', childPath: '/nowhere/child.mjs' });
    await expect(idle.close()).resolves.toBeUndefined();
    const keychain = keychainWith(`() => ({ ok: true, value: String(process.pid) })`);
    const first = await keychain.read('a');
    await keychain.close();
    // It is already being killed, which nothing waits for.
    await vi.waitFor(() => expect(() => process.kill(Number(first), 0)).toThrow('ESRCH'), { timeout: 60_000 });
    expect(await keychain.read('a')).not.toBe(first);
  });
});

describe('createMemoryKeychain', () => {
  keychainContract(createMemoryKeychain);
});
