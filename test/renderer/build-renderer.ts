import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { build } from 'vite';
import type { Plugin } from 'vite';
import { pagesOutput } from '../../scripts/build-window.ts';

const root = join(import.meta.dirname, '../..');

/** Makes React roots unmountable from outside. */
const recordRoots: Plugin = {
  name: 'record-roots',
  enforce: 'pre',
  resolveId: (source, importer) =>
    source === 'react-dom/client' && importer?.endsWith('/renderer/main.tsx') === true
      ? join(import.meta.dirname, 'react-roots.ts')
      : undefined,
};

/**
 * Chunks without window state, except those loaded later. The entry has the renderer's own modules: imported under a
 * new URL they start fresh, while React and the rest stay loaded.
 */
const stateless = {
  name: 'stateless',
  test: /\/node_modules\/|\/shared\/(?!known-servers\.ts|known-servers\/(?!known-server\.)|words\/german\.ts)|\/react-roots\.ts$/u,
};

/** Bundles the renderer like the product's, for a page at the root of its own origin. */
export async function buildRenderer(outDir: string): Promise<void> {
  const { groups } = pagesOutput.codeSplitting;
  await build({
    configFile: false,
    logLevel: 'warn',
    root: join(root, 'renderer'),
    base: './',
    plugins: [recordRoots, react()],
    build: {
      outDir,
      emptyOutDir: true,
      modulePreload: false,
      assetsInlineLimit: 0,
      chunkSizeWarningLimit: 1_000,
      rolldownOptions: { output: { codeSplitting: { groups: [...groups, stateless] } } },
    },
  });
}
