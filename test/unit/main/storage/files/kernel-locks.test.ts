import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createLocks } from '../../../../../main/storage/files/kernel-locks.ts';
import { lockFilePath, tryLockFile } from '../../../../../main/storage/files/lock-file.ts';
import { node, runScript, supportScript } from '../../../../support/run-script.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

describe('createLocks', () => {
  it('admits one holder at a time, in order, and returns the result of the work', async () => {
    const locks = createLocks(temporaryFolder());
    const order: string[] = [];
    const results = await Promise.all(
      [1, 2, 3].map((turn) =>
        locks.hold('profile', async () => {
          order.push(`+${turn}`);
          await new Promise((resolve) => setImmediate(resolve));
          order.push(`-${turn}`);
          return turn;
        }),
      ),
    );
    expect(order).toEqual(['+1', '-1', '+2', '-2', '+3', '-3']);
    expect(results).toEqual([1, 2, 3]);
  });

  it('separates different names, even those that are not valid file names', async () => {
    const locks = createLocks(temporaryFolder());
    const names = ['a', 'A', 'registration https://as.example http://127.0.0.1/', '../../escape', ''];
    const enter = (rest: readonly string[]): Promise<number> => {
      const [name, ...others] = rest;
      return name === undefined ? Promise.resolve(0) : locks.hold(name, async () => 1 + (await enter(others)));
    };
    expect(await enter(names)).toBe(names.length);
  });

  it('stays inside the locks folder whatever the name, in files that only this user can read', async () => {
    const folder = temporaryFolder();
    await createLocks(folder).hold('../../escape', async () => {});
    const file = lockFilePath(folder, '../../escape');
    expect(path.dirname(file)).toBe(path.join(folder, 'locks'));
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('is released after work that throws, and rethrows the error', async () => {
    const locks = createLocks(temporaryFolder());
    const failure = new Error('mine');
    await expect(locks.hold('profile', () => Promise.reject(failure))).rejects.toBe(failure);
    expect(await locks.hold('profile', async () => 'free')).toBe('free');
  });

  it('refuses to be acquired again from inside instead of waiting forever', async () => {
    const locks = createLocks(temporaryFolder());
    const again = locks.hold('profile', () => locks.hold('profile', async () => {}));
    await expect(again).rejects.toMatchObject({ code: 'INTERNAL' });
    await expect(locks.hold('one', () => locks.hold('two', async () => 'inner'))).resolves.toBe('inner');
  });

  it('can be acquired, once the work is over, by what the work started', async () => {
    const locks = createLocks(temporaryFolder());
    const over = Promise.withResolvers<void>();
    let later: Promise<string> | undefined;
    await locks.hold('profile', async () => {
      later = over.promise.then(() => locks.hold('profile', async () => 'later'));
    });
    over.resolve();
    expect(await later).toBe('later');
  });

  it('stops waiting at once when the signal aborts, both in the queue and at the lock', async () => {
    const folder = temporaryFolder();
    const locks = createLocks(folder);
    const holder = runScript(node(supportScript('storage/hold-lock.ts'), folder, 'profile'));
    expect(await holder.nextLine()).toBe('held');
    const [atLock, queued] = [new AbortController(), new AbortController()];
    const waiting = [atLock, queued].map(({ signal }) => locks.hold('profile', async () => 'in', signal));
    queued.abort();
    await expect(waiting[1]).rejects.toMatchObject({ code: 'USER_CANCELLED' });
    atLock.abort();
    await expect(waiting[0]).rejects.toMatchObject({ code: 'USER_CANCELLED' });
    await expect(locks.hold('profile', async () => 'in', AbortSignal.abort())).rejects.toMatchObject({
      code: 'USER_CANCELLED',
    });
  });

  it('excludes other processes while its holder is suspended, and is released once it is killed (RF-08)', async () => {
    const folder = temporaryFolder();
    const holder = runScript(node(supportScript('storage/hold-lock.ts'), folder, 'profile'));
    expect(await holder.nextLine()).toBe('held');
    holder.child.kill('SIGSTOP');
    const shortTimeoutLocks = createLocks(folder, { timeout: 100 });
    await expect(shortTimeoutLocks.hold('profile', async () => 'in')).rejects.toMatchObject({ code: 'CFG_CONFLICT' });
    const waiting = createLocks(folder).hold('profile', async () => 'in');
    holder.child.kill('SIGKILL');
    expect(await waiting).toBe('in');
  });

  it('does not let a suspended waiter block others', async () => {
    const folder = temporaryFolder();
    const file = lockFilePath(folder, 'profile');
    mkdirSync(path.dirname(file));
    const turnstile = await tryLockFile(`${file}-next`);
    expect(turnstile).toBeDefined();
    expect(await createLocks(folder).hold('profile', async () => 'in')).toBe('in');
    turnstile?.release();
  });

  it('repairs a lock file with content', async () => {
    const folder = temporaryFolder();
    const file = lockFilePath(folder, 'profile');
    mkdirSync(path.dirname(file));
    writeFileSync(file, 'not a lock'.repeat(1_000));
    expect(await createLocks(folder).hold('profile', async () => 'in')).toBe('in');
  });

  it('fails with CFG_READONLY if no lock file can be created', async () => {
    const folder = temporaryFolder();
    writeFileSync(path.join(folder, 'locks'), 'not a folder');
    await expect(createLocks(folder).hold('profile', async () => {})).rejects.toMatchObject({
      code: 'CFG_READONLY',
      stage: 'storage',
    });
  });
});
