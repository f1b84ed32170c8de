import { existsSync, globSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { build } from 'vite';
import type { Plugin } from 'vite';
import { buildNativePipe } from './build-native-pipe.ts';
import { buildWindow } from './build-window.ts';
import { commonJsFolder, commonJsOutput } from './node-output.ts';
import { silencedConsole } from './silenced-console.ts';
import { collectThirdParties, writeThirdPartyNotices } from './third-party-notices.ts';
import { trimUndici } from './undici-parts.ts';
import { writeShellFiles } from './write-shell-files.ts';

const root = join(import.meta.dirname, '..');

const commandLine = { index: join(root, 'main/cli/index.ts') };
const keychainChild = { 'keychain-child': join(root, 'main/storage/keychain/keychain-child.ts') };

/** Modules that are bundled into one file with everything they need. */
interface ChunkGroup {
  readonly name: string;
  readonly test?: (id: string) => boolean;
  readonly tags?: '$initial'[];
}

interface BundleOptions {
  readonly plugins?: Plugin[];
  readonly groups?: readonly ChunkGroup[];
  readonly emptyOutDir?: boolean;
  readonly logLevel?: 'warn' | 'error';
}

/** Resolves the module at each path. A moved module fails the build; otherwise its group would silently disappear. */
function createGroup(name: string, ...modules: readonly string[]): ChunkGroup {
  const files = new Set(modules.map((module) => join(root, module)));
  const missing = [...files].filter((file) => !existsSync(file));
  if (missing.length > 0) throw new Error(`The group ${name} has no ${missing.join(', ')}.`);
  return { name, test: (id) => files.has(normalize(id)) };
}

/**
 * One file each, with everything it needs that no earlier file contains: what every command needs, what starts the
 * keychain process, zod, what most commands open and print, what commands for one server open. By default the bundler
 * makes a file of each module that two commands share, and each costs Node 0.3 ms.
 */
const startGroups: readonly ChunkGroup[] = [
  { name: 'start', tags: ['$initial'] },
  createGroup(
    'run',
    'main/cli/start/wake-keychain.ts',
    'main/cli/start/run-process.ts',
    'main/storage/keychain/keychain-service.ts',
  ),
  createGroup('keychain', 'main/cli/opening/prepare-keychain.ts'),
  // Separate: what is set before the first schema is created must not load the schemas.
  createGroup('zod', 'main/cli/start/configure-zod.ts', 'node_modules/zod/v4/mini/schemas.js'),
  createGroup('profile', 'main/cli/opening/open-command-profile.ts', 'main/cli/output/describe-integration.ts'),
  createGroup(
    'engine',
    'main/cli/opening/open-command-engine.ts',
    'main/engine/refresh/access-token.ts',
    'main/storage/vault/vault-file.ts',
  ),
];

/** Bundles the command line and the keychain process, which is started by its path. */
export async function buildCommandLine(outDir: string, plugins: Plugin[] = []): Promise<void> {
  const folders = new Set<string>();
  await bundleForNode(outDir, commandLine, {
    plugins: [...plugins, collectThirdParties(folders)],
    groups: startGroups,
  });
  // Separate: otherwise shared code may land in the command line's entry, which the keychain process would then run.
  await bundleForNode(outDir, keychainChild, { plugins, emptyOutDir: false });
  writeThirdPartyNotices(folders, join(outDir, 'THIRD-PARTY-NOTICES.txt'));
}

/**
 * Dynamic imports stay separate files, so that `postern list` loads no network code. Only keytar is external (native).
 */
export async function bundleForNode(
  outDir: string,
  input: Readonly<Record<string, string>>,
  { plugins = [], groups = [], emptyOutDir = true, logLevel = 'warn' }: BundleOptions = {},
): Promise<void> {
  await build({
    root,
    configFile: false,
    logLevel,
    plugins: [...plugins, trimUndici, commonJsFolder],
    ssr: { noExternal: true, external: ['keytar'] },
    build: {
      ssr: true,
      outDir,
      emptyOutDir,
      // The oldest Node that an installed command line runs on (bin/postern.js).
      target: 'node22.13',
      sourcemap: true,
      rolldownOptions: {
        // Any name of Node's own fetch loads all of it (20 ms, 5 MB). The same classes come from undici, which is in the
        // bundle anyway.
        transform: {
          inject: { Headers: ['undici', 'Headers'], Response: ['undici', 'Response'], ...silencedConsole },
        },
        input,
        output: { ...commonJsOutput, codeSplitting: { groups: [...groups] } },
      },
    },
  });
}

const dist = join(root, 'dist');
const parts = ['cli', 'main', 'preload', 'renderer', 'share'] as const;
const stamp = join(dist, 'cli/.built');

/** A deleted file changes the time of its folder. */
function isCurrent(): boolean {
  if (!existsSync(stamp) || parts.some((part) => !existsSync(join(dist, part)))) return false;
  const built = statSync(stamp).mtimeMs;
  const sources = globSync('{main,shared,preload,renderer,pipe}/**', { cwd: root, exclude: ['pipe/target'] });
  const scripts = ['build', 'build-window', 'man-page', 'write-shell-files'].map((name) => `scripts/${name}.ts`);
  return ['package.json', 'package-lock.json', ...scripts, ...sources].every(
    (source) => statSync(join(root, source)).mtimeMs < built,
  );
}

/** Moves the old build away first: deleting takes time, and another build may put its own there meanwhile. */
function replaceFolder(from: string, to: string, aside: string): void {
  for (let attempt = 0; ; attempt += 1) {
    try {
      if (existsSync(to)) renameSync(to, `${aside}-${attempt}`);
      return renameSync(from, to);
    } catch (error) {
      if (attempt === 20) throw error;
    }
  }
}

if (import.meta.main && !(process.argv.includes('--if-needed') && isCurrent())) {
  console.error('Building…');
  const started = new Date();
  const staging = join(dist, `new-${process.pid}`);
  await Promise.all([buildCommandLine(join(staging, 'cli')), buildWindow(staging)]);
  writeShellFiles(join(staging, 'share'));
  writeFileSync(join(staging, 'cli/.built'), '');
  // Files edited during the build are newer than its result.
  utimesSync(join(staging, 'cli/.built'), started, started);
  // Each rename is atomic: a process that starts meanwhile finds either the old build or the new one.
  for (const part of parts) replaceFolder(join(staging, part), join(dist, part), join(staging, `old-${part}`));
  rmSync(staging, { recursive: true, force: true });
  const missing = buildNativePipe();
  console.error(`Built ${parts.map((part) => `dist/${part}`).join(', ')}.`);
  if (missing !== undefined) console.error(`No native pipe: ${missing}.`);
}
