import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { build } from 'vite';
import type { Plugin } from 'vite';
import { pagesOutput } from '../../scripts/build-window.ts';

const root = join(import.meta.dirname, '../..');

/** Roots that can be unmounted from outside. */
const recordRoots: Plugin = {
  name: 'record-roots',
  enforce: 'pre',
  resolveId: (source, importer) =>
    source === 'react-dom/client' && importer?.endsWith('/renderer/main.tsx') === true
      ? join(import.meta.dirname, 'react-roots.ts')
      : undefined,
};

/**
 * All that keeps no state of the window, but what is loaded later. The entry holds the renderer's own modules: imported
 * under another address they are new, while React and the rest stay warm.
 */
const stateless = {
  name: 'stateless',
  test: /\/node_modules\/|\/shared\/(?!known-servers\.ts|known-servers\/(?!known-server\.)|words\/german\.ts)|\/react-roots\.ts$/u,
};

/** Bundles the renderer, of the same parts as the program's, for a page that stands at the root of its own origin. */
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
