import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { PosternError } from '../../../../../main/errors/postern-error.ts';
import type { Locks } from '../../../../../main/ports.ts';
import { createLocks } from '../../../../../main/storage/files/kernel-locks.ts';
import { createSignInLeases, leaseFilePath } from '../../../../../main/storage/profile/sign-in-leases.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

/** Leases of two processes on one profile. */
function openTwo() {
  const folder = temporaryFolder();
  const open = () => createSignInLeases({ folder, locks: createLocks(folder) });
  return { folder, one: open(), other: open() };
}

describe('createSignInLeases', () => {
  it('belongs to the last process that took it (AZ-06)', async () => {
    const { one, other } = openTwo();
    const older = await one.acquire('a');
    expect(older).toMatchObject({ supersedes: false });
    expect(older.isNewest()).toBe(true);
    const newer = await other.acquire('a');
    expect(newer).toMatchObject({ supersedes: true });
    expect([older.isNewest(), newer.isNewest()]).toEqual([false, true]);
  });

  it('stays lost even if the newer one was already released', async () => {
    const { one, other } = openTwo();
    const older = await one.acquire('a');
    await (await other.acquire('a')).release();
    expect(older.isNewest()).toBe(false);
  });

  it('is not released by an older one', async () => {
    const { folder, one, other } = openTwo();
    const older = await one.acquire('a');
    const newer = await other.acquire('a');
    await older.release();
    expect(newer.isNewest()).toBe(true);
    await newer.release();
    expect(existsSync(leaseFilePath(folder, 'a'))).toBe(false);
  });

  it('is shared by the sign-ins of one process until the last has ended', async () => {
    const { one } = openTwo();
    const first = await one.acquire('a');
    const second = await one.acquire('a');
    expect(second).toMatchObject({ supersedes: false });
    await first.release();
    expect(second.isNewest()).toBe(true);
    await second.release();
    expect(second.isNewest()).toBe(false);
  });

  it('is separate for each integration', async () => {
    const { one, other } = openTwo();
    const lease = await one.acquire('a');
    expect(await other.acquire('b')).toMatchObject({ supersedes: false });
    expect(lease.isNewest()).toBe(true);
  });

  it.each(['', 'left behind'])('takes over what a killed process left: "%s"', async (left) => {
    const { folder, one } = openTwo();
    const file = leaseFilePath(folder, 'a');
    await (await one.acquire('b')).release();
    writeFileSync(file, left);
    writeFileSync(`${file}.tmp`, 'half');
    const lease = await one.acquire('a');
    expect(lease).toMatchObject({ supersedes: true });
    expect(lease.isNewest()).toBe(true);
    await lease.release();
    expect(readdirSync(path.dirname(file)).filter((name) => name.includes('.lease'))).toEqual([]);
  });

  it('writes only a random ID, in a file that only this user can read', async () => {
    const { folder, one } = openTwo();
    await one.acquire('https://mcp.example/secret-path');
    const file = leaseFilePath(folder, 'https://mcp.example/secret-path');
    expect(readFileSync(file, 'utf8')).toMatch(/^[0-9a-f-]{36}$/u);
    expect(file).not.toContain('secret');
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('takes no lease if the profile is read-only, and no process supersedes it', async () => {
    const folder = temporaryFolder();
    const locks: Locks = { hold: async () => Promise.reject(new PosternError('CFG_READONLY', { stage: 'storage' })) };
    const lease = await createSignInLeases({ folder, locks }).acquire('a');
    expect(lease).toMatchObject({ supersedes: false });
    expect(lease.isNewest()).toBe(true);
    await lease.release();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('does not treat an unreadable lease as newer', async () => {
    const { folder, one } = openTwo();
    const lease = await one.acquire('a');
    rmSync(leaseFilePath(folder, 'a'));
    mkdirSync(leaseFilePath(folder, 'a'));
    expect(lease.isNewest()).toBe(true);
  });

  it.skipIf(process.platform === 'win32')('replaces a named pipe at the lease path without blocking', async () => {
    const { folder, one } = openTwo();
    const file = leaseFilePath(folder, 'a');
    await (await one.acquire('b')).release();
    expect(spawnSync('mkfifo', [file]).status).toBe(0);
    const lease = await one.acquire('a');
    expect(lease.isNewest()).toBe(true);
    expect(statSync(file).isFile()).toBe(true);
  });
});
