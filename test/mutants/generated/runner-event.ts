import { existsSync, readFileSync } from 'node:fs';

/** Names the JSON Lines file for runner events: a file, since the process may hang and be killed. */
export const logVariable = 'POSTERN_MUTANT_LOG';
/** IDs of mutants that have survived so far. */
export const livingVariable = 'POSTERN_LIVING_MUTANTS';
/** JSON of `TryBounds`. */
export const boundsVariable = 'POSTERN_MUTANT_BOUNDS';

export interface TryBounds {
  /**
   * Milliseconds that a test may take without a mutant. Slower tests run in a later round, when few mutants survive.
   */
  readonly duration: number;
  /** A JSON file with the titles of the tests to run in this round. Missing: all. */
  readonly titlesFile?: string;
  /** Maximum number of tests per mutant. */
  readonly tries: number;
}

/** Reported by the runner in vitest's process to the process that started it. */
export type RunnerEvent =
  /** A test reaches these mutants. */
  | { readonly kind: 'reached'; readonly ids: readonly number[] }
  | { readonly kind: 'try'; readonly mutant: number }
  | { readonly kind: 'noticed'; readonly mutant: number; readonly test: string }
  /** Noticed by a timeout; the test keeps running. */
  | { readonly kind: 'hung'; readonly mutant: number; readonly test: string }
  /** The test that noticed the last mutant now fails without it, too. */
  | { readonly kind: 'spoiled' }
  /** Reaches surviving mutants, but takes longer than this round allows. */
  | { readonly kind: 'slow'; readonly file: string; readonly test: string }
  /** Fails without a mutant. */
  | { readonly kind: 'broken'; readonly test: string; readonly error: string }
  /** A test file is done. `outside`: mutants reached while it loaded, not by a test. */
  | { readonly kind: 'file'; readonly file: string; readonly outside: readonly number[] };

export function readRunnerEvents(log: string): RunnerEvent[] {
  if (!existsSync(log)) return [];
  const lines = readFileSync(log, 'utf8').split('\n');
  // The last line may be incomplete.
  return lines.slice(0, -1).map((line) => JSON.parse(line) as RunnerEvent);
}
