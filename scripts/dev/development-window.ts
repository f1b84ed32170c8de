import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'vite';
import type { InlineConfig, Plugin } from 'vite';
import { mainBundle, preloadBundle } from '../build-window.ts';
import { showWindow } from '../window.ts';

const root = path.join(import.meta.dirname, '../..');
const folder = path.join(root, '.dev/app');

/** Hot reload needs what a built Postern forbids: pages from a server, and network access. */
const replaced = new Map(
  ['app-protocol.ts', 'resolve-app-file.ts', 'seal-session.ts'].map((name) => [
    path.join(root, 'main/window/electron', name),
    path.join(import.meta.dirname, name),
  ]),
);

const withDevelopmentModules: Plugin = {
  name: 'development-modules',
  enforce: 'pre',
  async resolveId(id, importer, options) {
    const found = await this.resolve(id, importer, { ...options, skipSelf: true });
    return replaced.get(found?.id ?? '') ?? found;
  },
};

/**
 * Shows the window with pages from the renderer's server, and restarts it when main, preload or the contract changes.
 * Returns the exit code once a user closes it.
 */
export async function showDevelopmentWindow(rendererOrigin: string, env: NodeJS.ProcessEnv): Promise<number> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    path.join(folder, 'package.json'),
    JSON.stringify({ name: 'postern', type: 'module', main: 'main/index.js' }),
  );
  let restart = new AbortController();
  const watchers = await Promise.all([
    watch(mainBundle(folder, [withDevelopmentModules]), () => restart.abort()),
    watch(preloadBundle(folder), () => restart.abort()),
  ]);
  try {
    for (;;) {
      restart = new AbortController();
      const { signal } = restart;
      const code = await showWindow({ app: folder, env: { ...env, POSTERN_DEV_RENDERER: rendererOrigin }, signal });
      if (!signal.aborted) return code;
      process.stdout.write('Changed; restarting the window.\n');
    }
  } finally {
    await Promise.all(watchers.map((watcher) => watcher.close()));
  }
}

/**
 * Bundles in place at every change. Resolves after the first successful build. A change that does not build is reported
 * and leaves the open window alone.
 */
async function watch(config: InlineConfig, onBuilt: () => void): Promise<{ close(): Promise<void> }> {
  const watcher = await build({ ...config, build: { ...config.build, emptyOutDir: false, watch: {} } });
  if (!('on' in watcher)) throw new Error('expected a watched bundle');
  await new Promise<void>((resolve) => {
    let isFirst = true;
    let hasFailed = false;
    watcher.on('event', (event) => {
      if (event.code === 'START') hasFailed = false;
      if (event.code === 'ERROR') {
        hasFailed = true;
        process.stderr.write(`${event.error.message}\n`);
      }
      // END follows a failure, too.
      if (event.code !== 'END' || hasFailed) return;
      if (isFirst) resolve();
      else onBuilt();
      isFirst = false;
    });
  });
  return watcher;
}
