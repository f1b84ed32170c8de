import type { Reporter } from '../../scripts/read-test-report.ts';
import { windowRuntime } from '../support/window-runtime.ts';
import type { Catcher } from './mutant.ts';

/** How the tests that must notice a mutant are started, and whose report they write. */
export interface TestRun {
  /** For Node. */
  readonly words: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly reporter: Reporter;
}

/** Runs only the tests that must notice it, and of those only until the first one does. `report`: a file for JSON. */
export function testRun(catcher: Catcher & { kind: 'vitest' }, report: string, app: string): TestRun {
  const title = catcher.title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return catcher.project === 'e2e' ? inWindow(catcher.file, title, report, app) : inVitest(catcher, title, report);
}

function inVitest({ project, file }: Catcher & { kind: 'vitest' }, title: string, report: string): TestRun {
  const words = ['run', '--config', 'test/mutants/vitest.config.ts', '--project', project, file];
  if (title !== '') words.push('-t', title);
  words.push('--bail=1', '--testTimeout=15000', '--reporter=json', `--outputFile=${report}`);
  return {
    words: ['node_modules/vitest/vitest.mjs', ...words],
    environment: {},
    reporter: 'vitest',
  };
}

/** The tests start another program; what they import themselves is without the defect. */
function inWindow(file: string, title: string, report: string, app: string): TestRun {
  const words = ['test', `--project=e2e-${windowRuntime}`, file];
  if (title !== '') words.push('--grep', title);
  // A window takes its time.
  words.push('--max-failures=1', '--timeout=45000', '--trace=off', '--retries=0');
  words.push(`--output=${report}-results`, '--reporter=json');
  return {
    words: ['node_modules/@playwright/test/cli.js', ...words],
    environment: { PLAYWRIGHT_JSON_OUTPUT_FILE: report, POSTERN_TEST_APP: app },
    reporter: 'playwright',
  };
}
