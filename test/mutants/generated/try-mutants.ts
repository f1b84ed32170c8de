import { spawn } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { buildCommandLine } from '../../../scripts/build.ts';
import { boundsVariable, livingVariable, logVariable, readRunnerEvents } from './runner-event.ts';
import type { TryBounds } from './runner-event.ts';
import { instrumentPlugin } from './instrument.ts';
import type { GeneratedMutant } from './operator.ts';
import { sampleVariable } from './sample.ts';
import { reachedVariable } from './switch.ts';

export interface Outcome {
  readonly mutant: GeneratedMutant;
  /** Title of a test. */
  noticedBy: string | undefined;
  /** Number of tests. */
  reachedBy: number;
}

export type Project = 'unit' | 'contract' | 'hostile';

interface Round {
  readonly outcomes: readonly Outcome[];
  readonly environment: Readonly<Record<string, string>>;
  readonly folder: string;
  readonly print: (text: string) => void;
}

/** Tests that are too slow for the first rounds, and their files. */
interface Slow {
  readonly files: Set<string>;
  readonly tests: Set<string>;
}

const root = join(import.meta.dirname, '../../..');
/**
 * Milliseconds without an event after which a process counts as hung. A try has its own timeout, which an endless loop
 * blocks.
 */
const silenceLimits = { inQuickTry: 20_000, inTry: 60_000, elsewhere: 300_000 };

/** Longest quick test, in milliseconds. */
const quickDurations: Readonly<Record<Project, number>> = { unit: 250, contract: 1500, hostile: 1500 };
/** Maximum number of tests that try a mutant in one process: tests that start programs resemble each other. */
const tries: Readonly<Record<Project, number>> = { unit: 1_000_000, contract: 15, hostile: 5 };
const slowTries = 5;

/** Only these import mutated modules; others read sources or render pages. */
const testFiles: Readonly<Record<Project, string>> = {
  unit: 'test/unit/{main,shared}/**/*.test.ts',
  contract: 'test/contract/**/*.test.ts',
  hostile: 'test/hostile/**/*.test.ts',
};

/** All files of the projects, or single files. */
export type Tests = readonly Project[] | { readonly files: readonly string[] };

function filesOf(tests: Tests): Map<Project, readonly string[]> {
  const named = 'files' in tests ? tests.files : undefined;
  const projects = 'files' in tests ? (['unit', 'contract', 'hostile'] as const) : tests;
  const chosen = new Map<Project, readonly string[]>();
  for (const project of projects) {
    const every = globSync(testFiles[project], { cwd: root }).sort();
    const files = every.filter((file) => named?.includes(file) ?? true);
    if (files.length > 0) chosen.set(project, files);
  }
  const unknown = named?.find((file) => ![...chosen.values()].flat().includes(file));
  if (unknown !== undefined) throw new Error(`${unknown} cannot try generated mutants`);
  return chosen;
}

/**
 * Tries the mutants with the tests that reach them: unit tests first, then those that may start the program, which is
 * built once with all mutants.
 */
export async function tryMutants(
  mutants: readonly GeneratedMutant[],
  tests: Tests,
  print: (text: string) => void,
): Promise<readonly Outcome[]> {
  const projects = filesOf(tests);
  const folder = mkdtempSync(join(tmpdir(), 'postern-mutants-'));
  // Inside the project, since the bundle looks for keytar in node_modules above it.
  const app = join(root, 'dist/mutants/generated');
  const sample = join(folder, 'sample.json');
  writeFileSync(sample, JSON.stringify(mutants.map(({ name }) => name)));
  const outcomes = mutants.map((mutant): Outcome => ({ mutant, noticedBy: undefined, reachedBy: 0 }));
  const environment = { [sampleVariable]: sample, [reachedVariable]: join(folder, 'reached') };
  const clean = (): void => {
    for (const each of [folder, app]) rmSync(each, { recursive: true, force: true });
  };
  process.once('exit', clean);
  try {
    for (const [project, files] of projects) {
      if (project !== 'unit') {
        mkdirSync(app, { recursive: true });
        await buildCommandLine(app, [instrumentPlugin(mutants)]);
        Object.assign(environment, { POSTERN_TEST_ENTRY: join(app, 'index.js') });
      }
      await tryWith(project, files, { outcomes, environment, folder, print });
    }
    return outcomes;
  } finally {
    clean();
    process.off('exit', clean);
  }
}

/**
 * Quick tests come first, since few mutants survive them, starting with the unit tests of the mutated files. Property
 * tests are slow by design, and tests that start a program cost most.
 */
async function tryWith(project: Project, files: readonly string[], round: Round): Promise<void> {
  const mirrors = new Set(round.outcomes.map(({ mutant }) => `test/unit/${mutant.file.replace(/ts$/u, 'test.ts')}`));
  const groups = Object.groupBy(files, (file) => {
    if (mirrors.has(file)) return 'mirrors';
    const text = readFileSync(join(root, file), 'utf8');
    if (text.includes('postern-process.ts')) return 'programs';
    return text.includes('fast-check') ? 'properties' : 'examples';
  });
  const slow: Slow = { files: new Set(), tests: new Set() };
  const quickly = { duration: quickDurations[project], tries: tries[project] };
  for (const some of [groups.mirrors, groups.examples, groups.properties, groups.programs])
    await tryFiles(project, new Set(some ?? []), quickly, slow, round);
  const titlesFile = join(round.folder, 'slow.json');
  writeFileSync(titlesFile, JSON.stringify([...slow.tests]));
  const slowly = { duration: 1_000_000, tries: slowTries, titlesFile };
  await tryFiles(project, slow.files, slowly, { files: new Set(), tests: new Set() }, round);
}

