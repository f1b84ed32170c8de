import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import '../test/support/compile-cache.ts';
import '../test/support/memory-folder.ts';
import { readTestReport, withSilentFailure } from './read-test-report.ts';
import type { TestOutcome } from './read-test-report.ts';
import { build, longParts, ofProgram, ofSources, waitingParts } from './test-parts.ts';
import type { Part } from './test-parts.ts';

/**
 * Runs every part of the tests, also after one has failed, and ends with `N passed, N failed` over all of them.
 * A part that dies without counting its tests counts as one failure. What failed is named once more before the end,
 * for whoever is shown only the last lines. Where parts run side by side, what each writes is
 * shown in one piece, in their order. With `--quick` unit tests try less often what they try many times; with `--all` the
 * long parts follow.
 */

const root = join(import.meta.dirname, '..');

const words = process.argv.slice(2);
const quick = words.includes('--quick');
/** Also the long parts, each alone; they run by name as well. */
const all = words.includes('--all');
const chosen = words.filter((word) => word !== '--quick' && word !== '--all');
const parts = [...ofSources, build, ...ofProgram, ...waitingParts, ...longParts];
const unknown = chosen.find((name) => !parts.some((part) => part.name === name));
if (unknown !== undefined) {
  const known = `Parts: ${parts.map((part) => part.name).join(', ')}. Switches: --quick, --all.`;
  console.error(`There is no ${unknown.startsWith('-') ? 'switch' : 'part'} "${unknown}". ${known}`);
  process.exit(2);
}
/** For what the parts count. */
const folder = mkdtempSync(join(tmpdir(), 'postern-test-'));
/** Lines: each part that failed, and under it the titles of its tests. */
const failures: string[] = [];

/** What a part of ours writes that no other runner runs. */
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
    // What cannot be had here says so itself.
    if (clean && skipped > 0) return { passed: 0, failed: 0, titles: [] };
  } else outcome = readTestReport(part.counts, report);
  return withSilentFailure(outcome, clean);
}

/** Resolves when it has ended; `show` gets what it writes, as it comes. */
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

/** Starts the rows in their order, two of them at once, and the parts of each one after the other. */
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

/** Takes what each of `count` writes, `undefined` at its end, and shows it as if they ran one after the other. */
function showInOrder(count: number): (index: number, text: string | undefined) => void {
  const written = Array.from({ length: count }, () => '');
  const over = new Set<number>();
  let first = 0;
  return (index, text) => {
    if (text === undefined) over.add(index);
    else written[index] += text;
    for (; first < count; first += 1) {
      process.stdout.write(written[first] ?? '');
      written[first] = '';
      if (!over.has(first)) return;
    }
  };
}

const isChosen = (part: Part): boolean =>
  chosen.length === 0 ? all || !longParts.includes(part) : chosen.includes(part.name);
const rowsOf = (some: readonly Part[]): readonly (readonly Part[])[] => some.map((part) => [part]);
const outcomes: TestOutcome[] = [];
// One row has the machine.
for (const rows of [rowsOf(ofSources), [[build]], [ofProgram], rowsOf(waitingParts), [longParts]])
  outcomes.push(...(await runRows(rows.map((row) => row.filter(isChosen)))));
rmSync(folder, { recursive: true, force: true });
const sum = (key: 'passed' | 'failed'): number => outcomes.reduce((total, outcome) => total + outcome[key], 0);
if (failures.length > 0) console.log(`\nFailed:\n${failures.join('\n')}`);
console.log(`\n${sum('passed')} passed, ${sum('failed')} failed`);
process.exitCode = sum('failed') === 0 ? 0 : 1;
