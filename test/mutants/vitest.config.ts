import { join } from 'node:path';
import { defineConfig, mergeConfig } from 'vitest/config';
import base from '../../vitest.config.ts';
import { editedSources } from './edited-sources.ts';
import { mutantPlugin } from './mutant.ts';
import { writtenMutants } from './written-checks.ts';

/** The edited sources of each mutant. */
const edited = new Map<string, ReadonlyMap<string, string>>();

/** The current one, which changes between runs. */
function editsNow(): ReadonlyMap<string, string> {
  const name = process.env['POSTERN_MUTANT'] ?? '';
  const mutant = writtenMutants.find((each) => each.name === name);
  if (mutant === undefined) return new Map();
  const known = edited.get(name) ?? editedSources(mutant.edits);
  edited.set(name, known);
  return known;
}

export default mergeConfig(
  base,
  defineConfig({
    root: join(import.meta.dirname, '../..'),
    plugins: [mutantPlugin(editsNow)],
    // Keyed by the file on disk: it would serve the healthy module here, or the broken one in other runs.
    test: { fsModuleCache: false },
  }),
);
