import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import '../test/support/compile-cache.ts';
import '../test/support/memory-folder.ts';
import { readTestReport, withSilentFailure } from './read-test-report.ts';
import type { TestOutcome } from './read-test-report.ts';
import { build, longParts, builtParts, sourceParts, waitingParts } from './test-parts.ts';
import type { Part } from './test-parts.ts';

/**
 * Runs every part of the tests, even after a failure, and ends with the total, `N passed, N failed`. A part that dies
 * without counting its tests counts as one failure. Failures are listed again at the end, for readers who only see the
 * last lines. The output of parallel parts is shown in one piece each, in order. `--quick` reduces the repetitions of
 * unit tests; `--all` adds the long parts.
 */

const root = join(import.meta.dirname, '..');

const words = process.argv.slice(2);
const quick = words.includes('--quick');
/** Adds the long parts, one at a time. They can also be run by name. */
const includesLong = words.includes('--all');
const chosen = words.filter((word) => word !== '--quick' && word !== '--all');
const parts = [...sourceParts, build, ...builtParts, ...waitingParts, ...longParts];
const unknown = chosen.find((name) => !parts.some((part) => part.name === name));
if (unknown !== undefined) {
  const known = `Parts: ${parts.map((part) => part.name).join(', ')}. Switches: --quick, --all.`;
  console.error(`Unknown ${unknown.startsWith('-') ? 'switch' : 'part'} "${unknown}". ${known}`);
  process.exit(2);
}
/** Holds the parts' counts. */
const folder = mkdtempSync(join(tmpdir(), 'postern-test-'));
/** Lines: each failed part, followed by the titles of its failed tests. */
const failures: string[] = [];

/** Result format of parts that no test runner runs. */
interface PlainCounts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped?: number;
  readonly titles?: readonly string[];
}

function readCounts(part: Part, file: string, exitCode: number): TestOutcome {
  const clean = exitCode === 0;
  if (part.counts === undefined) return { passed: clean ? 1 : 0, failed: clean ? 0 : 1, titles: [] };
  if (!existsSync(file)) return { passed: 0, failed: 1, titles: [] };
  const report = readFileSync(file, 'utf8');
  let outcome: TestOutcome;
  if (part.counts === 'plain') {
    const { passed, failed, skipped = 0, titles = [] } = JSON.parse(report) as PlainCounts;
    outcome = { passed, failed, titles };
    // A skipped part prints the reason itself.
    if (clean && skipped > 0) return { passed: 0, failed: 0, titles: [] };
  } else outcome = readTestReport(part.counts, report);
  return withSilentFailure(outcome, clean);
}

/** Resolves when the part has ended; `show` receives its output as it arrives. */
async function runPart(part: Part, show: (text: string) => void): Promise<TestOutcome> {
  show(`\n━━ ${part.name}\n`);
  const started = performance.now();
  const counts = join(folder, `${part.name}.json`);
  const node = [process.execPath, ...part.arguments(counts)];
  const wrapped =
    part.keychain && process.platform === 'linux' ? ['bash', 'test/support/with-keychain.sh', ...node] : node;
  const [command, ...rest] = wrapped as [string, ...string[]];
  const child = spawn(command, rest, {
    cwd: root,
    env: {
      ...process.env,
      ...(process.stdout.isTTY && { FORCE_COLOR: '1' }),
      ...(quick && { POSTERN_QUICK: '1' }),
      ...part.environment?.(counts),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', show);
  const exitCode = await new Promise<number>((resolve) => {
    child.once('error', () => resolve(1));
    child.once('close', (code) => resolve(code ?? 1));
  });
  const outcome = readCounts(part, counts, exitCode);
  const seconds = ((performance.now() - started) / 1_000).toFixed(1);
  failures.push(...(outcome.failed > 0 ? [part.name] : []), ...outcome.titles.map((title) => `  ${title}`));
  show(`── ${part.name}: ${outcome.passed} passed, ${outcome.failed} failed (${seconds} s)\n`);
  return outcome;
}

/** Runs the rows in order, two at a time, and the parts within a row one after the other. */
async function runRows(rows: readonly (readonly Part[])[]): Promise<readonly TestOutcome[]> {
  const wanted = rows.flat();
  const show = showInOrder(wanted.length);
  const outcomes: TestOutcome[] = [];
  const waiting = [...rows];
  async function runWaiting(): Promise<void> {
    for (let row = waiting.shift(); row !== undefined; row = waiting.shift()) {
      for (const part of row) {
        const index = wanted.indexOf(part);
        outcomes.push(await runPart(part, (text) => show(index, text)));
        show(index, undefined);
      }
    }
  }
  await Promise.all([runWaiting(), runWaiting()]);
  return outcomes;
}

/** Collects the output of `count` parts (`undefined` ends a part) and prints it as if they ran one after the other. */
function showInOrder(count: number): (index: number, text: string | undefined) => void {
  const written = Array.from({ length: count }, () => '');
  const ended = new Set<number>();
  let first = 0;
  return (index, text) => {
    if (text === undefined) ended.add(index);
    else written[index] += text;
    for (; first < count; first += 1) {
      process.stdout.write(written[first] ?? '');
      written[first] = '';
      if (!ended.has(first)) return;
    }
  };
}

const isChosen = (part: Part): boolean =>
  chosen.length === 0 ? includesLong || !longParts.includes(part) : chosen.includes(part.name);
const asRows = (some: readonly Part[]): readonly (readonly Part[])[] => some.map((part) => [part]);
const outcomes: TestOutcome[] = [];
// A single row has the machine to itself.
for (const rows of [asRows(sourceParts), [[build]], [builtParts], asRows(waitingParts), [longParts]])
  outcomes.push(...(await runRows(rows.map((row) => row.filter(isChosen)))));
rmSync(folder, { recursive: true, force: true });
const sum = (key: 'passed' | 'failed'): number => outcomes.reduce((total, outcome) => total + outcome[key], 0);
if (failures.length > 0) console.log(`\nFailed:\n${failures.join('\n')}`);
console.log(`\n${sum('passed')} passed, ${sum('failed')} failed`);
process.exitCode = sum('failed') === 0 ? 0 : 1;
