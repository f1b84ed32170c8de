import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createVitest } from 'vitest/node';
import type { Vitest } from 'vitest/node';
import { readTestReport } from '../../scripts/read-test-report.ts';
import { windowRuntime } from '../support/window-runtime.ts';
import { editedSources } from './edited-sources.ts';
import type { Catcher, Mutant } from './mutant.ts';

/** A test that must notice a mutant, and the folder of the build with the defect. */
export interface TestRun {
  readonly mutant: Mutant;
  readonly catcher: Catcher & { kind: 'vitest' };
  readonly app: string;
}

/** What a run of tests says about a mutant. */
export interface TestVerdict {
  /** Titles, including their suites. */
  readonly failed: readonly string[];
  readonly output: string;
}

/** Milliseconds for one run; a defect may leave one of them running forever. */
const limit = 300_000;
const root = join(import.meta.dirname, '../..');

let opened: Promise<Vitest> | undefined;

/** One vitest for all runs: it keeps every module that no mutant edits. Tests run in a new process each. */
function openVitest(): Promise<Vitest> {
  return (opened ??= createVitest('test', {
    root,
    config: join(import.meta.dirname, 'vitest.config.ts'),
    project: ['unit', 'contract', 'hostile'],
    watch: false,
    isolate: true,
    maxWorkers: 1,
    testTimeout: 15_000,
    // It would print the failures, which are what is wanted here.
    reporters: [{}],
  }));
}

export async function closeVitest(): Promise<void> {
  await (await opened)?.close();
}

/** Runs only the tests that must notice the mutant. */
export async function runTests(run: TestRun): Promise<TestVerdict> {
  const environment = {
    POSTERN_MUTANT: run.mutant.name,
    POSTERN_TEST_ENTRY: join(run.app, 'index.js'),
    POSTERN_TEST_PIPE: join(run.app, 'pipe'),
  };
  if (run.catcher.project === 'e2e') return runPlaywright(run, environment);
  Object.assign(process.env, environment);
  try {
    return await runVitest(run);
  } finally {
    // Vitest sets the last ones, which would change the builds for other mutants.
    for (const name of [...Object.keys(environment), 'TEST', 'VITEST', 'NODE_ENV']) delete process.env[name];
  }
}

async function runVitest({ mutant, catcher }: TestRun): Promise<TestVerdict> {
  const vitest = await openVitest();
  const edited = [...editedSources(mutant.edits).keys()];
  const specifications = (await vitest.globTestSpecifications([join(root, catcher.file)])).filter(
    ({ project }) => project.name === catcher.project,
  );
  if (catcher.title !== '') vitest.setGlobalTestNamePattern(patternOf(catcher.title));
  else vitest.resetGlobalTestNamePattern();
  for (const file of edited) vitest.invalidateFile(file);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      // The next run needs another one.
      opened = undefined;
      void vitest.close();
      reject(new Error(`${catcher.file} does not end`));
    }, limit);
  });
  try {
    const { testModules, unhandledErrors } = await Promise.race([vitest.runTestSpecifications(specifications), late]);
    // It also has those of earlier runs.
    const own = testModules.filter(({ moduleId }) => specifications.some((one) => one.moduleId === moduleId));
    const failed = own.flatMap(({ children }) => [...children.allTests('failed')]);
    const errors = [...unhandledErrors, ...own.flatMap((module) => module.errors())];
    return {
      failed: failed.map(({ fullName }) => fullName.replaceAll(' > ', ' ')),
      output: errors.map((error) => (error as Error).message).join('\n'),
    };
  } finally {
    clearTimeout(timer);
    for (const file of edited) vitest.invalidateFile(file);
  }
}

/** The defect is in the started app only, not in what the tests import. */
function runPlaywright({ catcher, app }: TestRun, environment: Readonly<Record<string, string>>): TestVerdict {
  const folder = mkdtempSync(join(tmpdir(), 'postern-mutant-'));
  const report = join(folder, 'report.json');
  const args = ['test', `--project=e2e-${windowRuntime}`, catcher.file];
  if (catcher.title !== '') args.push('--grep', patternOf(catcher.title));
  // A window is slow.
  args.push('--max-failures=1', '--timeout=45000', '--trace=off', '--retries=0');
  args.push(`--output=${report}-results`, '--reporter=json');
  try {
    const { stdout, stderr } = spawnSync(process.execPath, ['node_modules/@playwright/test/cli.js', ...args], {
      cwd: root,
      encoding: 'utf8',
      timeout: limit,
      killSignal: 'SIGKILL',
      env: { ...process.env, ...environment, PLAYWRIGHT_JSON_OUTPUT_FILE: report, POSTERN_TEST_PROGRAM: app },
    });
    const output = `${stdout}${stderr}`;
    if (!existsSync(report)) return { failed: [], output: `the tests wrote no report\n${output}` };
    return { failed: readTestReport('playwright', readFileSync(report, 'utf8')).titles, output };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function patternOf(title: string): string {
  return title.replace(/[.*+?^${}()|[\]\\]/gu, '\\$&');
}
