import { accessSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildPipe, loopbackPipe, nativePipe } from '../../scripts/build-native-pipe.ts';
import { buildWindow } from '../../scripts/build-window.ts';
import { buildCommandLine } from '../../scripts/build.ts';
import { editTricks } from '../bench/tricks.ts';
import { runScenario } from '../conformance/scenario-run.ts';
import { editedSources } from './edited-sources.ts';
import { runGenerated } from './generated/run-generated.ts';
import { mutantPlugin } from './mutant.ts';
import type { Catcher, Mutant } from './mutant.ts';
import { copyNativeSources, editedNativeSource } from './native-sources.ts';
import { closeVitest, runTests } from './test-run.ts';
import { quickMutants, writtenMutants } from './written-checks.ts';

/**
 * Proves that the tests can fail. Written mutants: builds each broken client and runs the test that must catch it. A
 * mutant that survives, or whose code is not found, is a failure. `--all` adds those of the pipes and the window, and
 * all generated mutants, of which the tests that reach them must catch 97 %. Ends with `mutants: N passed, N failed`.
 * `--part 2/4` runs every fourth mutant, starting with the second, so that several machines can share the work.
 * Generated mutants only: `--sample 300` takes that many from all folders, the same each time; `--only main/oauth`
 * takes those of a file or folder; `--changed` takes those of files that differ from the last commit. With these,
 * `--unit` runs only unit tests, and `--by test/contract/http.test.ts` only that test. `--find` runs no test: it only
 * checks that the code of every written mutant, and of the optimizations that `npm run bench` removes, can be found.
 */

const { values } = parseArgs({
  options: {
    mutant: { type: 'string', multiple: true, default: [] },
    all: { type: 'boolean', default: false },
    part: { type: 'string', default: '1/1' },
    only: { type: 'string', multiple: true, default: [] },
    sample: { type: 'string' },
    changed: { type: 'boolean', default: false },
    by: { type: 'string', multiple: true, default: [] },
    unit: { type: 'boolean', default: false },
    find: { type: 'boolean', default: false },
    counts: { type: 'string' },
  },
});
const root = join(import.meta.dirname, '../..');

/** `undefined` if the catcher noticed the mutant, else a description for the log. `folder`: the build with the defect. */
async function explainSurvival(mutant: Mutant, catcher: Catcher, folder: string): Promise<string | undefined> {
  if (catcher.kind === 'vitest') return explainTestSurvival(mutant, catcher, folder);
  const { failedChecks, verdict, reason } = await runScenario(catcher.scenario, catcher.revision, {
    POSTERN_TEST_ENTRY: join(folder, 'index.js'),
  });
  if (failedChecks.includes(catcher.check)) return undefined;
  return `${catcher.scenario} ${verdict}; failed checks: ${failedChecks.join(', ') || 'none'}\n${reason}`;
}

async function explainTestSurvival(
  mutant: Mutant,
  catcher: Catcher & { kind: 'vitest' },
  app: string,
): Promise<string | undefined> {
  const { failed, output } = await runTests({ mutant, catcher, app });
  if (failed.some((title) => title.includes(catcher.title))) return undefined;
  return `${catcher.file}: failed tests: ${failed.join('; ') || 'none'}\n${output}`;
}

let passed = 0;
let failed = 0;
/** Of survivors. */
const titles: string[] = [];

