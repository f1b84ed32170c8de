import type { Catcher, Mutant } from './mutant.ts';

/** `unit`, `contract`, `hostile` or `e2e`, a file below `test/` and part of a title. */
export type Caught = readonly [project: 'unit' | 'contract' | 'hostile' | 'e2e', file: string, title: string];

/** One check of the program taken out, and the test that has to miss it. The edit is one of `Edit`. */
export function removedCheck(
  name: string,
  [where, find, replace]: readonly [where: string, find: string, replace: string],
  ...caught: readonly Caught[]
): Mutant {
  return {
    name,
    edits: [{ in: where, find, replace }],
    caughtBy: caught.map(([project, test, title]): Catcher => ({
      kind: 'vitest',
      project,
      file: `test/${test}`,
      title,
    })),
  };
}
