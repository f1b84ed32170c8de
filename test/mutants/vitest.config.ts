import { join } from 'node:path';
import { defineConfig, mergeConfig } from 'vitest/config';
import base from '../../vitest.config.ts';
import { everyRemovedCheck } from './every-removed-check.ts';
import { mutantPlugin } from './mutant.ts';
import { mutants } from './mutants.ts';

const known = [...mutants, ...everyRemovedCheck];
const mutant = known.find(({ name }) => name === process.env['POSTERN_MUTANT']);
if (mutant === undefined) throw new Error('POSTERN_MUTANT names no mutant');

export default mergeConfig(
  base,
  defineConfig({
    root: join(import.meta.dirname, '../..'),
    plugins: [mutantPlugin(mutant)],
    // Keyed by the file on disk: it would serve the healthy module here, or the broken one to everybody else.
    test: { fsModuleCache: false },
  }),
);
