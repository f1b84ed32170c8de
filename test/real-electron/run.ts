import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { readTestReport, withSilentFailure } from '../../scripts/read-test-report.ts';
import type { Reporter, TestOutcome } from '../../scripts/read-test-report.ts';
import { hasDisplay, startVirtualDisplay } from '../../scripts/virtual-display.ts';
import { NoPackage } from '../support/fetch-package.ts';
import { findElectron, firstOnElectron } from '../support/window-runtime.ts';
import { buildProgram } from './build-program.ts';
import { obtainElectron } from './obtain-electron.ts';

/**
 * run.ts [--all] [--else-stand-in] [--counts FILE] [-- WORDS]: window tests on a real Electron, which the stand-in
 * imitates. POSTERN_ELECTRON names the Electron to use; the default is the project's own or, if it was not downloaded,
 * an older one from the npm registry for tests only. `--else-stand-in`: without any Electron, run on the stand-in.
 * WORDS are passed to Playwright, and the contract suite is skipped. Ends with `real-electron: N passed, N failed`, or
 * with the reason why nothing ran.
 */
const { values, positionals } = parseArgs({
  options: {
    all: { type: 'boolean', default: false },
    'else-stand-in': { type: 'boolean', default: false },
    counts: { type: 'string' },
  },
  allowPositionals: true,
});

const root = path.join(import.meta.dirname, '../..');
const results = path.join(root, 'test-results/real-electron');

/** The package has a placeholder for Electron. */
const all = ['test/e2e/(?!package)'];

function finish(counts: TestOutcome & { readonly skipped?: number }): never {
  if (values.counts !== undefined) writeFileSync(values.counts, JSON.stringify(counts));
  process.exit(counts.failed === 0 ? 0 : 1);
}

async function skip(reason: string): Promise<never> {
  console.log(`real-electron: skipped, ${reason}`);
  if (!values['else-stand-in']) finish({ passed: 0, failed: 0, titles: [], skipped: 1 });
  console.log('Its tests of the window run on the stand-in.');
  return finish(await testWindow('e2e-stand-in', firstOnElectron, process.env));
}

interface Run {
  /** For Node. */
  readonly words: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly reporter: Reporter;
  readonly report: string;
}

async function runTests({ words, env, reporter, report }: Run): Promise<TestOutcome> {
  rmSync(report, { force: true });
  const node = [process.execPath, ...words];
  const [command = '', ...rest] =
    process.platform === 'linux' ? ['bash', 'test/support/with-keychain.sh', ...node] : node;
  const child = spawn(command, rest, { cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'] });
  const isClean = await new Promise<boolean>((resolve) => {
    child.once('error', () => resolve(false));
    child.once('close', (code) => resolve(code === 0));
  });
  if (!existsSync(report)) return { passed: 0, failed: 1, titles: [] };
  return withSilentFailure(readTestReport(reporter, readFileSync(report, 'utf8')), isClean);
}

async function testWindow(project: string, files: readonly string[], env: NodeJS.ProcessEnv): Promise<TestOutcome> {
  const report = path.join(results, 'e2e.json');
  const output = '--output=test-results/real-electron/e2e';
  return await runTests({
    words: ['node_modules/@playwright/test/cli.js', 'test', `--project=${project}`, output, ...files],
    env: {
      ...env,
      PLAYWRIGHT_JSON_OUTPUT_FILE: report,
      PLAYWRIGHT_HTML_OUTPUT_DIR: 'test-results/real-electron-report',
    },
    reporter: 'playwright',
    report,
  });
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
if (!display && !hasDisplay(process.env, process.platform)) await skip('there is neither a display nor Xvfb');

const program = path.join(results, 'program');
await buildProgram(program);
const env: NodeJS.ProcessEnv = {
  ...process.env,
  ...display?.env,
  POSTERN_TEST_DISPLAY: display?.env.DISPLAY ?? process.env['DISPLAY'],
  POSTERN_TEST_ELECTRON: electron,
  POSTERN_TEST_PROGRAM: program,
};

const outcomes: TestOutcome[] = [];
if (positionals.length === 0) {
  const report = path.join(results, 'contract.json');
  const suite = ['run', '--project', 'contract', 'test/contract/electron-'];
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const words = ['node_modules/vitest/vitest.mjs', ...suite, ...reporters];
  outcomes.push(await runTests({ words, env, reporter: 'vitest', report }));
}
const files = positionals.length > 0 ? positionals : values.all ? all : firstOnElectron;
outcomes.push(await testWindow('e2e-electron', files, env));
display?.end();

const total = {
  passed: outcomes.reduce((sum, { passed }) => sum + passed, 0),
  failed: outcomes.reduce((sum, { failed }) => sum + failed, 0),
  titles: outcomes.flatMap(({ titles }) => titles),
};
console.log(`\nreal-electron: ${total.passed} passed, ${total.failed} failed`);
finish(total);
