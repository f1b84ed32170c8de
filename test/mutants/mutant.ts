import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

/** What has to go red when the program is broken in one way. */
export type Catcher =
  | {
      /** A scenario of the official suite, driven through a command line that was built with the defect. */
      readonly kind: 'conformance';
      readonly scenario: string;
      readonly revision: string;
      /** Id of the suite's check that must be among the failed ones. */
      readonly check: string;
    }
  | {
      readonly kind: 'vitest';
      readonly project: 'unit' | 'contract' | 'hostile' | 'e2e';
      readonly file: string;
      /** Part of the title of a test that must be among the failed ones. */
      readonly title: string;
    };

export interface Edit {
  /** Source module from the project's root. */
  readonly file: string;
  /** Must stand there exactly once, so that a defect never quietly stops being one. */
  readonly find: string;
  readonly replace: string;
}

/** One deliberately broken client. The sources are not touched: the edits are made while they are read. */
export interface Mutant {
  readonly name: string;
  readonly edits: readonly Edit[];
  readonly caughtBy: readonly Catcher[];
}

const root = join(import.meta.dirname, '../..');

/** The source of `file` with the mutant's edits of it, or undefined when it has none there. Throws when one does not fit. */
export function mutateSource(mutant: Mutant, file: string, source: string): string | undefined {
  const edits = mutant.edits.filter((edit) => join(root, edit.file) === file);
  if (edits.length === 0) return undefined;
  return edits.reduce((text, { find, replace }) => {
    const count = text.split(find).length - 1;
    if (count !== 1) throw new Error(`mutant "${mutant.name}": its text stands ${count} times in ${file}, not once`);
    return text.replace(find, () => replace);
  }, source);
}

/** Vite plugin, for builds and for vitest alike. */
export function mutantPlugin(mutant: Mutant): Plugin {
  return {
    name: 'postern-mutant',
    enforce: 'pre',
    load(id) {
      const file = id.split('?')[0] ?? id;
      if (!mutant.edits.some((edit) => join(root, edit.file) === file)) return null;
      return mutateSource(mutant, file, readFileSync(file, 'utf8')) ?? null;
    },
  };
}
