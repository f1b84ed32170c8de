import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { faultsOf, unknownDifferences } from './compare-checks.ts';
import { openGateway } from './open-gateway.ts';
import { startDemoServer } from './demo-server/start-demo-server.ts';
import { runServerSuite } from './suite-run.ts';
import type { Check, SuiteRun } from './suite-run.ts';
import { routes } from './routes.ts';
import type { Route } from './routes.ts';

/**
 * The official server suite against a complete server, directly and through Postern. A scenario passes if the direct
 * run found nothing wrong, and only the named checks differ through Postern. Ends with `conformance-server: N passed, N
 * failed` and exit code 1 if anything failed.
 */

const { values } = parseArgs({
  options: {
    revisions: { type: 'string', default: '2025-11-25,2026-07-28' },
    counts: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) {
  console.log('npm run conformance:server -- [--revisions 2025-11-25,2026-07-28]');
  process.exit(0);
}

/** An optional extension that the server does not have: only differences count. */
const isExtension = (scenario: string): boolean => scenario.startsWith('tasks-');

const gateway = await openGateway();
const total = { passed: 0, failed: 0 };

/** Each run has its own server, since some scenarios change it. */
async function runOver(route: Route | undefined, revision: string): Promise<SuiteRun> {
  const server = await startDemoServer();
  try {
    if (!route) return await runServerSuite(server.url, revision);
    const alias = `${route.name}-${revision}`;
    await gateway.connect(server.url, alias);
    const opened = await route.open(alias, gateway);
    try {
      return await runServerSuite(opened.url, revision);
    } finally {
      await opened.close();
    }
  } finally {
    await server.close();
  }
}

async function runRevision(revision: string): Promise<void> {
  const [direct, ...others] = await Promise.all([
    runOver(undefined, revision),
    ...routes.map((route) => runOver(route, revision)),
  ]);
  const scenarios = new Set([direct, ...others].flatMap((run) => [...run.scenarios.keys()]));
  const rows = [...scenarios].map((scenario) => {
    const own = direct.scenarios.get(scenario) ?? [];
    const faults = isExtension(scenario) ? [] : faultsOf(own).map((fault) => `directly: ${fault}`);
    const columns = [countsOf(own)];
    const notes: string[] = [];
    for (const [index, { name, differences }] of routes.entries()) {
      const through = others[index]?.scenarios.get(scenario) ?? [];
      const known = differences.find((one) => one.scenario === scenario && one.revision === revision);
      columns.push(countsOf(through));
      faults.push(...unknownDifferences(own, through, known).map((fault) => `by ${name}: ${fault}`));
      if (known) notes.push(`by ${name}, ${known.checks.length} otherwise: ${known.reason}`);
    }
    total[faults.length === 0 ? 'passed' : 'failed'] += 1;
    return { scenario, columns, notes, faults };
  });
  printTable(revision, rows);
}

interface Row {
  readonly scenario: string;
  readonly columns: readonly string[];
  /** About expected differences. */
  readonly notes: readonly string[];
  readonly faults: readonly string[];
}

function printTable(revision: string, rows: readonly Row[]): void {
  const width = Math.max(...rows.map(({ scenario }) => scenario.length));
  const line = (first: string, columns: readonly string[]): string =>
    [first.padEnd(width), ...columns.map((column) => column.padStart(7))].join('  ');
  console.log(`\n${line(revision, ['direct', ...routes.map(({ name }) => name)])}`);
  for (const { scenario, columns, notes, faults } of rows) {
    console.log(line(scenario, columns));
    for (const note of notes) console.log(`  - ${note}`);
    for (const fault of faults) console.log(`  ! ${fault}`);
  }
}

/** Checks that succeeded, and those that did not. */
function countsOf(checks: readonly Check[]): string {
  const count = (...statuses: readonly Check['status'][]): number =>
    checks.filter(({ status }) => statuses.includes(status)).length;
  return `${count('SUCCESS')}/${count('FAILURE', 'WARNING')}`;
}

try {
  await Promise.all(values.revisions.split(',').map(runRevision));
} finally {
  await gateway.close();
}
if (values.counts !== undefined) writeFileSync(values.counts, JSON.stringify(total));
console.log(`\nconformance-server: ${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1;
