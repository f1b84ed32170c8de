import { spawn } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { buildCommandLine } from '../../../scripts/build.ts';
import { boundsVariable, livingVariable, logVariable, readHappenings } from './happening.ts';
import type { TryBounds } from './happening.ts';
import { instrumentPlugin } from './instrument.ts';
import type { GeneratedMutant } from './operator.ts';
import { sampleVariable } from './sample.ts';
import { reachedVariable } from './switch.ts';

/** What became of a mutant: the test that noticed it, or how many tests reached it in vain. */
export interface Outcome {
  readonly mutant: GeneratedMutant;
  noticedBy: string | undefined;
  reachedBy: number;
}

export type Project = 'unit' | 'contract' | 'hostile';

interface Round {
  readonly outcomes: readonly Outcome[];
  /** What the processes find in their environment. */
  readonly environment: Readonly<Record<string, string>>;
  readonly folder: string;
  readonly tell: (text: string) => void;
}

/** Tests that take too long for the first rounds, and their files. */
interface Slow {
  readonly files: Set<string>;
  readonly tests: Set<string>;
}

const root = join(import.meta.dirname, '../../..');
/**
 * Milliseconds without a word after which a process hangs: in a try, which counts its own time but in a loop without
 * end, or elsewhere.
 */
const silence = { inQuickTry: 20_000, inTry: 60_000, elsewhere: 300_000 };

/** Milliseconds. */
const quick: Readonly<Record<Project, number>> = { unit: 250, contract: 1500, hostile: 1500 };
/** So many tests of one process try each mutant: of those that start programs, and of slow ones, many do the same. */
const tries: Readonly<Record<Project, number>> = { unit: 1_000_000, contract: 15, hostile: 5 };
const slowTries = 5;

/** Only these import what is mutated; the others read sources, or draw pages. */
const testFiles: Readonly<Record<Project, string>> = {
  unit: 'test/unit/{main,shared}/**/*.test.ts',
  contract: 'test/contract/**/*.test.ts',
  hostile: 'test/hostile/**/*.test.ts',
};

/** Every file of some projects, or the files that are named. */
export type Tests = readonly Project[] | { readonly files: readonly string[] };

function filesOf(tests: Tests): Map<Project, readonly string[]> {
  const wanted = 'files' in tests ? tests.files : undefined;
  const projects = 'files' in tests ? (['unit', 'contract', 'hostile'] as const) : tests;
  const chosen = new Map<Project, readonly string[]>();
  for (const project of projects) {
    const every = globSync(testFiles[project], { cwd: root }).sort();
    const files = every.filter((file) => wanted?.includes(file) ?? true);
    if (files.length > 0) chosen.set(project, files);
  }
  const lost = wanted?.find((file) => ![...chosen.values()].flat().includes(file));
  if (lost !== undefined) throw new Error(`${lost} tries no generated mutants`);
  return chosen;
}

/**
 * Tries the mutants with the tests that reach them, first those of modules, then those that start the program, which is
 * built once with all mutants in it.
 */
export async function tryMutants(
  mutants: readonly GeneratedMutant[],
  tests: Tests,
  tell: (text: string) => void,
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
      await tryWith(project, files, { outcomes, environment, folder, tell });
    }
    return outcomes;
  } finally {
    clean();
    process.off('exit', clean);
  }
}

/**
 * First with the quick tests, since few mutants survive them, and of those first the files named after what is mutated;
 * then with the others. Properties are slow by design, and a program that is started for each try costs most.
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
  const quickly = { duration: quick[project], tries: tries[project] };
  for (const some of [groups.mirrors, groups.examples, groups.properties, groups.programs])
    await tryFiles(project, new Set(some ?? []), quickly, slow, round);
  const left = join(round.folder, 'slow.json');
  writeFileSync(left, JSON.stringify([...slow.tests]));
  const slowly = { duration: 1_000_000, tries: slowTries, left };
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
    const isFurther = round.outcomes.filter(({ noticedBy }) => noticedBy !== undefined).length > noticed;
    if (files.size < before || isFurther || suspects.size > hadSuspects) continue;
    const [next] = files;
    if (next === undefined) return;
    round.tell(`NOT RUN  ${next}`);
    files.delete(next);
  }
}

/** One process of vitest, up to its end or to what spoils it. Takes the files that are done out of `files`. */
async function runProcess(
  project: Project,
  files: Set<string>,
  suspects: Set<number>,
  slow: Slow,
  { outcomes, environment, folder, tell, bounds }: Round & { readonly bounds: TryBounds },
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
  // It is a group of its own, which no signal to this process reaches.
  const interrupt = (): never => process.exit(1);
  const end = (): void => {
    try {
      process.kill(-(child.pid ?? 0), 'SIGKILL');
    } catch {
      // It is gone.
    }
  };
  const inTry = bounds.duration <= quick.unit ? silence.inQuickTry : silence.inTry;
  let isOver = false;
  const over = new Promise<void>((resolve) => child.once('exit', () => resolve((isOver = true) as never)));
  process.once('exit', end);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, interrupt);
  let [read, tried, isTrying, lastWord] = [0, -1, false, Date.now()];
  const notice = (id: number, test: string): void => {
    const outcome = outcomes[id];
    if (outcome === undefined || outcome.noticedBy !== undefined) return;
    outcome.noticedBy = test;
    tell(`noticed  ${outcome.mutant.name}: ${test}`);
  };
  try {
    for (let isLast = false; !isLast;) {
      isLast = isOver;
      const happenings = readHappenings(log).slice(read);
      read += happenings.length;
      if (happenings.length > 0) lastWord = Date.now();
      for (const happening of happenings) {
        isTrying = happening.kind === 'try';
        switch (happening.kind) {
          case 'reached':
            for (const id of happening.ids) (outcomes[id] as Outcome).reachedBy += 1;
            break;
          case 'try':
            tried = happening.mutant;
            break;
          case 'noticed':
            tried = happening.mutant;
            notice(tried, happening.test);
            break;
          case 'hung':
            notice(happening.mutant, `${happening.test} (without end)`);
            return;
          case 'spoiled': {
            const outcome = outcomes[tried];
            // The mutant before it may have done it. A fresh process tells.
            if (outcome && !suspects.has(tried)) {
              outcome.noticedBy = undefined;
              tell(`once more  ${outcome.mutant.name}: that test then failed without it too`);
            }
            suspects.add(tried);
            return;
          }
          case 'slow':
            slow.files.add(happening.file);
            slow.tests.add(happening.test);
            break;
          case 'broken':
            tell(`FAILS AS IT IS  ${happening.test}: ${happening.error}`);
            break;
          case 'file':
            files.delete(happening.file);
            for (const id of happening.outside) (outcomes[id] as Outcome).reachedBy += 1;
            break;
        }
      }
      if (Date.now() - lastWord > (isTrying ? inTry : silence.elsewhere)) {
        if (isTrying) notice(tried, 'a test without end');
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
