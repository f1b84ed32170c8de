import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { TestRunner } from 'vitest';
import type { RunnerTestCase, RunnerTestSuite, TestTryOptions } from 'vitest';
import { boundsVariable, livingVariable, logVariable, readHappenings } from './happening.ts';
import type { Happening, TryBounds } from './happening.ts';
import { activeVariable, mutantSwitch, reachedVariable } from './switch.ts';

/** Where the runner writes what happens, a line each: the process may hang, and be killed. */
const log = process.env[logVariable] ?? '';
/** Ids of the mutants that no test has noticed. */
const living = readLiving();
const bounds = JSON.parse(process.env[boundsVariable] ?? '{}') as TryBounds;
const left = bounds.left === undefined ? undefined : new Set(JSON.parse(readFileSync(bounds.left, 'utf8')) as string[]);
const tries = new Map<number, number>();
const reachedFile = process.env[reachedVariable];
// The tests' own clock may be a false one.
const { setTimeout, clearTimeout, performance } = globalThis;
/** Of a try that goes wrong: it is compared with the same test's healthy time. */
const patience = { ms: 4000, factor: 20 };

/** `healthy`: the test as it is, which tells what it reaches. `check`: once more, to see what a mutant left behind. */
type Attempt = 'healthy' | 'check' | { readonly mutant: number };

/**
 * Runs each test once as it is, notes which mutants it reaches, and repeats it with each of those that lives, in the
 * same process and with all hooks. A mutant that lets it fail is noticed. A test that then also fails without one was
 * spoiled: the rest is for a fresh process.
 */
export default class MutantRunner extends TestRunner {
  #attempt: Attempt = 'healthy';
  #waiting: number[] = [];
  #hasNext = true;
  #healthyTime = 0;
  /** Of what test files do while they are loaded, and in `beforeAll`. */
  readonly #reachedOutside = new Set<number>();
  #reached = this.#reachedOutside;

  constructor(config: ConstructorParameters<typeof TestRunner>[0]) {
    super(config);
    mutantSwitch.reached = (id) => this.#reached.add(id);
  }

  override async onBeforeRunTask(test: RunnerTestCase): Promise<void> {
    await super.onBeforeRunTask(test);
    this.#attempt = 'healthy';
    this.#hasNext = true;
    // How often is known only after the first time; vitest asks before each.
    test.repeats = { valueOf: () => (this.#hasNext ? Infinity : -1) } as unknown as number;
  }

  override onBeforeTryTask(test: RunnerTestCase, options: TestTryOptions): void {
    super.onBeforeTryTask(test, options);
    this.#hasNext = false;
    if (typeof this.#attempt === 'object') {
      mutantSwitch.active = this.#attempt.mutant;
      note({ kind: 'try', mutant: mutantSwitch.active });
      tries.set(mutantSwitch.active, (tries.get(mutantSwitch.active) ?? 0) + 1);
    } else if (this.#attempt === 'healthy') {
      this.#reached = new Set();
      if (reachedFile !== undefined) writeFileSync(reachedFile, '');
    }
    process.env[activeVariable] = String(mutantSwitch.active);
  }

  async runTask(test: RunnerTestCase): Promise<void> {
    const run = TestRunner.getTestFn(test) as () => Promise<void>;
    const started = performance.now();
    if (typeof this.#attempt !== 'object') {
      await run();
      this.#healthyTime = performance.now() - started;
      return;
    }
    const mutant = this.#attempt.mutant;
    const limit = patience.ms + patience.factor * this.#healthyTime;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>(() => {
      // Nothing follows: what hangs goes on in this process, so another one has to do the rest.
      timer = setTimeout(() => {
        note({ kind: 'hung', mutant, test: titleOf(test) });
      }, limit);
    });
    try {
      await Promise.race([run(), late]);
    } finally {
      clearTimeout(timer);
    }
  }

  override async onAfterRetryTask(test: RunnerTestCase, options: TestTryOptions): Promise<void> {
    await super.onAfterRetryTask(test, options);
    const attempt = this.#attempt;
    const result = test.result;
    mutantSwitch.active = -1;
    process.env[activeVariable] = '-1';
    if (result === undefined) return;
    const hasFailed = result.state === 'fail';
    if (attempt === 'healthy') {
      if (hasFailed) note({ kind: 'broken', test: titleOf(test), error: String(result.errors?.[0]?.message) });
      this.#waiting = hasFailed ? [] : this.#chooseReached(test);
    } else if (attempt === 'check') {
      if (hasFailed) await leaveToFreshProcess();
    } else if (hasFailed) {
      living.delete(attempt.mutant);
      note({ kind: 'noticed', mutant: attempt.mutant, test: titleOf(test) });
    }
    if (attempt !== 'healthy' && result.state === 'fail') {
      result.state = 'pass';
      delete result.errors;
    }
    result.attempts?.splice(0);
    this.#attempt = typeof attempt === 'object' && hasFailed ? 'check' : this.#nextMutant();
    this.#hasNext = this.#attempt !== 'healthy';
  }

  override async onAfterRunSuite(suite: RunnerTestSuite): Promise<void> {
    await super.onAfterRunSuite(suite);
    if (!('filepath' in suite)) return;
    const file = relative(this.config.root, suite.filepath as string);
    const outside = [...this.#reachedOutside].filter((id) => living.has(id));
    this.#reachedOutside.clear();
    note({ kind: 'file', file, outside });
  }

  #nextMutant(): Attempt {
    const mutant = this.#waiting.shift();
    return mutant === undefined ? 'healthy' : { mutant };
  }

  #chooseReached(test: RunnerTestCase): number[] {
    const ids = this.#takeReached();
    if (left !== undefined && !left.has(titleOf(test))) return [];
    if (this.#healthyTime < bounds.duration) return ids.filter((id) => (tries.get(id) ?? 0) < bounds.tries);
    if (ids.length > 0)
      note({ kind: 'slow', file: relative(this.config.root, test.file.filepath), test: titleOf(test) });
    return [];
  }

  #takeReached(): number[] {
    const reached = this.#reached;
    this.#reached = this.#reachedOutside;
    if (reachedFile !== undefined) {
      const lines = readFileSync(reachedFile, 'utf8').split('\n').filter(Boolean);
      for (const line of lines) reached.add(Number(line));
    }
    const ids = [...reached].filter((id) => living.has(id));
    if (ids.length > 0) note({ kind: 'reached', ids });
    return ids;
  }
}

/** Whoever reads the log ends this process. */
async function leaveToFreshProcess(): Promise<never> {
  note({ kind: 'spoiled' });
  return await new Promise<never>(() => {});
}

function readLiving(): Set<number> {
  const ids = new Set(JSON.parse(process.env[livingVariable] ?? '[]') as number[]);
  for (const happening of readHappenings(log))
    if ('mutant' in happening && happening.kind !== 'try') ids.delete(happening.mutant);
  return ids;
}

function note(happening: Happening): void {
  appendFileSync(log, `${JSON.stringify(happening)}\n`);
}

function titleOf(test: RunnerTestCase): string {
  const names = [test.name];
  for (let suite = test.suite; suite; suite = suite.suite) names.unshift(suite.name);
  return `${test.file.name}: ${names.join(' > ')}`;
}
