import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readPlainFileSync } from '../plain-file.ts';
import type { Locks, SignInClaims } from '../ports.ts';
import { errnoOf } from './file-system-error.ts';

/** Lock around every change of a claim: whoever gives one up must not take away a newer one. */
const claimsLock = 'sign-in-claims';

/**
 * Claims as small files beside the locks below `folder`, with nothing in them but a random name of this process. One
 * that a killed process left behind is replaced like any other. A profile that cannot be written holds no claims:
 * `claim` then answers one that nobody takes over.
 */
export function createSignInClaims({ folder, locks }: { folder: string; locks: Locks }): SignInClaims {
  const own = randomUUID();
  /** Sign-ins of this process that share a claim. */
  const sharing = new Map<string, number>();

  /** False only where it is plain that another process took it over: also when that one is done and its file gone. */
  function isOwn(file: string): boolean {
    try {
      return readOwner(file) === own;
    } catch (error) {
      return errnoOf(error) !== 'ENOENT';
    }
  }

  return {
    async claim(name) {
      const file = claimFilePath(folder, name);
      try {
        const supersedes = await locks.hold(claimsLock, async () => {
          const found = readClaim(file);
          if (found !== own) writeClaim(file, own);
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
              if (!sharing.has(name) && readClaim(file) === own) rmSync(file, { force: true });
            };
            // What stays behind is replaced by the next claim.
            await locks.hold(claimsLock, remove).catch(() => {});
          },
        };
      } catch {
        return { supersedes: false, isNewest: () => true, release: async () => {} };
      }
    },
  };
}

/** Removes every claim below `folder`: sign-ins that are under way end with FLOW_SUPERSEDED, and store nothing. */
export function removeClaims(folder: string): void {
  const claims = path.join(folder, 'locks');
  if (!existsSync(claims)) return;
  const names = readdirSync(claims).filter((name) => /\.claim(\.tmp)?$/.test(name));
  for (const name of names) rmSync(path.join(claims, name), { force: true });
}

/** Where the claim of `name` lives: hashed, since it holds addresses and names. */
export function claimFilePath(folder: string, name: string): string {
  return path.join(folder, 'locks', `${createHash('sha256').update(name).digest('hex').slice(0, 32)}.claim`);
}

function readClaim(file: string): string | undefined {
  try {
    return readOwner(file);
  } catch {
    return undefined;
  }
}

/** More than a name is nobody's. */
function readOwner(file: string): string {
  return readPlainFileSync(file, { limit: 100, follow: false })?.toString('utf8') ?? '';
}

/** In one step, so that a reader never takes half of it for another's. The lock has made the folder. */
function writeClaim(file: string, owner: string): void {
  const temporary = `${file}.tmp`;
  rmSync(temporary, { force: true });
  writeFileSync(temporary, owner, { flag: 'wx', mode: 0o600 });
  renameSync(temporary, file);
}
