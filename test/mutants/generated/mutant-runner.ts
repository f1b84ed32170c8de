import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { TestRunner } from 'vitest';
import type { RunnerTestCase, RunnerTestSuite, TestTryOptions } from 'vitest';
import { boundsVariable, livingVariable, logVariable, readRunnerEvents } from './runner-event.ts';
import type { RunnerEvent, TryBounds } from './runner-event.ts';
import { activeVariable, mutantSwitch, reachedVariable } from './switch.ts';

const log = process.env[logVariable] ?? '';
/** IDs of the mutants that no test has noticed. */
const living = readLiving();
const bounds = JSON.parse(process.env[boundsVariable] ?? '{}') as TryBounds;
const chosenTitles =
  bounds.titlesFile === undefined
    ? undefined
    : new Set(JSON.parse(readFileSync(bounds.titlesFile, 'utf8')) as string[]);
const tries = new Map<number, number>();
const reachedFile = process.env[reachedVariable];
// Tests may install a fake clock.
const { setTimeout, clearTimeout, performance } = globalThis;
/** `ms` plus `factor` times the duration of the test without a mutant. */
const timeout = { ms: 4000, factor: 20 };

/** `healthy`: no mutant, records what is reached. `check`: no mutant, detects state that the last one left behind. */
type Attempt = 'healthy' | 'check' | { readonly mutant: number };

/**
 * Runs each test once without a mutant, records which mutants it reaches, and repeats it with each one that survives,
 * in the same process and with all hooks. A mutant is noticed if the test fails. If the test then also fails without
 * one, the process is spoiled and a fresh one does the rest.
 */
export default class MutantRunner extends TestRunner {
  #attempt: Attempt = 'healthy';
  #waiting: number[] = [];
  #hasNext = true;
  #healthyTime = 0;
  /** Reached while test files load, and in `beforeAll`. */
  readonly #reachedOutside = new Set<number>();
  #reached = this.#reachedOutside;

  constructor(config: ConstructorParameters<typeof TestRunner>[0]) {
    super(config);
    mutantSwitch.onReached = (id) => this.#reached.add(id);
  }

  override async onBeforeRunTask(test: RunnerTestCase): Promise<void> {
    await super.onBeforeRunTask(test);
    this.#attempt = 'healthy';
    this.#hasNext = true;
    // The count is known only after the first run; vitest reads it before each.
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
    const limit = timeout.ms + timeout.factor * this.#healthyTime;
    let timer: NodeJS.Timeout | undefined;
    const timedOut = new Promise<never>(() => {
      // Never settles: the hanging test still runs here, so another process must do the rest.
      timer = setTimeout(() => {
        note({ kind: 'hung', mutant, test: titleOf(test) });
      }, limit);
    });
    try {
      await Promise.race([run(), timedOut]);
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
    if (chosenTitles !== undefined && !chosenTitles.has(titleOf(test))) return [];
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

/** The reader of the log kills this process. */
async function leaveToFreshProcess(): Promise<never> {
  note({ kind: 'spoiled' });
  return await new Promise<never>(() => {});
}

function readLiving(): Set<number> {
  const ids = new Set(JSON.parse(process.env[livingVariable] ?? '[]') as number[]);
  for (const event of readRunnerEvents(log)) if ('mutant' in event && event.kind !== 'try') ids.delete(event.mutant);
  return ids;
}

function note(event: RunnerEvent): void {
  appendFileSync(log, `${JSON.stringify(event)}\n`);
}

function titleOf(test: RunnerTestCase): string {
  const names = [test.name];
  for (let suite = test.suite; suite; suite = suite.suite) names.unshift(suite.name);
  return `${test.file.name}: ${names.join(' > ')}`;
}
