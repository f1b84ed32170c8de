import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { build } from 'vite';
import { pagesOutput } from '../../scripts/build-window.ts';

const root = join(import.meta.dirname, '../..');

/** Bundles the renderer, of the same parts as the program's, for a page that stands at the root of its own origin. */
export async function buildRenderer(outDir: string): Promise<void> {
  await build({
    configFile: false,
    logLevel: 'warn',
    root: join(root, 'renderer'),
    base: './',
    plugins: [react()],
    build: {
      outDir,
      emptyOutDir: true,
      modulePreload: false,
      assetsInlineLimit: 0,
      chunkSizeWarningLimit: 1_000,
      rolldownOptions: { output: pagesOutput },
    },
  });
}
