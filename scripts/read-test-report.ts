/** The test runner that wrote the JSON report. */
export type Reporter = 'vitest' | 'playwright';

export interface TestOutcome {
  readonly passed: number;
  readonly failed: number;
  /** Full titles of the failed tests, including their suites. */
  readonly titles: readonly string[];
}

/** A part with a bad exit code has failed, whatever it counted: a file that does not load fails no test. */
export function withSilentFailure(outcome: TestOutcome, isClean: boolean): TestOutcome {
  const isSilent = outcome.failed === 0 && (!isClean || outcome.passed === 0);
  return isSilent ? { ...outcome, failed: 1 } : outcome;
}

/** Parses a JSON report. Errors: SyntaxError. */
export function readTestReport(reporter: Reporter, report: string): TestOutcome {
  return reporter === 'vitest'
    ? readVitest(JSON.parse(report) as VitestReport)
    : readPlaywright(JSON.parse(report) as PlaywrightReport);
}

interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly { readonly assertionResults: readonly { status: string; fullName: string }[] }[];
}

function readVitest({ numPassedTests, numFailedTests, testResults }: VitestReport): TestOutcome {
  const titles = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'failed')
    .map(({ fullName }) => fullName);
  return { passed: numPassedTests, failed: numFailedTests, titles };
}

interface Suite {
  readonly title: string;
  readonly suites?: readonly Suite[];
  readonly specs?: readonly { readonly title: string; readonly tests: readonly { readonly status: string }[] }[];
}

interface PlaywrightReport {
  readonly stats: { readonly expected: number; readonly unexpected: number; readonly flaky: number };
  readonly suites?: readonly Suite[];
}

/** A flaky test counts as failed: it is only retried for its trace. */
function readPlaywright({ stats, suites = [] }: PlaywrightReport): TestOutcome {
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky, titles: suites.flatMap(failedIn) };
}

function failedIn({ title, suites = [], specs = [] }: Suite): readonly string[] {
  const failed = specs.filter(({ tests }) => tests.some(({ status }) => status === 'unexpected' || status === 'flaky'));
  return [...failed.map((spec) => spec.title), ...suites.flatMap(failedIn)].map((below) => `${title} ${below}`);
}