async function tryMutant(mutant: Mutant): Promise<void> {
  // Inside the project, since the bundle looks for keytar in node_modules above it.
  const folder = join(root, 'dist/mutants', mutant.name);
  try {
    const missing = copyPipe(mutant, join(folder, 'pipe'));
    if (missing !== undefined) return console.log(`not tried  ${mutant.name}: ${missing}`);
    const sources = editedSources(mutant.edits);
    const plugins = [mutantPlugin(() => sources)];
    if (needsApp(mutant)) await buildCommandLine(folder, plugins);
    if (mutant.caughtBy.some((catcher) => catcher.kind === 'vitest' && catcher.project === 'e2e')) {
      await buildWindow(folder, plugins);
      writeFileSync(join(folder, 'package.json'), packageJson());
    }
    for (const catcher of mutant.caughtBy) {
      const by = catcher.kind === 'vitest' ? catcher.title || catcher.file : `${catcher.scenario} ${catcher.check}`;
      const survival = await explainSurvival(mutant, catcher, folder);
      if (survival === undefined) passed += 1;
      else failed += 1;
      if (survival !== undefined) titles.push(`${mutant.name}: ${by}`);
      console.log(
        `${survival === undefined ? 'noticed' : 'NOT NOTICED'}  ${mutant.name}: ${by}${survival ? `\n${survival}` : ''}`,
      );
    }
  } catch (error) {
    failed += 1;
    titles.push(mutant.name);
    console.log(`NOT NOTICED  ${mutant.name}: ${String(error)}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What Electron needs in an app's folder. */
function packageJson(): string {
  const project = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<string, unknown>;
  const { name, productName, version, type } = project;
  return JSON.stringify({ name, productName, version, type, main: 'main/index.js' });
}

/**
 * Copies the pipe for Node, and builds the native one if the mutant edits it. Returns why the native one cannot be
 * built.
 */
function copyPipe({ edits, nativeEdit }: Mutant, folder: string): string | undefined {
  const sources = editedSources(edits);
  mkdirSync(folder, { recursive: true });
  for (const name of globSync(['pipe/*.js', 'pipe/environment-allowlist.txt'], { cwd: root })) {
    const file = join(root, name);
    writeFileSync(join(folder, basename(name)), sources.get(file) ?? readFileSync(file));
  }
  if (nativeEdit === undefined) return undefined;
  const source = join(folder, 'native');
  copyNativeSources(source, nativeEdit);
  const built = nativeEdit.in === 'loopback.rs' ? loopbackPipe : nativePipe;
  return buildPipe(source, join(folder, basename(built)));
}

/** True if a test starts the program, which must then be built with the defect; other tests import the sources. */
function needsApp({ caughtBy }: Mutant): boolean {
  return caughtBy.some(
    (catcher) =>
      catcher.kind === 'conformance' || readFileSync(join(root, catcher.file), 'utf8').includes('postern-process.ts'),
  );
}

/** Counts a mutant as failed if its code or its test file cannot be found. */
function checkPatterns(known: readonly (Omit<Mutant, 'caughtBy'> & Partial<Mutant>)[]): void {
  const before = failed;
  for (const { name, edits, nativeEdit, caughtBy = [] } of known) {
    try {
      editedSources(edits);
      if (nativeEdit) editedNativeSource(nativeEdit);
      for (const catcher of caughtBy) if (catcher.kind === 'vitest') accessSync(join(root, catcher.file));
    } catch (error) {
      failed += 1;
      console.log(`NOT FOUND  ${name}: ${String(error)}`);
    }
  }
  console.log(`found: ${known.length - (failed - before)} of ${known.length}`);
}

const [, part = '', parts = ''] = /^([1-9]\d*)\/([1-9]\d*)$/u.exec(values.part) ?? [];
if (part === '' || Number(part) > Number(parts)) throw new Error(`Invalid part ${values.part}; write 2/4`);
const isInPart = (_: Mutant, index: number): boolean => index % Number(parts) === Number(part) - 1;
const isGeneratedOnly = values.only.length > 0 || values.sample !== undefined || values.changed;

if (values.find) {
  checkPatterns([...writtenMutants, ...editTricks]);
  process.exit(failed === 0 ? 0 : 1);
}
if (values.mutant.length > 0) {
  for (const mutant of writtenMutants.filter(({ name }) => values.mutant.includes(name))) await tryMutant(mutant);
} else if (!isGeneratedOnly) {
  checkPatterns([...writtenMutants, ...editTricks]);
  for (const mutant of (values.all ? writtenMutants : quickMutants).filter(isInPart)) await tryMutant(mutant);
}
await closeVitest();
if (isGeneratedOnly || values.all) {
  const sample = values.sample === undefined ? undefined : Number(values.sample);
  const choice = { only: values.only, sample, isChanged: values.changed, part: Number(part), parts: Number(parts) };
  const everyTest = values.unit ? (['unit'] as const) : (['unit', 'contract', 'hostile'] as const);
  const generated = await runGenerated(choice, values.by.length > 0 ? { files: values.by } : everyTest);
  passed += generated.passed;
  failed += generated.failed;
  titles.push(...generated.titles);
}
if (values.counts !== undefined) writeFileSync(values.counts, JSON.stringify({ passed, failed, titles }));
console.log(`mutants: ${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
