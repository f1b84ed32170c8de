import type { Catcher, Mutant } from './mutant.ts';

/** A file below `test/` and part of a test title. */
export type CatcherTuple = readonly [project: 'unit' | 'contract' | 'hostile' | 'e2e', file: string, title: string];

/** A mutant with one check removed, and the tests that must fail without it. See `Edit` for the tuple. */
export function removedCheck(
  name: string,
  [where, find, replace]: readonly [where: string, find: string, replace: string],
  ...catchers: readonly CatcherTuple[]
): Mutant {
  return {
    name,
    edits: [{ in: where, find, replace }],
    caughtBy: catchers.map(([project, test, title]): Catcher => ({
      kind: 'vitest',
      project,
      file: `test/${test}`,
      title,
    })),
  };
}
