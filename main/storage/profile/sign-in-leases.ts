import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readPlainFileSync } from '../../plain-file.ts';
import type { Locks, SignInLeases } from '../../ports.ts';
import { errnoOf } from '../files/file-system-error.ts';

/** Lock around every change of a lease: giving one up must not take away a newer one. */
const leasesLock = 'sign-in-leases';

/**
 * Leases as small files beside the locks below `folder`, with nothing in them but a random name of this process. One
 * that a killed process left behind is replaced like any other. A profile that cannot be written holds no leases:
 * `take` then answers one that nobody takes over.
 */
export function createSignInLeases({ folder, locks }: { folder: string; locks: Locks }): SignInLeases {
  const own = randomUUID();
  /** Sign-ins of this process that share a lease. */
  const sharing = new Map<string, number>();

  /** False only if another process has certainly taken it over, even if that one is done and its file gone. */
  function isOwn(file: string): boolean {
    try {
      return readOwner(file) === own;
    } catch (error) {
      return errnoOf(error) !== 'ENOENT';
    }
  }

  return {
    async take(name) {
      const file = leaseFilePath(folder, name);
      try {
        const supersedes = await locks.hold(leasesLock, async () => {
          const found = readLease(file);
          if (found !== own) writeLease(file, own);
          sharing.set(name, (sharing.get(name) ?? 0) + 1);
          return found !== undefined && found !== own;
        });
        return {
          supersedes,
          isNewest: () => isOwn(file),
          async release() {
            const left = (sharing.get(name) ?? 1) - 1;
            sharing.set(name, left);
            if (left > 0) return;
            sharing.delete(name);
            const remove = async (): Promise<void> => {
              if (!sharing.has(name) && readLease(file) === own) rmSync(file, { force: true });
            };
            // What stays behind is replaced by the next lease.
            await locks.hold(leasesLock, remove).catch(() => {});
          },
        };
      } catch {
        return { supersedes: false, isNewest: () => true, release: async () => {} };
      }
    },
  };
}

/** Removes every lease below `folder`: sign-ins that are under way end with FLOW_SUPERSEDED, and store nothing. */
export function removeLeases(folder: string): void {
  const leases = path.join(folder, 'locks');
  if (!existsSync(leases)) return;
  const names = readdirSync(leases).filter((name) => /\.lease(\.tmp)?$/.test(name));
  for (const name of names) rmSync(path.join(leases, name), { force: true });
}

/** Where the lease of `name` lives: hashed, since it holds addresses and names. */
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

/** A file that holds more than a name is no lease of ours. */
function readOwner(file: string): string {
  return readPlainFileSync(file, { limit: 100, follow: false })?.toString('utf8') ?? '';
}

/** In one step, so that nobody reads half of a name. The lock has made the folder. */
function writeLease(file: string, owner: string): void {
  const temporary = `${file}.tmp`;
  rmSync(temporary, { force: true });
  writeFileSync(temporary, owner, { flag: 'wx', mode: 0o600 });
  renameSync(temporary, file);
}
