/** One reporter's file, as JSON, in which a part of the tests wrote what it found. */
type Reporter = 'vitest' | 'playwright';

/**
 * The titles of the failed tests, each with those of what it stands in, from the text of a JSON report of vitest or
 * Playwright. Throws SyntaxError where the text is no JSON.
 */
export function failedTitles(reporter: Reporter, report: string): readonly string[] {
  return reporter === 'vitest' ? failedOfVitest(report) : failedOfPlaywright(report);
}

interface VitestReport {
  readonly testResults: readonly { readonly assertionResults: readonly { status: string; fullName: string }[] }[];
}

function failedOfVitest(report: string): readonly string[] {
  return (JSON.parse(report) as VitestReport).testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'failed')
    .map(({ fullName }) => fullName);
}

interface Suite {
  readonly title: string;
  readonly suites?: readonly Suite[];
  readonly specs?: readonly { readonly title: string; readonly ok: boolean }[];
}

function failedOfPlaywright(report: string): readonly string[] {
  return (JSON.parse(report) as Suite).suites?.flatMap(failedIn) ?? [];
}

function failedIn({ title, suites = [], specs = [] }: Suite): readonly string[] {
  return [...specs.filter(({ ok }) => !ok).map((spec) => spec.title), ...suites.flatMap(failedIn)].map(
    (below) => `${title} ${below}`,
  );
}
