import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export type WindowRuntime = 'electron' | 'stand-in';

/** The `electron` package. With the slash, since names are resolved against it. */
export const electronFolder = new URL('../../node_modules/electron/', import.meta.url);

export const standInLauncher = fileURLToPath(new URL('../electron-stand-in/run.ts', import.meta.url));

/** Electron's program, where it has been downloaded. Asking the package itself would download it. */
export function findElectron(folder = electronFolder): string | undefined {
  const pathFile = new URL('path.txt', folder);
  if (!existsSync(pathFile)) return undefined;
  const file = fileURLToPath(new URL(`dist/${readFileSync(pathFile, 'utf8')}`, folder));
  return existsSync(file) ? file : undefined;
}

/** POSTERN_TEST_ELECTRON: another one, that the tests alone use. */
export const testElectron = process.env['POSTERN_TEST_ELECTRON'] ?? findElectron();

/** What the window runs on here; every report of a test in a window says it. */
export const windowRuntime: WindowRuntime = testElectron === undefined ? 'stand-in' : 'electron';

/** What the stand-in and Electron could do differently, in a few minutes: the tests that run on a real one first. */
export const firstOnElectron: readonly string[] = [
  'window-guards',
  'sign-in-bar',
  'sign-in-ends',
  'errors',
  'connect',
  'sandbox',
].map((name) => `test/e2e/${name}.test.ts`);
