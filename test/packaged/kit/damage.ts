import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { packedKeytar } from '../../../scripts/package/packed-keytar.ts';
import { product } from '../../../shared/product.ts';
import type { TestedPostern } from './tested-postern.ts';

/** The version reported after `alterArchive`. */
export const alteredVersion = product.version.replaceAll(/\d/g, '9');

/** Changes only the version in the code of the archive, so that it still runs. */
export function alterArchive({ resources }: TestedPostern): void {
  replaceInFile(path.join(resources, 'app.asar'), product.version, alteredVersion);
}

/** Replaces a text everywhere with one of the same length. A pattern must be global. */
export function replaceInFile(file: string, from: string | RegExp, to: string): void {
  const before = readFileSync(file, 'latin1');
  const after = before.replaceAll(from, to);
  if (after === before) throw new Error(`There is no ${String(from)} in ${file}`);
  if (after.length !== before.length) throw new Error('The file would be of another length');
  writeFileSync(file, after, 'latin1');
}

/** An app beside the archive, which Electron would prefer (CVE-2023-44402); it writes a file at `marker`. */
export function addAppFolder({ resources }: TestedPostern, marker: string): void {
  const folder = path.join(resources, 'app');
  mkdirSync(folder);
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ name: 'evil', main: 'index.js' }));
  const code = `require('node:fs').writeFileSync(${JSON.stringify(marker)}, ''); process.exit();`;
  writeFileSync(path.join(folder, 'index.js'), code);
}

/** Replaces the keychain library with one that writes a file at `marker` on load. Needs a C compiler. */
export function replaceKeytar({ resources, platform }: TestedPostern, marker: string): void {
  const source = `#include <stdio.h>
__attribute__((constructor)) static void load(void) { FILE *f = fopen(${JSON.stringify(marker)}, "w"); if (f) fclose(f); }
`;
  const kind = platform === 'darwin' ? ['-bundle', '-arch', 'arm64', '-arch', 'x86_64'] : ['-shared', '-fPIC'];
  const target = path.join(resources, packedKeytar);
  execFileSync('cc', [...kind, '-x', 'c', '-o', target, '-'], { input: source, stdio: ['pipe', 'ignore', 'inherit'] });
}

/** Replaces the keychain library with a file that is not a library. */
export function breakKeytar({ resources }: TestedPostern): void {
  writeFileSync(path.join(resources, packedKeytar), 'no library');
}
