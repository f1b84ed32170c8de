import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { extension, listScenarios, runScenario } from './scenario-run.ts';
import type { ScenarioRun } from './scenario-run.ts';

/**
 * The official client suite against the built command line, each scenario separately. Ends with `conformance: N passed,
 * N failed` and exit code 1 if anything failed or checked nothing.
 */

const { values } = parseArgs({
  options: {
    revisions: { type: 'string', default: 'all' },
    scenario: { type: 'string', multiple: true, default: [] },
    counts: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) {
  console.log('npm run conformance -- [--revisions 2025-11-25,2026-07-28] [--scenario auth/NAME]…');
  process.exit(0);
}

/** In parallel: each has its own servers, profile and callback port. */
const lanes = 2;

/** Of the extensions, those that Postern supports. */
const extensions: ReadonlySet<string> = new Set([
  'auth/client-credentials-jwt',
  'auth/client-credentials-basic',
  'auth/dpop',
  'auth/dpop-nonce',
  'auth/wif-jwt-bearer',
  'auth/enterprise-managed-authorization',
]);

const rows = (await listScenarios())
  .filter(({ scenario }) => scenario.startsWith('auth/'))
  .filter(({ scenario }) => values.scenario.length === 0 || values.scenario.includes(scenario))
  .flatMap(({ scenario, revisions }) =>
    (extensions.has(scenario) ? [extension] : revisions)
      .filter((revision) => values.revisions === 'all' || values.revisions.split(',').includes(revision))
      .map((revision) => ({ scenario, revision })),
  );

const waiting = [...rows];
const runs: ScenarioRun[] = [];
await Promise.all(
  Array.from({ length: lanes }, async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const run = await runScenario(next.scenario, next.revision);
      runs.push(run);
      if (run.verdict !== 'passed') console.log(`\n${run.verdict}: ${name(run)}\n${run.reason}\n`);
    }
  }),
);

function name({ scenario, revision }: { scenario: string; revision: string }): string {
  return `${scenario.replace('auth/', '')}@${revision}`;
}

const width = Math.max(...rows.map((row) => name(row).length));
console.log(`${'scenario'.padEnd(width)}  verdict  success failure warning  seconds`);
for (const row of rows) {
  const run = runs.find(({ scenario, revision }) => scenario === row.scenario && revision === row.revision);
  if (run === undefined) continue;
  const numbers = [run.success, run.failure, run.warning].map((count) => String(count).padStart(7)).join(' ');
  const seconds = (run.milliseconds / 1_000).toFixed(1).padStart(8);
  console.log(`${name(row).padEnd(width)}  ${run.verdict.padEnd(7)} ${numbers} ${seconds}`);
}

const passed = runs.filter(({ verdict }) => verdict === 'passed').length;
const failed = rows.length - passed;
const titles = runs.filter(({ verdict }) => verdict !== 'passed').map(name);
if (values.counts !== undefined) writeFileSync(values.counts, JSON.stringify({ passed, failed, titles }));
console.log(`conformance: ${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
