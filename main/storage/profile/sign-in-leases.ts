import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readPlainFileSync } from '../../plain-file.ts';
import type { Locks, SignInLeases } from '../../ports.ts';
import { errnoOf } from '../files/file-system-error.ts';

/** Guards every change of a lease: releasing one must not remove a newer one. */
const leasesLock = 'sign-in-leases';

/**
 * Leases are small files next to the lock files, and contain only a random id of this process. A lease left by a killed
 * process is replaced like any other. In a read-only profile, `take` returns a lease that is never superseded.
 */
export function createSignInLeases({ folder, locks }: { folder: string; locks: Locks }): SignInLeases {
  const ownId = randomUUID();
  /** By lease name, the number of sign-ins in this process that share it. */
  const leaseCounts = new Map<string, number>();

  /** False only if another process has certainly taken it over, even if it has since finished and removed the file. */
  function isOwn(file: string): boolean {
    try {
      return readOwner(file) === ownId;
    } catch (error) {
      return errnoOf(error) !== 'ENOENT';
    }
  }

  return {
    async acquire(name) {
      const file = leaseFilePath(folder, name);
      try {
        const supersedes = await locks.hold(leasesLock, async () => {
          const owner = readLease(file);
          if (owner !== ownId) writeLease(file, ownId);
          leaseCounts.set(name, (leaseCounts.get(name) ?? 0) + 1);
          return owner !== undefined && owner !== ownId;
        });
        return {
          supersedes,
          isNewest: () => isOwn(file),
          async release() {
            const remaining = (leaseCounts.get(name) ?? 1) - 1;
            leaseCounts.set(name, remaining);
            if (remaining > 0) return;
            leaseCounts.delete(name);
            const remove = async (): Promise<void> => {
              if (!leaseCounts.has(name) && readLease(file) === ownId) rmSync(file, { force: true });
            };
            // A leftover file is replaced by the next lease.
            await locks.hold(leasesLock, remove).catch(() => {});
          },
        };
      } catch {
        return { supersedes: false, isNewest: () => true, release: async () => {} };
      }
    },
  };
}

/** Removes every lease below `folder`: sign-ins in flight end with FLOW_SUPERSEDED, and store nothing. */
export function removeLeases(folder: string): void {
  const leases = path.join(folder, 'locks');
  if (!existsSync(leases)) return;
  const names = readdirSync(leases).filter((name) => /\.lease(\.tmp)?$/.test(name));
  for (const name of names) rmSync(path.join(leases, name), { force: true });
}

/** Path of the lease. The name is hashed, because it contains URLs and names. */
export function leaseFilePath(folder: string, name: string): string {
  return path.join(folder, 'locks', `${createHash('sha256').update(name).digest('hex').slice(0, 32)}.lease`);
}

function readLease(file: string): string | undefined {
  try {
    return readOwner(file);
  } catch {
    return undefined;
  }
}

/** A longer file is not one of our leases. */
function readOwner(file: string): string {
  return readPlainFileSync(file, { limit: 100, follow: false })?.toString('utf8') ?? '';
}

/** Atomic, so that nobody reads half an id. Taking the lock has created the folder. */
function writeLease(file: string, owner: string): void {
  const temporary = `${file}.tmp`;
  rmSync(temporary, { force: true });
  writeFileSync(temporary, owner, { flag: 'wx', mode: 0o600 });
  renameSync(temporary, file);
}
