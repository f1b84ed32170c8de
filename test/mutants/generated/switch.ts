import { appendFileSync } from 'node:fs';

/**
 * Selects the active mutant of this process. All mutants of a sample are compiled into the sources (see
 * `instrument.ts`) and check this switch, so that no mutant needs its own build.
 */
interface Switch {
  /** The mutant's ID, or -1. */
  active: number;
  /** Called when the code of a mutant runs. */
  onReached?: ((id: number) => void) | undefined;
}

/** For processes that a test starts: the active mutant, and a file for the IDs of reached mutants. */
export const activeVariable = 'POSTERN_ACTIVE_MUTANT';
export const reachedVariable = 'POSTERN_REACHED_MUTANTS';

const key = Symbol.for('postern.mutants');
const shared = globalThis as { [key]?: Switch };

/** One per process, although vitest reloads modules for each test file. */
export const mutantSwitch: Switch = (shared[key] ??= fromEnvironment());

export function isActive(id: number): boolean {
  mutantSwitch.onReached?.(id);
  return mutantSwitch.active === id;
}

/** A comparison whose boundary is swapped while the mutant is active. */
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
  // Written immediately, since tests kill their processes.
  const onReached = (id: number): void => {
    if (!known.has(id)) appendFileSync(file, `${id}\n`);
    known.add(id);
  };
  return { active, onReached };
}
