import { existsSync, readFileSync } from 'node:fs';

/** The file that the runner writes what happens to, a line each: its process may hang, and be killed. */
export const logVariable = 'POSTERN_MUTANT_LOG';
/** The ids of the mutants that are tried. */
export const livingVariable = 'POSTERN_LIVING_MUTANTS';
/** What a test may cost to be tried with mutants: see `TryBounds`. */
export const boundsVariable = 'POSTERN_MUTANT_BOUNDS';

export interface TryBounds {
  /**
   * Milliseconds that the healthy test takes. What is slower is left to a later round, in which few mutants still live.
   */
  readonly duration: number;
  /** A file with the titles of the tests that were left to this round. */
  readonly left?: string;
  /** Tests, for each mutant. */
  readonly tries: number;
}

/** What the runner in vitest's process notes, for the process that started it. */
export type Happening =
  /** A test reaches these. */
  | { readonly kind: 'reached'; readonly ids: readonly number[] }
  | { readonly kind: 'try'; readonly mutant: number }
  | { readonly kind: 'noticed'; readonly mutant: number; readonly test: string }
  /** Noticed, since the test did not end; what it started goes on. */
  | { readonly kind: 'hung'; readonly mutant: number; readonly test: string }
  /** The test that noticed the last one fails without it too. */
  | { readonly kind: 'spoiled' }
  /** It takes longer than the bounds of this round, and reaches mutants that live. */
  | { readonly kind: 'slow'; readonly file: string; readonly test: string }
  /** It fails as it is. */
  | { readonly kind: 'broken'; readonly test: string; readonly error: string }
  /** A test file is done. Some mutants were reached by no test but while it was loaded. */
  | { readonly kind: 'file'; readonly file: string; readonly outside: readonly number[] };

export function readHappenings(log: string): Happening[] {
  if (!existsSync(log)) return [];
  const lines = readFileSync(log, 'utf8').split('\n');
  // The last may not be written to its end.
  return lines.slice(0, -1).map((line) => JSON.parse(line) as Happening);
}
