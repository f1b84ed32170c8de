/** Whose file it is, as JSON, in which a part of the tests wrote what it found. */
export type Reporter = 'vitest' | 'playwright';

export interface TestOutcome {
  readonly passed: number;
  readonly failed: number;
  /** Of the failed tests, each with those of what it stands in. */
  readonly titles: readonly string[];
}

/** A part that ended badly has failed, whatever it counted: of what cannot be loaded no test fails. */
export function withSilentFailure(outcome: TestOutcome, isClean: boolean): TestOutcome {
  const isSilent = outcome.failed === 0 && (!isClean || outcome.passed === 0);
  return isSilent ? { ...outcome, failed: 1 } : outcome;
}

/** What the text of a JSON report says. Throws SyntaxError where it is no JSON. */
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

/** A test that failed and then passed has failed: it runs again for its trace alone. */
function readPlaywright({ stats, suites = [] }: PlaywrightReport): TestOutcome {
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky, titles: suites.flatMap(failedIn) };
}

function failedIn({ title, suites = [], specs = [] }: Suite): readonly string[] {
  const failed = specs.filter(({ tests }) => tests.some(({ status }) => status === 'unexpected' || status === 'flaky'));
  return [...failed.map((spec) => spec.title), ...suites.flatMap(failedIn)].map((below) => `${title} ${below}`);
}