async function tryFiles(
  project: Project,
  files: Set<string>,
  bounds: TryBounds,
  slow: Slow,
  round: Round,
): Promise<void> {
  const suspects = new Set<number>();
  while (files.size > 0 && round.outcomes.some(({ noticedBy }) => noticedBy === undefined)) {
    const before = files.size;
    const hadSuspects = suspects.size;
    const noticed = round.outcomes.filter(({ noticedBy }) => noticedBy !== undefined).length;
    await runProcess(project, files, suspects, slow, { ...round, bounds });
    const hasProgress = round.outcomes.filter(({ noticedBy }) => noticedBy !== undefined).length > noticed;
    if (files.size < before || hasProgress || suspects.size > hadSuspects) continue;
    const [next] = files;
    if (next === undefined) return;
    round.print(`NOT RUN  ${next}`);
    files.delete(next);
  }
}

/** Runs vitest until it ends, hangs or is spoiled. Removes finished files from `files`. */
async function runProcess(
  project: Project,
  files: Set<string>,
  suspects: Set<number>,
  slow: Slow,
  { outcomes, environment, folder, print, bounds }: Round & { readonly bounds: TryBounds },
): Promise<void> {
  const log = join(folder, 'log');
  rmSync(log, { force: true });
  const living = outcomes.flatMap(({ noticedBy }, id) => (noticedBy === undefined ? [id] : []));
  const child = spawn(
    process.execPath,
    [
      ...['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/mutants/generated/vitest.config.ts'],
      ...['--project', project, '--maxWorkers=1', '--no-file-parallelism', '--reporter=dot', ...files],
    ],
    {
      cwd: root,
      detached: true,
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        ...process.env,
        ...environment,
        [logVariable]: log,
        [livingVariable]: JSON.stringify(living),
        [boundsVariable]: JSON.stringify(bounds),
      },
    },
  );
  // A detached process group, which does not receive the signals of this process.
  const interrupt = (): never => process.exit(1);
  const end = (): void => {
    try {
      process.kill(-(child.pid ?? 0), 'SIGKILL');
    } catch {
      // Already exited.
    }
  };
  const inTry = bounds.duration <= quickDurations.unit ? silenceLimits.inQuickTry : silenceLimits.inTry;
  let isOver = false;
  const over = new Promise<void>((resolve) => child.once('exit', () => resolve((isOver = true) as never)));
  process.once('exit', end);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, interrupt);
  let [read, tried, isTrying, lastEventAt] = [0, -1, false, Date.now()];
  const notice = (id: number, test: string): void => {
    const outcome = outcomes[id];
    if (outcome === undefined || outcome.noticedBy !== undefined) return;
    outcome.noticedBy = test;
    print(`noticed  ${outcome.mutant.name}: ${test}`);
  };
  try {
    for (let isLast = false; !isLast;) {
      isLast = isOver;
      const events = readRunnerEvents(log).slice(read);
      read += events.length;
      if (events.length > 0) lastEventAt = Date.now();
      for (const event of events) {
        isTrying = event.kind === 'try';
        switch (event.kind) {
          case 'reached':
            for (const id of event.ids) (outcomes[id] as Outcome).reachedBy += 1;
            break;
          case 'try':
            tried = event.mutant;
            break;
          case 'noticed':
            tried = event.mutant;
            notice(tried, event.test);
            break;
          case 'hung':
            notice(event.mutant, `${event.test} (timeout)`);
            return;
          case 'spoiled': {
            const outcome = outcomes[tried];
            // An earlier mutant may have spoiled the process. A fresh one will show.
            if (outcome && !suspects.has(tried)) {
              outcome.noticedBy = undefined;
              print(`retry  ${outcome.mutant.name}: the test then failed without it, too`);
            }
            suspects.add(tried);
            return;
          }
          case 'slow':
            slow.files.add(event.file);
            slow.tests.add(event.test);
            break;
          case 'broken':
            print(`FAILS WITHOUT MUTANT  ${event.test}: ${event.error}`);
            break;
          case 'file':
            files.delete(event.file);
            for (const id of event.outside) (outcomes[id] as Outcome).reachedBy += 1;
            break;
        }
      }
      if (Date.now() - lastEventAt > (isTrying ? inTry : silenceLimits.elsewhere)) {
        if (isTrying) notice(tried, 'a test that hangs');
        return;
      }
      if (!isLast) await Promise.race([over, pause(200)]);
    }
    // Files without a test in this project.
    if (child.exitCode === 0) files.clear();
  } finally {
    end();
    process.off('exit', end);
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, interrupt);
    await over;
  }
}
