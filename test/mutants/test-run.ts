import type { Reporter } from '../../scripts/read-test-report.ts';
import { windowRuntime } from '../support/window-runtime.ts';
import type { Catcher } from './mutant.ts';

/** How to start the tests that must notice a mutant. */
export interface TestRun {
  /** Arguments of Node. */
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly reporter: Reporter;
}

/** Runs only the tests that must notice the mutant, until the first failure. `report`: the JSON file to write. */
export function testRun(catcher: Catcher & { kind: 'vitest' }, report: string, app: string): TestRun {
  const title = catcher.title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return catcher.project === 'e2e'
    ? playwrightRun(catcher.file, title, report, app)
    : vitestRun(catcher, title, report);
}

function vitestRun({ project, file }: Catcher & { kind: 'vitest' }, title: string, report: string): TestRun {
  const args = ['run', '--config', 'test/mutants/vitest.config.ts', '--project', project, file];
  if (title !== '') args.push('-t', title);
  args.push('--bail=1', '--testTimeout=15000', '--reporter=json', `--outputFile=${report}`);
  return {
    args: ['node_modules/vitest/vitest.mjs', ...args],
    environment: {},
    reporter: 'vitest',
  };
}

/** The defect is in the started app only, not in what the tests import. */
function playwrightRun(file: string, title: string, report: string, app: string): TestRun {
  const args = ['test', `--project=e2e-${windowRuntime}`, file];
  if (title !== '') args.push('--grep', title);
  // A window is slow.
  args.push('--max-failures=1', '--timeout=45000', '--trace=off', '--retries=0');
  args.push(`--output=${report}-results`, '--reporter=json');
  return {
    args: ['node_modules/@playwright/test/cli.js', ...args],
    environment: { PLAYWRIGHT_JSON_OUTPUT_FILE: report, POSTERN_TEST_APP: app },
    reporter: 'playwright',
  };
}
