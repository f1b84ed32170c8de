import { existsSync, readFileSync, statSync } from 'node:fs';
import { builtinModules } from 'node:module';
import path from 'node:path';
import { extractFile, getRawHeader, listPackage, statFile } from '@electron/asar';
import { parseSync } from 'vite';
import { nativePipe } from '../../scripts/build-native-pipe.ts';
import { expectedFuses, readFuses } from '../../scripts/package/expected-fuses.ts';
import { packedKeytar } from '../../scripts/package/packed-keytar.ts';
import { expect, test } from './kit/window-test.ts';

let folder: string;
let archive: string;

// Elsewhere the keytar built here is for another system than the package.
test.skip(process.platform !== 'linux', 'packages Linux, on Linux');
test.beforeAll(({ packed }) => {
  folder = packed;
  archive = path.join(folder, 'resources/app.asar');
});

/** Files in the archive, not folders. */
const files = (): readonly string[] =>
  listPackage(archive, { isPack: false })
    .map((file) => file.replaceAll('\\', '/').slice(1))
    .filter((file) => !('files' in statFile(archive, file)));

const read = (file: string): string => extractFile(archive, file).toString('utf8');

/** What a package may contain; anything else must be reviewed first. */
const expected = [
  /^package\.json$/,
  /^LICENSE$/,
  /^dist\/main\/[\w-]+\.js$/,
  /^dist\/preload\/index\.cjs$/,
  /^dist\/renderer\/(?:index|sign-in-bar)\.html$/,
  /^dist\/renderer\/assets\/[\w-]+\.(?:js|css|svg|png)$/,
  /^node_modules\/keytar\/(?:package\.json|LICENSE\.md|lib\/keytar\.js|build\/Release\/keytar\.node)$/,
];

test.describe('the package', () => {
  test('contains what runs and nothing else', () => {
    const found = files();
    expect(found.filter((file) => !expected.some((pattern) => pattern.test(file)))).toEqual([]);
    for (const pattern of expected) expect(found.some((file) => pattern.test(file))).toBe(true);
    expect(found.filter((file) => file.endsWith('.map'))).toEqual([]);
  });

  test('keeps the native module outside the archive, because no system loads one from inside', () => {
    const outside = files().filter((file) => 'unpacked' in statFile(archive, file));
    expect(outside).toContain('node_modules/keytar/build/Release/keytar.node');
    expect(outside.filter((file) => !file.startsWith('node_modules/keytar/'))).toEqual([]);
    const packed = path.join(folder, 'resources', packedKeytar);
    const built = path.join(import.meta.dirname, '../../node_modules/keytar/build/Release/keytar.node');
    expect(readFileSync(packed).equals(readFileSync(built))).toBe(true);
  });

  test('is at most 12 MB without the native module', () => {
    expect(statSync(archive).size).toBeLessThan(12_000_000);
  });

  test('needs nothing else but Electron', () => {
    const known = new Set(['electron', 'keytar', ...builtinModules, 'sqlite', 'node:sqlite']);
    const strangers = files()
      .filter((file) => /^dist\/main\/.*\.js$/.test(file))
      .flatMap((file) => {
        const source = read(file);
        const { staticImports, dynamicImports } = parseSync(file, source).module;
        return [
          ...staticImports.map(({ moduleRequest }) => moduleRequest.value),
          ...dynamicImports
            .map(({ moduleRequest }) => source.slice(moduleRequest.start, moduleRequest.end))
            .filter((text) => /^['"`]/.test(text))
            .map((text) => text.slice(1, -1)),
        ].map((target) => [file, target] as const);
      })
      .filter(([, target]) => !target.startsWith('./') && !known.has(target.replace(/^node:/, '')));
    expect(strangers).toEqual([]);
  });

  test('contains no build metadata in package.json', () => {
    const description = JSON.parse(read('package.json')) as Record<string, unknown>;
    expect(description).toMatchObject({ name: 'postern', main: 'dist/main/index.js', type: 'module' });
    expect(Object.keys(description)).not.toContain('scripts');
    expect(description['devDependencies'] ?? {}).toEqual({});
  });

  test('reveals nothing about the build machine', () => {
    const here = path.join(import.meta.dirname, '../..');
    expect(files().filter((file) => !file.endsWith('.node') && extractFile(archive, file).includes(here))).toEqual([]);
  });

  test('has a hash of each file for Electron to check (fuse EnableEmbeddedAsarIntegrityValidation)', () => {
    expect(getRawHeader(archive).headerString).toContain('"integrity":{"algorithm":"SHA256"');
  });

  test('has the fuses set, so Node’s own switches do not work (PK-01)', async () => {
    expect(await readFuses(path.join(folder, 'postern'))).toEqual(expectedFuses);
  });

  test('includes the licenses of what it contains', () => {
    const notices = readFileSync(path.join(folder, 'resources/THIRD-PARTY-NOTICES.txt'), 'utf8');
    for (const name of ['undici', 'react-dom', 'oauth4webapi', 'zod', '@modelcontextprotocol/client'])
      expect(notices).toMatch(new RegExp(`^${name} \\d+\\.`, 'm'));
    expect(notices).not.toContain('not stated');
  });

  test('contains the pipe that AI apps start, executable', () => {
    test.skip(!existsSync(nativePipe), 'cargo is not here');
    const pipe = path.join(folder, 'resources/bin/postern-pipe');
    expect(readFileSync(pipe).equals(readFileSync(nativePipe))).toBe(true);
    expect(statSync(pipe).mode & 0o777).toBe(0o755);
    // The pipe starts the Electron executable beside it.
    expect(existsSync(path.join(pipe, '../../../postern'))).toBe(true);
  });

  test('has the command-line launcher beside it, executable', () => {
    const launcher = path.join(folder, 'resources/bin/postern');
    expect(statSync(launcher).mode & 0o777).toBe(0o755);
  });
});
