import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { NoDebian } from '../support/debian-root.ts';
import { NoPackage } from '../support/fetch-package.ts';
import { asVariable, startWindows } from './windows.ts';

/**
 * run.ts [WORDS]: tests of the command line on Windows, in Wine on Linux: Node for Windows, with keytar and the native
 * pipe built for it. POSTERN_WINDOWS names a real Windows' Node instead. WORDS are passed to vitest. Where neither is
 * possible, prints why and exits with 0.
 */
try {
  const windows = await startWindows(process.env['POSTERN_WINDOWS']);
  try {
    const vitest = path.join(import.meta.dirname, '../../node_modules/vitest/vitest.mjs');
    const words = ['run', '--project', 'windows', ...process.argv.slice(2)];
    const env = { ...process.env, ...asVariable(windows) };
    const [code] = (await once(spawn(process.execPath, [vitest, ...words], { env, stdio: 'inherit' }), 'close')) as [
      number | null,
    ];
    process.exitCode = code ?? 1;
  } finally {
    await windows.close();
  }
} catch (error) {
  if (!(error instanceof NoDebian) && !(error instanceof NoPackage)) throw error;
  console.log(`windows: skipped, ${error.message}`);
}
