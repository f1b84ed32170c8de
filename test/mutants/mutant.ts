import type { Plugin } from 'vite';
import { editedSources } from './edited-sources.ts';
import type { Edit } from './edited-sources.ts';
import type { NativeEdit } from './native-sources.ts';

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

/** One deliberately broken client. The sources are not touched: the edits are made while they are read. */
export interface Mutant {
  readonly name: string;
  readonly edits: readonly Edit[];
  /** Of the native pipe, which is built with them. */
  readonly nativeEdit?: NativeEdit;
  readonly caughtBy: readonly Catcher[];
}

/** Vite plugin, for builds and for vitest alike. Throws when an edit does not fit. */
export function mutantPlugin(mutant: Mutant): Plugin {
  const sources = editedSources(mutant.edits);
  return {
    name: 'postern-mutant',
    enforce: 'pre',
    load: (id) => sources.get(id.split('?')[0] ?? id) ?? null,
  };
}
