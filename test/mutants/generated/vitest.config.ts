import { join } from 'node:path';
import { defineConfig, mergeConfig } from 'vitest/config';
import base from '../../../vitest.config.ts';
import { instrumentPlugin } from './instrument.ts';
import { readSample } from './sample.ts';

export default mergeConfig(
  base,
  defineConfig({
    root: join(import.meta.dirname, '../../..'),
    plugins: [instrumentPlugin(readSample())],
    test: {
      runner: join(import.meta.dirname, 'mutant-runner.ts'),
      dangerouslyIgnoreUnhandledErrors: true,
      // Keyed by the file on disk: it would serve sources without mutants here, or with them in other runs.
      fsModuleCache: false,
    },
  }),
);
