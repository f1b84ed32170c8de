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

/** The lockfile with one more package, or with another one at `folder`. */
const withPackage = (entry: LockedPackage, folder = 'node_modules/zod-utils') => ({
  ...lockfile,
  packages: { ...lockfile.packages, [folder]: { version: '1.0.0', integrity, ...entry } },
});

describe('the lockfile (PK-11)', () => {
  it('contains nothing unreviewed', () => {
    expect(Object.keys(lockfile.packages).length).toBeGreaterThan(300);
    expect(findLockfileFaults(lockfile, description)).toEqual([]);
    expect(runScript('scripts/release/check-lockfile.ts', {}).status).toBe(0);
  });

  it.each<[string, LockedPackage, string]>([
    [
      'an install script',
      { hasInstallScript: true },
      'zod-utils has an install script that is not listed in allowScripts',
    ],
    ['no hash', { integrity: '' }, 'zod-utils has no SHA-512'],
    ['a weak hash', { integrity: 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=' }, 'zod-utils has no SHA-512'],
    ["another package's content", { name: 'evil' }, 'zod-utils is really evil'],
    ['a Git source', { resolved: 'git+ssh://git@code.example/evil.git#1' }, 'comes from git+ssh:'],
    ['no encryption', { resolved: 'http://registry.example/zod-utils.tgz' }, 'comes from http:'],
    ['a file as its source', { resolved: 'file:../evil' }, 'comes from file:'],
    ['a folder as its source', { link: true }, 'is not a registry package'],
  ])('is rejected with a package that has %s', (_what, entry, fault) => {
    const faults = findLockfileFaults(withPackage(entry), description);
    expect(faults).toEqual([expect.stringContaining(fault)]);
  });

  it('is rejected with two registries', () => {
    const packages = {
      ...withPackage({ resolved: 'https://one.example/zod-utils.tgz' }).packages,
      'node_modules/other': { version: '1.0.0', integrity, resolved: 'https://two.example/other.tgz' },
    };
    const faults = findLockfileFaults({ ...lockfile, packages }, description);
    expect(faults).toEqual(['packages come from 2 hosts: one.example, two.example']);
  });

  it('is rejected if package.json requires something else, or no exact version', () => {
    const { devDependencies } = description;
    const drifted = { ...description, devDependencies: { ...devDependencies, zod: '4.0.0' } };
    expect(findLockfileFaults(lockfile, drifted)).toEqual(['devDependencies differ from those of package.json']);
    const loose = { ...description, devDependencies: { ...devDependencies, zod: '^4.6.7' } };
    expect(findLockfileFaults(lockfile, loose)).toContain('zod is requested as ^4.6.7, which is not an exact version');
  });

  it('is rejected if allowScripts names a package without a script', () => {
    const allowScripts = { ...description.allowScripts, evil: true };
    expect(findLockfileFaults(lockfile, { ...description, allowScripts })).toEqual([
      'allowScripts of package.json names evil, which has no install script',
    ]);
  });

  it('is correct about the install scripts of installed packages', () => {
    const undeclared = Object.entries(lockfile.packages).flatMap(([folder, { hasInstallScript }]) => {
      const file = path.join(root, folder, 'package.json');
      if (folder === '' || hasInstallScript === true || !existsSync(file)) return [];
      const { scripts = {} } = JSON.parse(readFileSync(file, 'utf8')) as { scripts?: Record<string, string> };
      const own = ['preinstall', 'install', 'postinstall'].filter((name) => name in scripts);
      return own.length > 0 || existsSync(path.join(root, folder, 'binding.gyp')) ? [folder] : [];
    });
    expect(undeclared).toEqual([]);
  });

  it('lets only two packages run scripts', () => {
    const running = Object.entries(description.allowScripts ?? {}).filter(([, runs]) => runs);
    expect(running.map(([name]) => name).toSorted()).toEqual(['keytar', 'node']);
  });
});

describe('everything that installs packages (PK-11)', () => {
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

  it('uses the lockfile and runs only the listed scripts', () => {
    expect(lines.length).toBeGreaterThan(4);
    const known = /\bnpm (?:ci --ignore-scripts\b|rebuild (?:keytar|"\$package")|sbom\b|audit signatures$)/;
    expect(lines.filter((line) => !known.test(line))).toEqual([]);
  });
});
