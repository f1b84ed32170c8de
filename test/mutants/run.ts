import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildCommandLine } from '../../scripts/build.ts';
import { runScenario } from '../conformance/scenario-run.ts';
import { mutantPlugin } from './mutant.ts';
import type { Catcher, Mutant } from './mutant.ts';
import { mutants } from './mutants.ts';

/**
 * Proves that the tests can fail: builds each broken client and runs the test that must notice it. A mutant that
 * lives is a failure. Ends with `mutants: N passed, N failed`.
 */

const { values } = parseArgs({
  options: { mutant: { type: 'string', multiple: true, default: [] }, counts: { type: 'string' } },
});
const root = join(import.meta.dirname, '../..');

/** Nothing when it was noticed, else what happened instead. `entry`: the command line with the defect. */
async function survives(mutant: Mutant, catcher: Catcher, entry: string): Promise<string | undefined> {
  if (catcher.kind === 'vitest') return survivesTests(mutant, catcher, entry);
  const { failedChecks, verdict, reason } = await runScenario(catcher.scenario, catcher.revision, {
    POSTERN_TEST_ENTRY: entry,
  });
  if (failedChecks.includes(catcher.check)) return undefined;
  return `${catcher.scenario} ${verdict}; failed checks: ${failedChecks.join(', ') || 'none'}\n${reason}`;
}

function survivesTests(mutant: Mutant, catcher: Catcher & { kind: 'vitest' }, entry: string): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'postern-mutant-'));
  const report = join(folder, 'report.json');
  try {
    const words = ['run', '--config', 'test/mutants/vitest.config.ts', '--project', catcher.project, catcher.file];
    const { stdout, stderr } = spawnSync(
      process.execPath,
      ['node_modules/vitest/vitest.mjs', ...words, '--reporter=json', `--outputFile=${report}`],
      { cwd: root, encoding: 'utf8', env: { ...process.env, POSTERN_MUTANT: mutant.name, POSTERN_TEST_ENTRY: entry } },
    );
    if (!existsSync(report)) return `vitest gave no report\n${stdout}${stderr}`;
    const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
      testResults: { assertionResults: { status: string; fullName: string }[] }[];
    };
    const failed = testResults
      .flatMap(({ assertionResults }) => assertionResults)
      .filter(({ status }) => status === 'failed')
      .map(({ fullName }) => fullName);
    if (failed.some((title) => title.includes(catcher.title))) return undefined;
    return `${catcher.file}: failed tests: ${failed.join('; ') || 'none'}\n${stdout}${stderr}`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

let passed = 0;
let failed = 0;
for (const mutant of mutants.filter(({ name }) => values.mutant.length === 0 || values.mutant.includes(name))) {
  // Inside the project, since the bundle looks for keytar in node_modules above it.
  const folder = join(root, 'dist/mutants', mutant.name);
  try {
    await buildCommandLine(folder, [mutantPlugin(mutant)]);
    for (const catcher of mutant.caughtBy) {
      const by = catcher.kind === 'vitest' ? catcher.title : `${catcher.scenario} ${catcher.check}`;
      const alive = await survives(mutant, catcher, join(folder, 'index.js'));
      if (alive === undefined) passed += 1;
      else failed += 1;
      console.log(
        `${alive === undefined ? 'noticed' : 'NOT NOTICED'}  ${mutant.name}: ${by}${alive ? `\n${alive}` : ''}`,
      );
    }
  } catch (error) {
    failed += 1;
    console.log(`NOT NOTICED  ${mutant.name}: ${String(error)}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
if (values.counts !== undefined) writeFileSync(values.counts, JSON.stringify({ passed, failed }));
console.log(`mutants: ${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
