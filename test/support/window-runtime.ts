import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export type WindowRuntime = 'electron' | 'stand-in';

/** The `electron` package's folder. It ends with a slash, because names are resolved against it. */
export const electronFolder = new URL('../../node_modules/electron/', import.meta.url);

export const standInLauncher = fileURLToPath(new URL('../electron-stand-in/run.ts', import.meta.url));

/** Electron's executable, if it was downloaded. Importing the package would download it. */
export function findElectron(folder = electronFolder): string | undefined {
  const pathFile = new URL('path.txt', folder);
  if (!existsSync(pathFile)) return undefined;
  const file = fileURLToPath(new URL(`dist/${readFileSync(pathFile, 'utf8')}`, folder));
  return existsSync(file) ? file : undefined;
}

/** POSTERN_TEST_ELECTRON: another Electron, only for tests. */
export const testElectron = process.env['POSTERN_TEST_ELECTRON'] ?? findElectron();

/** What the window runs on here; every window test reports it. */
export const windowRuntime: WindowRuntime = testElectron === undefined ? 'stand-in' : 'electron';

/** Tests of behavior that may differ between Electron and the stand-in; they run on Electron first. A few minutes. */
export const firstOnElectron: readonly string[] = [
  'window-guards',
  'sign-in-bar',
  'sign-in-ends',
  'errors',
  'connect',
  'sandbox',
].map((name) => `test/e2e/${name}.test.ts`);
