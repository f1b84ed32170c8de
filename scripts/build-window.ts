import { rmSync } from 'node:fs';
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { build } from 'vite';
import type { InlineConfig, Plugin } from 'vite';
import { firstWordsOf } from '../main/cli/options/command-spec.ts';
import { commandTable } from '../main/cli/table/command-table.ts';
import { ipcCalls } from '../shared/ipc-contract.ts';
import { moduleOutput } from './node-output.ts';
import { silencedConsole } from './silenced-console.ts';
import { collectThirdParties, writeThirdPartyNotices } from './third-party-notices.ts';
import { trimUndici } from './undici-parts.ts';

const root = join(import.meta.dirname, '..');
const common = { configFile: false, logLevel: 'warn' } as const;

const keychainChild = { 'keychain-child': join(root, 'main/storage/keychain/keychain-child.ts') };
const commands = { command: join(root, 'main/command.ts') };

/**
 * Commands stay out of the window's bundle: shared code would be split into one chunk per set of commands, 180 files
 * before the window is usable instead of 70, and each takes time.
 */
const externalCommands: Plugin = {
  name: 'commands-apart',
  enforce: 'pre',
  resolveId: (id) => (id === './command.ts' ? { id: './command.js', external: 'absolute' } : null),
};

/**
 * Dependencies of electron-store that the window does not need. when-exit re-sends every signal it catches, which would
 * end Postern before it has closed its resources. Ajv compiles schemas; none is passed, yet it would load before the
 * first window.
 */
const emptyModules: Readonly<Record<string, string>> = {
  'when-exit': 'export default () => () => {};',
  'ajv/dist/2020.js': 'export class Ajv2020 {}',
  'ajv-formats': 'export default { default() {} };',
};
const trimElectronStore: Plugin = {
  name: 'parts-of-electron-store',
  enforce: 'pre',
  resolveId: (id) => (id in emptyModules ? `\0${id}` : null),
  load: (id) => (id.startsWith('\0') ? emptyModules[id.slice(1)] : null),
};

function bundleForElectron(outDir: string, input: Readonly<Record<string, string>>, plugins: Plugin[]): InlineConfig {
  return {
    ...common,
    root,
    plugins: [...plugins, trimUndici, trimElectronStore],
    ssr: { noExternal: true, external: ['electron', 'keytar'] },
    build: {
      ssr: true,
      outDir: join(outDir, 'main'),
      emptyOutDir: false,
      target: 'node24',
      sourcemap: true,
      rolldownOptions: { input, transform: { inject: silencedConsole }, output: moduleOutput },
    },
  };
}

/** The main process and the keychain process. External: electron, keytar and the commands. */
export function mainBundle(outDir: string, plugins: Plugin[]): InlineConfig {
  const input = { index: join(root, 'main/index.ts'), ...keychainChild };
  return {
    ...bundleForElectron(outDir, input, [...plugins, externalCommands]),
    define: { commandFirstWords: JSON.stringify(firstWordsOf(commandTable)) },
  };
}

/** One chunk for the known services, which the pages load together; that is smaller. */
export const pagesOutput = {
  codeSplitting: { groups: [{ name: 'known-servers', test: /\/known-servers\/(?:find-|known-servers)/u }] },
};

/** One CommonJS file, because it runs in a sandbox. */
export function preloadBundle(outDir: string): InlineConfig {
  return {
    ...common,
    root,
    ssr: { noExternal: true, external: ['electron'] },
    define: { ipcCallNames: JSON.stringify(ipcCalls) },
    build: {
      ssr: join(root, 'preload/index.ts'),
      outDir: join(outDir, 'preload'),
      emptyOutDir: true,
      target: 'node24',
      minify: true,
      rolldownOptions: { output: { format: 'cjs', entryFileNames: '[name].cjs', codeSplitting: false } },
    },
  };
}

/** Bundles the desktop app into `main`, `preload` and `renderer` under `outDir`; `inPages` applies to the renderer. */
export async function buildWindow(
  outDir: string,
  plugins: Plugin[] = [],
  rendererPlugins: Plugin[] = [],
): Promise<void> {
  const folders = new Set<string>();
  rmSync(join(outDir, 'main'), { recursive: true, force: true });
  await Promise.all([
    build(mainBundle(outDir, [...plugins, collectThirdParties(folders)])),
    build(bundleForElectron(outDir, commands, [...plugins, collectThirdParties(folders)])),
    build(preloadBundle(outDir)),
    build({
      ...common,
      root: join(root, 'renderer'),
      base: './',
      plugins: [...rendererPlugins, react(), collectThirdParties(folders)],
      build: {
        outDir: join(outDir, 'renderer'),
        emptyOutDir: true,
        modulePreload: false,
        // The Chromium of the bundled Electron and of the tests.
        target: 'chrome130',
        // A data: URL would need an exception in the content security policy.
        assetsInlineLimit: 0,
        // The warning (kB) is about network transfer; these files are local.
        chunkSizeWarningLimit: 2_000,
        rolldownOptions: {
          input: [join(root, 'renderer/index.html'), join(root, 'renderer/sign-in-bar.html')],
          output: pagesOutput,
        },
      },
    }),
  ]);
  writeThirdPartyNotices(folders, join(outDir, 'main/THIRD-PARTY-NOTICES.txt'));
}
