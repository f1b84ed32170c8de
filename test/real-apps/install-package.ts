import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type { PinnedPackage } from './packages.ts';

/** Why an app cannot be tried here. */
export class NotInstalled extends Error {}

/** The user's own, since HOME may be a test's. */
const home = userInfo().homedir;
const cacheFolder = process.env['POSTERN_PROGRAMS_CACHE'] ?? path.join(home, '.cache', 'postern-apps');

/** Milliseconds for one npm command. */
const installTime = 300_000;

/** The folder with the commands of an installed package. Errors: NotInstalled. */
export function findPackage(pinned: PinnedPackage): string {
  const folder = folderOf(pinned);
  if (!existsSync(folder)) throw new NotInstalled('it could not be installed');
  requireBytes(folder, pinned);
  return path.join(folder, 'node_modules', '.bin');
}

/** Installs a package once and for all. Errors: NotInstalled if the registry does not have it, or has other bytes. */
export async function installPackage(pinned: PinnedPackage): Promise<void> {
  const folder = folderOf(pinned);
  if (!existsSync(folder)) {
    const fresh = `${folder}.${process.pid}`;
    mkdirSync(fresh, { recursive: true });
    try {
      writeFileSync(path.join(fresh, 'package.json'), '{"private":true}\n');
      await npm(fresh, 'install', `${pinned.name}@${pinned.version}`, '--ignore-scripts', '--save-exact');
      requireBytes(fresh, pinned);
      if (pinned.hasScript) await npm(fresh, 'rebuild', pinned.name);
      renameSync(fresh, folder);
    } finally {
      rmSync(fresh, { recursive: true, force: true });
    }
  }
}

function folderOf({ name, version }: PinnedPackage): string {
  return path.join(cacheFolder, `${name.replace('/', '+')}@${version}`);
}

/** Before any of it runs. */
function requireBytes(folder: string, { name, version, integrity }: PinnedPackage): void {
  const lock = JSON.parse(readFileSync(path.join(folder, 'node_modules/.package-lock.json'), 'utf8')) as {
    packages: Readonly<Record<string, { name?: string; version: string; integrity?: string }>>;
  };
  const installed = Object.entries(lock.packages).map(([place, one]) => ({
    id: `${one.name ?? place.replace(/^.*node_modules\//, '')}@${one.version}`,
    bytes: one.integrity,
  }));
  if (!installed.some(({ id }) => id === `${name}@${version}`)) throw new NotInstalled(`${name} is not there`);
  for (const { id, bytes } of installed) {
    const expectedHash = integrity[id];
    if (expectedHash !== undefined && expectedHash !== bytes)
      throw new NotInstalled(`${id} has other bytes than it had`);
    if (bytes === undefined) throw new NotInstalled(`nothing vouches for ${id}`);
  }
}

async function npm(folder: string, ...words: readonly string[]): Promise<void> {
  const child = spawn(
    'npm',
    [...words, '--prefix', folder, '--no-audit', '--no-fund', '--loglevel', 'error', '--fetch-retries', '1'],
    {
      cwd: folder,
      env: { ...process.env, HOME: home },
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: installTime,
    },
  );
  const failed = once(child, 'exit') as Promise<[number | null]>;
  const stderr = await text(child.stderr);
  const [code] = await failed;
  const reason = /code (E\w+)/.exec(stderr)?.[1] ?? `exit ${code}`;
  if (code !== 0) throw new NotInstalled(`npm ${words[0]} did not work (${reason})`);
}
