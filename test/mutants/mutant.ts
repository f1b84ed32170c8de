import type { Plugin } from 'vite';
import type { Edit } from './edited-sources.ts';
import type { NativeEdit } from './native-sources.ts';

/** A test that must fail with the mutant. */
export type Catcher =
  | {
      /** A scenario of the official conformance suite, run with a command line that contains the defect. */
      readonly kind: 'conformance';
      readonly scenario: string;
      readonly revision: string;
      /** ID of the suite's check that must fail. */
      readonly check: string;
    }
  | {
      readonly kind: 'vitest';
      readonly project: 'unit' | 'contract' | 'hostile' | 'e2e';
      readonly file: string;
      /** Part of the title of a test that must fail. */
      readonly title: string;
    };

/** A deliberately broken client. Edits are applied while sources are loaded, never to the files. */
export interface Mutant {
  readonly name: string;
  readonly edits: readonly Edit[];
  /** Applied before the native pipe is built. */
  readonly nativeEdit?: NativeEdit;
  readonly caughtBy: readonly Catcher[];
}

/** A plugin for Vite builds and for vitest. `edited`: the sources to use instead, by absolute path. */
export function mutantPlugin(edited: () => ReadonlyMap<string, string>): Plugin {
  return {
    name: 'postern-mutant',
    enforce: 'pre',
    load: (id) => edited().get(id.split('?')[0] ?? id) ?? null,
  };
}
