import { join } from 'node:path';
import { defineConfig, mergeConfig } from 'vitest/config';
import base from '../../vitest.config.ts';
import { mutantPlugin } from './mutant.ts';
import { writtenMutants } from './written-checks.ts';

const mutant = writtenMutants.find(({ name }) => name === process.env['POSTERN_MUTANT']);
if (mutant === undefined) throw new Error('POSTERN_MUTANT does not name a mutant');

export default mergeConfig(
  base,
  defineConfig({
    root: join(import.meta.dirname, '../..'),
    plugins: [mutantPlugin(mutant)],
    // Keyed by the file on disk: it would serve the healthy module here, or the broken one in other runs.
    test: { fsModuleCache: false },
  }),
);
