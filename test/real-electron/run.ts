import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { failedTitles } from '../../scripts/failed-tests.ts';
import { hasDisplay, startVirtualDisplay } from '../../scripts/virtual-display.ts';
import { NoPackage } from '../support/fetch-package.ts';
import { findElectron } from '../support/window-runtime.ts';
import { buildProgram } from './build-program.ts';
import { obtainElectron } from './obtain-electron.ts';

/**
 * run.ts [--all] [--counts FILE] [-- WORDS]: tests of the window on a real Electron, which the stand-in resembles.
 * POSTERN_ELECTRON names the one to test on; without it that is the project's own, and where it was not downloaded an
 * older one from the npm registry, for tests alone.
 * WORDS go to Playwright, with no contract suite before it. Ends with `real-electron: N passed, N failed`, or with the
 * reason why nothing was tried.
 */
const { values, positionals } = parseArgs({
  options: { all: { type: 'boolean', default: false }, counts: { type: 'string' } },
  allowPositionals: true,
});

const root = path.join(import.meta.dirname, '../..');
const results = path.join(root, 'test-results/real-electron');

/** What the stand-in and Electron could do differently, in a few minutes. */
const first = ['window-guards', 'sign-in-bar', 'sign-in-ends', 'errors', 'connect', 'sandbox'].map(
  (name) => `test/e2e/${name}.test.ts`,
);
/** The package is around a placeholder. */
const all = ['test/e2e/(?!package)'];

interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly titles: readonly string[];
}

function finish(counts: Counts & { readonly skipped?: number }): never {
  if (values.counts !== undefined) writeFileSync(values.counts, JSON.stringify(counts));
  process.exit(counts.failed === 0 ? 0 : 1);
}

function skip(reason: string): never {
  console.log(`real-electron: skipped, ${reason}`);
  finish({ passed: 0, failed: 0, titles: [], skipped: 1 });
}

async function runTests(words: readonly string[], env: NodeJS.ProcessEnv, read: () => Counts): Promise<Counts> {
  const node = [process.execPath, ...words];
  const [command = '', ...rest] =
    process.platform === 'linux' ? ['bash', 'test/support/with-keychain.sh', ...node] : node;
  const child = spawn(command, rest, { cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'] });
  const isClean = await new Promise<boolean>((resolve) => {
    child.once('error', () => resolve(false));
    child.once('close', (code) => resolve(code === 0));
  });
  const counts = read();
  // What cannot be loaded is no failed test.
  return !isClean && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
}

function readJson(file: string): Readonly<Record<string, unknown>> {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>) : {};
}

function titlesIn(reporter: 'vitest' | 'playwright', file: string): readonly string[] {
  return existsSync(file) ? failedTitles(reporter, readFileSync(file, 'utf8')) : [];
}

const electron =
  process.env['POSTERN_ELECTRON'] ??
  findElectron() ??
  (await obtainElectron().catch((error: unknown) => {
    if (error instanceof NoPackage) return skip(error.message);
    throw error;
  }));
if (!existsSync(electron)) throw new Error('POSTERN_ELECTRON names no file');
const display = hasDisplay(process.env, process.platform) ? undefined : await startVirtualDisplay();
if (!display && !hasDisplay(process.env, process.platform)) skip('there is neither a display nor Xvfb');

const program = path.join(results, 'program');
await buildProgram(program);
const env: NodeJS.ProcessEnv = {
  ...process.env,
  ...display?.env,
  POSTERN_TEST_DISPLAY: display?.env.DISPLAY ?? process.env['DISPLAY'],
  POSTERN_TEST_ELECTRON: electron,
  POSTERN_TEST_PROGRAM: program,
};

const vitestCounts = path.join(results, 'contract.json');
const playwrightCounts = path.join(results, 'e2e.json');
const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'contract', 'test/contract/electron-'];
const playwright = ['node_modules/@playwright/test/cli.js', 'test', '--project=e2e-electron'];
const outcomes: Counts[] = [];
if (positionals.length === 0) {
  const words = [...vitest, '--reporter=default', '--reporter=json', `--outputFile.json=${vitestCounts}`];
  outcomes.push(
    await runTests(words, env, () => {
      const counts = readJson(vitestCounts) as Readonly<Record<string, number | undefined>>;
      const titles = titlesIn('vitest', vitestCounts);
      return { passed: counts['numPassedTests'] ?? 0, failed: counts['numFailedTests'] ?? 0, titles };
    }),
  );
}
const files = positionals.length > 0 ? positionals : values.all ? all : first;
outcomes.push(
  await runTests(
    [...playwright, '--output=test-results/real-electron/e2e', ...files],
    {
      ...env,
      PLAYWRIGHT_JSON_OUTPUT_FILE: playwrightCounts,
      PLAYWRIGHT_HTML_OUTPUT_DIR: 'test-results/real-electron-report',
    },
    () => {
      const { stats } = readJson(playwrightCounts) as { stats?: Readonly<Record<string, number>> };
      const titles = titlesIn('playwright', playwrightCounts);
      return { passed: stats?.['expected'] ?? 0, failed: stats?.['unexpected'] ?? 0, titles };
    },
  ),
);
display?.end();

const total = {
  passed: outcomes.reduce((sum, { passed }) => sum + passed, 0),
  failed: outcomes.reduce((sum, { failed }) => sum + failed, 0),
  titles: outcomes.flatMap(({ titles }) => titles),
};
console.log(`\nreal-electron: ${total.passed} passed, ${total.failed} failed`);
finish(total);
