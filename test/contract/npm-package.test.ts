import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestContext } from 'vitest';
import { startDemo } from '../demo/start-demo.ts';
import type { Demo } from '../demo/start-demo.ts';
import { NoPackage } from '../support/fetch-package.ts';
import { obtainNode } from '../support/obtain-node.ts';
import { startCommand } from '../support/postern-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const run = promisify(execFile);
const root = path.join(import.meta.dirname, '../..');
const folder = mkdtempSync(path.join(tmpdir(), 'postern-npm-'));
const prefix = path.join(folder, 'prefix');
const globalFolder = path.join(prefix, process.platform === 'win32' ? 'node_modules' : 'lib/node_modules');
const installed = path.join(globalFolder, 'postern');

let demo: Demo;

/** Nothing is downloaded, nor read from a cache: what is not in the package itself is omitted. */
const npm = (...words: string[]): Promise<{ stdout: string }> =>
  run('npm', [...words, '--offline', '--cache', path.join(folder, 'cache'), '--no-audit', '--no-fund'], {
    cwd: folder,
    shell: process.platform === 'win32',
    env: { ...process.env, npm_config_update_notifier: 'false' },
  });

const install = (what: string): Promise<unknown> =>
  npm('install', '--global', '--prefix', prefix, '--ignore-scripts', what);

beforeAll(async () => {
  mkdirSync(prefix);
  // The build exists already: `prepack` would make it, in a folder that other tests use.
  const { stdout } = await npm('pack', root, '--pack-destination', folder, '--ignore-scripts', '--json');
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
  await install(path.join(folder, filename));
  demo = await startDemo({ folder: path.join(folder, 'demo'), mode: 'registration' });
}, 600_000);

afterAll(async () => {
  await demo.close();
  rmSync(folder, { recursive: true, force: true });
});

const posternOn = (node: string, home: string, ...words: string[]) =>
  startCommand([node, path.join(installed, 'bin/postern.js'), ...words], { home, cwd: folder, stdin: '' }).ended;
const postern = (home: string, ...words: string[]) => posternOn(process.execPath, home, ...words);

/** Its folder is on no PATH here: the suggested commands work anyway. */
const typed = `node ${path.join(installed, 'bin/postern.js')}`;

