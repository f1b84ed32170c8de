import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { findLockfileFaults } from '../../../../scripts/release/check-lockfile.ts';
import type { Description, LockedPackage, Lockfile } from '../../../../scripts/release/check-lockfile.ts';
import { runScript } from './run-script.ts';

const root = path.join(import.meta.dirname, '../../../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const lockfile = JSON.parse(read('package-lock.json')) as Lockfile;
const description = JSON.parse(read('package.json')) as Description;

const integrity = `sha512-${'A'.repeat(86)}==`;

/** The lockfile with one package more, or another one in the place of `folder`. */
const withPackage = (entry: LockedPackage, folder = 'node_modules/zod-utils') => ({
  ...lockfile,
  packages: { ...lockfile.packages, [folder]: { version: '1.0.0', integrity, ...entry } },
});

describe('the lockfile (PK-11)', () => {
  it('brings nothing that nobody has looked at', () => {
    expect(Object.keys(lockfile.packages).length).toBeGreaterThan(300);
    expect(findLockfileFaults(lockfile, description)).toEqual([]);
    expect(runScript('scripts/release/check-lockfile.ts', {}).status).toBe(0);
  });

  it.each<[string, LockedPackage, string]>([
    ['an install script', { hasInstallScript: true }, 'zod-utils has an install script that allowScripts'],
    ['no hash', { integrity: '' }, 'zod-utils has no SHA-512'],
    ['a weak hash', { integrity: 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=' }, 'zod-utils has no SHA-512'],
    ['another package’s content', { name: 'evil' }, 'zod-utils is really evil'],
    ['a repository for its source', { resolved: 'git+ssh://git@code.example/evil.git#1' }, 'comes from git+ssh:'],
    ['no encryption', { resolved: 'http://registry.example/zod-utils.tgz' }, 'comes from http:'],
    ['a file for its source', { resolved: 'file:../evil' }, 'comes from file:'],
    ['a folder for its source', { link: true }, 'is no package of a registry'],
  ])('is refused with a package that has %s', (_what, entry, fault) => {
    const faults = findLockfileFaults(withPackage(entry), description);
    expect(faults).toEqual([expect.stringContaining(fault)]);
  });

  it('is refused where two registries are in it', () => {
    const packages = {
      ...withPackage({ resolved: 'https://one.example/zod-utils.tgz' }).packages,
      'node_modules/other': { version: '1.0.0', integrity, resolved: 'https://two.example/other.tgz' },
    };
    const faults = findLockfileFaults({ ...lockfile, packages }, description);
    expect(faults).toEqual(['packages come from 2 hosts: one.example, two.example']);
  });

  it('is refused where package.json wants something else, or not exactly', () => {
    const { devDependencies } = description;
    const drifted = { ...description, devDependencies: { ...devDependencies, zod: '4.0.0' } };
    expect(findLockfileFaults(lockfile, drifted)).toEqual(['devDependencies differ from those of package.json']);
    const loose = { ...description, devDependencies: { ...devDependencies, zod: '^4.6.7' } };
    expect(findLockfileFaults(lockfile, loose)).toContain('zod is wanted as ^4.6.7, which is no exact version');
  });

  it('is refused where an allowance outlives the script that it was for', () => {
    const allowScripts = { ...description.allowScripts, evil: true };
    expect(findLockfileFaults(lockfile, { ...description, allowScripts })).toEqual([
      'allowScripts of package.json names evil, which has no install script',
    ]);
  });

  it('tells the truth about the install scripts of what is installed', () => {
    const untold = Object.entries(lockfile.packages).flatMap(([folder, { hasInstallScript }]) => {
      const file = path.join(root, folder, 'package.json');
      if (folder === '' || hasInstallScript === true || !existsSync(file)) return [];
      const { scripts = {} } = JSON.parse(readFileSync(file, 'utf8')) as { scripts?: Record<string, string> };
      const own = ['preinstall', 'install', 'postinstall'].filter((name) => name in scripts);
      return own.length > 0 || existsSync(path.join(root, folder, 'binding.gyp')) ? [folder] : [];
    });
    expect(untold).toEqual([]);
  });

  it('lets only two packages run something', () => {
    const running = Object.entries(description.allowScripts ?? {}).filter(([, runs]) => runs);
    expect(running.map(([name]) => name).toSorted()).toEqual(['keytar', 'node']);
  });
});

describe('whatever installs packages (PK-11)', () => {
  const files = [
    ...globSync('.github/{workflows,actions}/**/*.yml', { cwd: root }),
    ...globSync('scripts/**/*.sh', { cwd: root }),
  ];
  const lines = files.flatMap((file) =>
    read(file)
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => /(?:^|run: |[;&|(] *)np[mx] (?!run|test|view|pack)/.test(line) && !line.startsWith('#')),
  );

  it('takes the lockfile, and runs no script of it but those that are named', () => {
    expect(lines.length).toBeGreaterThan(4);
    const known = /\bnpm (?:ci --ignore-scripts\b|rebuild (?:keytar|"\$package")|sbom\b|audit signatures$)/;
    expect(lines.filter((line) => !known.test(line))).toEqual([]);
  });
});
