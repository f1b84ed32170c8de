import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { firstOnElectron, windowRuntime } from '../test/support/window-runtime.ts';

/** One part of the tests. */
export interface Part {
  readonly name: string;
  /** Arguments for Node 24, which runs everything. `counts` is the file that the part writes its results to. */
  arguments(counts: string): readonly string[];
  environment?(counts: string): Readonly<Record<string, string>>;
  /** Needs an unlocked keychain; on Linux it gets a private one that is deleted afterwards. */
  readonly keychain?: boolean;
  readonly counts?: 'vitest' | 'playwright' | 'plain';
}

/** `verbose`: prints each test, and why a test is skipped. */
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

/** Each part has its own report folder in `test-results/`. `files`: all if empty. */
const playwright = (name: string, project: string, keychain = false, files: readonly string[] = []): Part => ({
  name,
  arguments: () => [
    'node_modules/@playwright/test/cli.js',
    'test',
    `--project=${project}`,
    `--output=test-results/${name}`,
    ...files,
  ],
  environment: (counts) => ({
    PLAYWRIGHT_JSON_OUTPUT_FILE: counts,
    PLAYWRIGHT_HTML_OUTPUT_DIR: `test-results/${name}-report`,
  }),
  keychain,
  counts: 'playwright',
});

const windowTests = readdirSync(join(import.meta.dirname, '../test/e2e'))
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => `test/e2e/${name}`);

/** Checks of the sources. Each is busy on one processor, and none starts a window. */
export const sourceParts: readonly Part[] = [
  { name: 'types', arguments: () => ['node_modules/typescript/bin/tsc', '-b'] },
  { name: 'lint', arguments: () => ['node_modules/oxlint/bin/oxlint'] },
  {
    name: 'format',
    // Only checks files changed since the last clean run. The cache has its own location because prettier without
    // `--cache` deletes the default one.
    arguments: () => [
      'node_modules/prettier/bin/prettier.cjs',
      ...['--cache', '--cache-strategy', 'content', '--cache-location', 'node_modules/.cache/prettier-check'],
      ...['--check', '.'],
    ],
  },
  vitest('unit'),
];

export const build: Part = { name: 'build', arguments: () => ['scripts/build.ts'] };

/** Tests of the built Postern, one after the other, so that each has the machine to itself. */
export const builtParts: readonly Part[] = [
  vitest('contract', true),
  playwright('renderer', 'renderer'),
  vitest('hostile', true),
  // This suite allows half a second per call.
  {
    name: 'conformance-server',
    arguments: (counts) => ['test/conformance-server/run.ts', '--counts', counts],
    keychain: true,
    counts: 'plain',
  },
];

/** Parts that mostly wait. None keeps two processors busy, so two run in parallel, longest first. */
export const waitingParts: readonly Part[] = [
  {
    name: 'real-electron',
    arguments: (counts) => ['test/real-electron/run.ts', '--else-stand-in', '--counts', counts],
    counts: 'plain',
  },
  // Each window test runs once: those of `real-electron` run there, even if it only has the stand-in.
  playwright(
    'e2e',
    `e2e-${windowRuntime}`,
    true,
    windowTests.filter((file) => !firstOnElectron.includes(file)),
  ),
  {
    name: 'conformance',
    arguments: (counts) => ['test/conformance/run.ts', '--counts', counts],
    keychain: true,
    counts: 'plain',
  },
  {
    name: 'mutants',
    arguments: (counts) => ['test/mutants/run.ts', '--counts', counts],
    keychain: true,
    counts: 'plain',
  },
  vitest('keychain', true),
];

/** Added by `npm run test:all`, for a nightly run or a release: takes hours; some parts need the network or root. */
export const longParts: readonly Part[] = [
  {
    name: 'soak',
    arguments: (counts) => ['test/soak/run.ts', '--counts', counts],
    counts: 'plain',
  },
  {
    ...vitest('contract', true),
    name: 'long-contract',
    // Those with a long form (`isLong`).
    arguments: (counts) => [
      ...vitest('contract').arguments(counts),
      ...['mcp-memory', 'refresh/command-line', 'gateway/handover', 'gateway/kills'].map(
        (name) => `test/contract/${name}.test.ts`,
      ),
    ],
    environment: () => ({ POSTERN_LONG: '1' }),
  },
  vitest('packaged', true, 'verbose'),
  { name: 'empty-root', arguments: () => ['test/empty-root/run.ts'] },
  { name: 'windows', arguments: () => ['test/windows/run.ts'] },
  { name: 'apps', arguments: () => ['test/real-apps/run.ts'], keychain: true },
  {
    name: 'every-mutant',
    arguments: (counts) => ['test/mutants/run.ts', '--all', '--counts', counts],
    keychain: true,
    counts: 'plain',
  },
];