describe('the npm package', () => {
  it('contains only the built command line, in 6 MB', () => {
    const files = readdirSync(installed, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(installed, path.join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
    const known =
      /^(?:bin\/(?:postern\.js|package\.json)|dist\/cli\/(?:[\w-]+\.js|package\.json|THIRD-PARTY-NOTICES\.txt)|dist\/share\/postern\.1|pipe\/(?:[a-z-]+\.js|environment-allowlist\.txt)|package\.json|LICENSE|README\.md)$/u;
    expect(files.filter((file) => !known.test(file))).toEqual([]);
    expect(files).toContain('dist/cli/keychain-child.js');
    const bytes = files.reduce((sum, file) => sum + statSync(path.join(installed, file)).size, 0);
    expect(bytes).toBeLessThan(6_000_000);
  });

  it('depends only on keytar, which is optional', () => {
    const packageJson = JSON.parse(readFileSync(path.join(installed, 'package.json'), 'utf8')) as Record<
      string,
      object
    >;
    expect(packageJson['dependencies'] ?? {}).toEqual({});
    expect(Object.keys(packageJson['optionalDependencies'] ?? {})).toEqual(['keytar']);
    expect(readdirSync(globalFolder)).not.toContain('keytar');
  });

  it.skipIf(process.platform === 'win32')('installs the manual where `man` looks, and prints completion', async () => {
    const manual = path.join(prefix, 'share/man/man1/postern.1');
    expect(readFileSync(manual, 'utf8')).toBe(readFileSync(path.join(installed, 'dist/share/postern.1'), 'utf8'));
    for (const shell of ['bash', 'zsh', 'fish']) {
      const { code, stdout } = await postern(temporaryFolder(), 'completion', shell);
      expect({ shell, code, names: stdout.includes('postern') }).toEqual({ shell, code: 0, names: true });
    }
  });

  it('reports a missing keytar, and works without it', async () => {
    const home = temporaryFolder();
    expect((await postern(home, '--help')).stdout).toContain(`${typed} connect https://`);
    expect((await postern(home, 'list')).code).toBe(0);
    const { stdout } = await postern(home, 'doctor');
    expect(stdout).toContain('(keytar) is not installed');
    // npm's own folder is another one.
    expect(stdout).toContain(`\`npm install --global --prefix ${prefix} keytar\``);
    const refused = await postern(home, 'connect', demo.url, '--local');
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.stderr).toContain('(keytar) is not installed');
    // As if its install script was not allowed to run.
    const unbuilt = path.join(installed, 'node_modules/keytar');
    cpSync(path.join(root, 'node_modules/keytar/lib'), path.join(unbuilt, 'lib'), { recursive: true });
    cpSync(path.join(root, 'node_modules/keytar/package.json'), path.join(unbuilt, 'package.json'));
    expect((await postern(home, 'doctor')).stdout).toContain(`\`npm rebuild --global --prefix ${prefix} keytar\``);
    rmSync(unbuilt, { recursive: true });
    expect((await postern(home, 'connect', demo.url, '--local', '--memory')).code).toBe(0);
  });

  /** Minutes for a download, once. */
  const fetching = 600_000;

  /** From the registry, into a cache; skipped with its reason if it is unavailable. */
  async function nodeOf(version: Parameters<typeof obtainNode>[0], context: TestContext): Promise<string> {
    try {
      return await obtainNode(version);
    } catch (error) {
      if (!(error instanceof NoPackage)) throw error;
      return context.skip(error.message);
    }
  }

  it(
    'works on the oldest Node that it supports, and prints no warning about experimental features',
    { timeout: fetching },
    async (context) => {
      const node = await nodeOf('22.13.0', context);
      const home = temporaryFolder();
      const listed = await posternOn(node, home, 'list', '--json');
      expect(listed).toMatchObject({ code: 0, stderr: '' });
      const connected = await posternOn(node, home, 'connect', demo.url, '--local', '--memory', '--json');
      expect(connected).toMatchObject({ code: 0, stderr: '' });
      expect((await posternOn(node, home, 'doctor')).code).toBe(0);
    },
  );

  it('rejects an older one in one sentence', { timeout: fetching }, async (context) => {
    const node = await nodeOf('22.12.0', context);
    const { code, stdout, stderr } = await posternOn(node, temporaryFolder(), 'list');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(stderr).toContain('22.13');
  });

  it('suggests commands with its own name if its folder is on the PATH', async () => {
    const bin = process.platform === 'win32' ? prefix : path.join(prefix, 'bin');
    const { stderr } = await startCommand([process.execPath, path.join(installed, 'bin/postern.js'), 'tools', 'x'], {
      home: temporaryFolder(),
      cwd: folder,
      stdin: '',
      env: { PATH: [bin, process.env['PATH']].join(path.delimiter) },
    }).ended;
    expect(stderr).toContain('`postern list`');
  });

  it('runs with its library from any folder, for computers without a network', async () => {
    const carried = path.join(temporaryFolder(), 'carried');
    cpSync(prefix, carried, { recursive: true, verbatimSymlinks: true });
    const inside = path.relative(prefix, installed);
    // As npm installs it, with its compiler.
    const keytar = path.join(carried, inside, 'node_modules/keytar');
    for (const part of ['lib', 'build/Release/keytar.node', 'package.json'])
      cpSync(path.join(root, 'node_modules/keytar', part), path.join(keytar, part), { recursive: true });
    const command = path.join(carried, process.platform === 'win32' ? 'postern.cmd' : 'bin/postern');
    expect(existsSync(command)).toBe(true);
    const app = process.platform === 'win32' ? path.join(carried, inside, 'bin/postern.js') : command;
    const found = await startCommand([process.execPath, app, 'doctor', '--json'], {
      home: temporaryFolder(),
      cwd: carried,
      stdin: '',
    }).ended;
    expect(found.last).toMatchObject({
      checks: expect.arrayContaining([expect.objectContaining({ name: 'keychain', ok: true })]),
    });
  });

  it('stores a sign-in in the keychain if keytar is installed next to it', async () => {
    // What `npm install --global keytar` would install, without its compiler.
    await install(path.join(root, 'node_modules/keytar'));
    const home = temporaryFolder();
    const connected = await postern(home, 'connect', demo.url, '--local', '--name', 'Notes');
    expect(connected).toMatchObject({ code: 0, stdout: expect.stringContaining(`Next: ${typed} tools Notes`) });
    expect((await postern(home, 'list')).stdout).toContain('Notes');
    expect((await postern(home, 'tools', 'Notes')).stdout).toContain('whoami');
    expect((await postern(home, 'doctor', '--json')).last).toMatchObject({
      checks: expect.arrayContaining([expect.objectContaining({ name: 'keychain', ok: true })]),
    });
  });
});
