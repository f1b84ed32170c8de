import { existsSync, globSync, readdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import type { Plugin } from 'vite';

const root = join(import.meta.dirname, '..');

/**
 * Bundles the command line. Dynamic imports stay separate files, so that `postern list` loads no network code; the
 * keychain child is an entry of its own, since it is started by its path. Only keytar stays outside (native).
 */
export async function buildCommandLine(outDir: string, plugins: Plugin[] = []): Promise<void> {
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    plugins,
    ssr: { noExternal: true, external: ['keytar'] },
    build: {
      ssr: true,
      outDir,
      emptyOutDir: true,
      target: 'node24',
      sourcemap: true,
      rolldownOptions: {
        input: {
          index: join(root, 'main/cli/index.ts'),
          'keychain-child': join(root, 'main/storage/keychain-child.ts'),
        },
        output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  });
}

const output = join(root, 'dist/cli');
const stamp = join(output, '.built');

/** A file that was deleted shows in the time of its folder. */
function isCurrent(): boolean {
  if (!existsSync(stamp)) return false;
  const built = statSync(stamp).mtimeMs;
  const sources = globSync('{main,shared}/**', { cwd: root });
  return ['package.json', 'package-lock.json', 'scripts/build.ts', ...sources].every(
    (source) => statSync(join(root, source)).mtimeMs < built,
  );
}

if (import.meta.main && !(process.argv.includes('--if-needed') && isCurrent())) {
  console.error('Building…');
  const started = new Date();
  const fresh = join(root, `dist/cli-${process.pid}`);
  await buildCommandLine(fresh);
  writeFileSync(join(fresh, '.built'), '');
  // What was edited during the build is newer than its result.
  utimesSync(join(fresh, '.built'), started, started);
  // Put in place in one step: a program that starts meanwhile finds the old build or the new one.
  rmSync(output, { recursive: true, force: true });
  renameSync(fresh, output);
  console.error(`Built ${readdirSync(output).filter((name) => name.endsWith('.js')).length} files in dist/cli.`);
}
