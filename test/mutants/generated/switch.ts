import { appendFileSync } from 'node:fs';

/**
 * Which generated mutant is active in this process. Every mutant of the sample is compiled into the sources at once
 * (see `instrument.ts`), so that no mutant costs a build: the sources ask here at each place.
 */
interface Switch {
  /** Its id, or -1. */
  active: number;
  /** Told of every place that is reached, while somebody wants to know. */
  reached?: ((id: number) => void) | undefined;
}

/** For processes that a test starts: the active mutant, and the file that collects what they reach. */
export const activeVariable = 'POSTERN_ACTIVE_MUTANT';
export const reachedVariable = 'POSTERN_REACHED_MUTANTS';

const key = Symbol.for('postern.mutants');
const shared = globalThis as { [key]?: Switch };

/** One a process, though vitest loads modules again for each test file. */
export const mutantSwitch: Switch = (shared[key] ??= fromEnvironment());

/** True in a mutant's place while it is active. */
export function isActive(id: number): boolean {
  mutantSwitch.reached?.(id);
  return mutantSwitch.active === id;
}

/** A comparison whose boundary moves while the mutant is active. */
export function compare(id: number, operator: string, one: never, other: never): boolean {
  const isSwapped = isActive(id);
  switch (operator) {
    case '<':
      return isSwapped ? one <= other : one < other;
    case '<=':
      return isSwapped ? one < other : one <= other;
    case '>':
      return isSwapped ? one >= other : one > other;
    default:
      return isSwapped ? one > other : one >= other;
  }
}

function fromEnvironment(): Switch {
  const active = Number(process.env[activeVariable] ?? -1);
  const file = process.env[reachedVariable];
  if (file === undefined) return { active };
  const known = new Set<number>();
  // At once, since tests kill what they start.
  const reached = (id: number): void => {
    if (!known.has(id)) appendFileSync(file, `${id}\n`);
    known.add(id);
  };
  return { active, reached };
}
