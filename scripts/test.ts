import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { windowRuntime } from '../test/support/window-runtime.ts';

/**
 * Runs every part of the tests, also after one has failed, and ends with `N passed, N failed` over all of them.
 * A part that dies without counting its tests counts as one failure.
 */

interface Outcome {
  readonly passed: number;
  readonly failed: number;
}

interface Part {
  readonly name: string;
  /** Arguments for Node 24, which runs everything. `counts` is the file that the part writes its numbers to. */
  arguments(counts: string): readonly string[];
  environment?(counts: string): Readonly<Record<string, string>>;
  /** Needs an unlocked keychain: on Linux a private one that is gone afterwards. */
  readonly keychain?: boolean;
  readonly counts?: 'vitest' | 'playwright' | 'plain';
}

const root = join(import.meta.dirname, '..');

/** `verbose`: names each test, and why one that is skipped is. */
const vitest = (project: string, keychain = false, reporter: 'default' | 'verbose' = 'default'): Part => ({
  name: project,
  arguments: (counts) => [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--project',
    project,
    `--reporter=${reporter}`,
    '--reporter=json',
    `--outputFile.json=${counts}`,
  ],
  keychain,
  counts: 'vitest',
});

/** Its report stands in `test-results/`, a folder for each part. */
const playwright = (name: string, project: string, keychain = false): Part => ({
  name,
  arguments: () => [
    'node_modules/@playwright/test/cli.js',
    'test',
    `--project=${project}`,
    `--output=test-results/${name}`,
  ],
  environment: (counts) => ({
    PLAYWRIGHT_JSON_OUTPUT_FILE: counts,
    PLAYWRIGHT_HTML_OUTPUT_DIR: `test-results/${name}-report`,
  }),
  keychain,
  counts: 'playwright',
});

const parts: readonly Part[] = [
  { name: 'types', arguments: () => ['node_modules/typescript/bin/tsc', '-b'] },
  { name: 'lint', arguments: () => ['node_modules/oxlint/bin/oxlint'] },
  { name: 'format', arguments: () => ['node_modules/prettier/bin/prettier.cjs', '--check', '.'] },
  vitest('unit'),
  { name: 'build', arguments: () => ['scripts/build.ts'] },
  vitest('contract', true),
  vitest('hostile', true),
  vitest('keychain', true),
  playwright('renderer', 'renderer'),
  playwright('e2e', `e2e-${windowRuntime}`, true),
  vitest('packaged', true, 'verbose'),
  {
    name: 'conformance',
    arguments: (counts) => ['test/conformance/run.ts', '--counts', counts],
    keychain: true,
    counts: 'plain',
  },
  {
    name: 'soak',
    arguments: (counts) => ['test/soak/run.ts', '--seconds', '60', '--counts', counts],
    counts: 'plain',
  },
  {
    name: 'mutants',
    arguments: (counts) => ['test/mutants/run.ts', '--counts', counts],
    keychain: true,
    counts: 'plain',
  },
];

type Counts = Readonly<Record<string, number>> & { readonly stats?: Readonly<Record<string, number>> };

function numbersOf(writer: NonNullable<Part['counts']>, counts: Counts): Outcome {
  switch (writer) {
    case 'vitest':
      return { passed: counts['numPassedTests'] ?? 0, failed: counts['numFailedTests'] ?? 0 };
    case 'playwright':
      return { passed: counts.stats?.['expected'] ?? 0, failed: counts.stats?.['unexpected'] ?? 0 };
    case 'plain':
      return { passed: counts['passed'] ?? 0, failed: counts['failed'] ?? 0 };
  }
}

function readCounts(part: Part, file: string, exitCode: number): Outcome {
  const clean = exitCode === 0;
  if (part.counts === undefined) return clean ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
  if (!existsSync(file)) return { passed: 0, failed: 1 };
  const numbers = numbersOf(part.counts, JSON.parse(readFileSync(file, 'utf8')) as Counts);
  // A file that cannot be loaded, an error outside a test, no test at all: nothing of that is a failed test.
  const silent = numbers.failed === 0 && (!clean || numbers.passed === 0);
  return silent ? { ...numbers, failed: 1 } : numbers;
}

function runPart(part: Part, folder: string): Outcome {
  console.log(`\n━━ ${part.name}`);
  const started = performance.now();
  const counts = join(folder, `${part.name}.json`);
  const node = [process.execPath, ...part.arguments(counts)];
  const wrapped =
    part.keychain && process.platform === 'linux' ? ['bash', 'test/support/with-keychain.sh', ...node] : node;
  const [command, ...rest] = wrapped as [string, ...string[]];
  const { status } = spawnSync(command, rest, {
    cwd: root,
    env: { ...process.env, ...part.environment?.(counts) },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const outcome = readCounts(part, counts, status ?? 1);
  const seconds = ((performance.now() - started) / 1_000).toFixed(1);
  console.log(`── ${part.name}: ${outcome.passed} passed, ${outcome.failed} failed (${seconds} s)`);
  return outcome;
}

const chosen = process.argv.slice(2);
const unknown = chosen.find((name) => !parts.some((part) => part.name === name));
if (unknown !== undefined) {
  console.error(`There is no part "${unknown}". Parts: ${parts.map((part) => part.name).join(', ')}`);
  process.exit(2);
}

const folder = mkdtempSync(join(tmpdir(), 'postern-test-'));
const total = { passed: 0, failed: 0 };
try {
  for (const part of parts.filter(({ name }) => chosen.length === 0 || chosen.includes(name))) {
    const outcome = runPart(part, folder);
    total.passed += outcome.passed;
    total.failed += outcome.failed;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 ? 0 : 1;
