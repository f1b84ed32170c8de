import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { firstOnElectron, windowRuntime } from '../test/support/window-runtime.ts';

/** One part of the tests. */
export interface Part {
  readonly name: string;
  /** Arguments for Node 24, which runs everything. `counts` is the file that the part writes its numbers to. */
  arguments(counts: string): readonly string[];
  environment?(counts: string): Readonly<Record<string, string>>;
  /** Needs an unlocked keychain: on Linux a private one that is gone afterwards. */
  readonly keychain?: boolean;
  readonly counts?: 'vitest' | 'playwright' | 'plain';
}

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

/** Its report stands in `test-results/`, a folder for each part. `files`: all where none are given. */
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

/** Each uses one processor for a good part of its time, and none starts a window. */
export const ofSources: readonly Part[] = [
  { name: 'types', arguments: () => ['node_modules/typescript/bin/tsc', '-b'] },
  { name: 'lint', arguments: () => ['node_modules/oxlint/bin/oxlint'] },
  {
    name: 'format',
    // Looks only at what has changed since it was found to be right. Where prettier runs without `--cache`, it deletes
    // the cache in the usual place.
    arguments: () => [
      'node_modules/prettier/bin/prettier.cjs',
      ...['--cache', '--cache-strategy', 'content', '--cache-location', 'node_modules/.cache/prettier-check'],
      ...['--check', '.'],
    ],
  },
  vitest('unit'),
];

export const build: Part = { name: 'build', arguments: () => ['scripts/build.ts'] };

/** One after the other, so that each has the machine. */
export const ofProgram: readonly Part[] = [
  vitest('contract', true),
  playwright('renderer', 'renderer'),
  vitest('hostile', true),
  // Its suite gives a call half a second.
  {
    name: 'conformance-server',
    arguments: (counts) => ['test/conformance-server/run.ts', '--counts', counts],
    keychain: true,
    counts: 'plain',
  },
];

/** None keeps two processors busy by itself: two run side by side, the long ones first. */
export const waitingParts: readonly Part[] = [
  // Each test of the window once: those of `real-electron` run there, also where that has only the stand-in.
  playwright(
    'e2e',
    `e2e-${windowRuntime}`,
    true,
    windowTests.filter((file) => !firstOnElectron.includes(file)),
  ),
  {
    name: 'mutants',
    arguments: (counts) => ['test/mutants/run.ts', '--counts', counts],
    keychain: true,
    counts: 'plain',
  },
  {
    name: 'real-electron',
    arguments: (counts) => ['test/real-electron/run.ts', '--else-stand-in', '--counts', counts],
    counts: 'plain',
  },
  {
    name: 'conformance',
    arguments: (counts) => ['test/conformance/run.ts', '--counts', counts],
    keychain: true,
    counts: 'plain',
  },
  vitest('keychain', true),
];

/** What `npm run test:all` adds, for a night or a release: it takes hours, and some of it the network or root. */
export const longParts: readonly Part[] = [
  {
    name: 'soak',
    arguments: (counts) => ['test/soak/run.ts', '--counts', counts],
    counts: 'plain',
  },
  vitest('packaged', true, 'verbose'),
  { name: 'empty-root', arguments: () => ['test/empty-root/run.ts'] },
  { name: 'programs', arguments: () => ['test/real-programs/run.ts'], keychain: true },
  {
    name: 'every-mutant',
    arguments: (counts) => ['test/mutants/run.ts', '--all', '--counts', counts],
    keychain: true,
    counts: 'plain',
  },
];
