import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { packedKeytar } from '../../../scripts/package/packed-keytar.ts';
import { product } from '../../../shared/product.ts';
import type { TestedProgram } from './tested-program.ts';

/** The version that a program says once `alterArchive` has been there. */
export const alteredVersion = product.version.replaceAll(/\d/g, '9');

/** Changes the version in the code of the archive, and nothing else: what runs then runs as before. */
export function alterArchive({ resources }: TestedProgram): void {
  replaceInFile(path.join(resources, 'app.asar'), product.version, alteredVersion);
}

/** Puts a text of the same length in the place of another, wherever it stands. A pattern has to be global. */
export function replaceInFile(file: string, from: string | RegExp, to: string): void {
  const before = readFileSync(file, 'latin1');
  const after = before.replaceAll(from, to);
  if (after === before) throw new Error(`There is no ${String(from)} in ${file}`);
  if (after.length !== before.length) throw new Error('The file would be of another length');
  writeFileSync(file, after, 'latin1');
}

/** A program beside the archive, as Electron would prefer it (CVE-2023-44402); it leaves a file at `marker`. */
export function addAppFolder({ resources }: TestedProgram, marker: string): void {
  const folder = path.join(resources, 'app');
  mkdirSync(folder);
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ name: 'evil', main: 'index.js' }));
  const code = `require('node:fs').writeFileSync(${JSON.stringify(marker)}, ''); process.exit();`;
  writeFileSync(path.join(folder, 'index.js'), code);
}

/** A library in the place of the keychain's that leaves a file at `marker` when it is loaded. Needs a C compiler. */
export function replaceKeytar({ resources, platform }: TestedProgram, marker: string): void {
  const source = `#include <stdio.h>
__attribute__((constructor)) static void load(void) { FILE *f = fopen(${JSON.stringify(marker)}, "w"); if (f) fclose(f); }
`;
  const kind = platform === 'darwin' ? ['-bundle', '-arch', 'arm64', '-arch', 'x86_64'] : ['-shared', '-fPIC'];
  const target = path.join(resources, packedKeytar);
  execFileSync('cc', [...kind, '-x', 'c', '-o', target, '-'], { input: source, stdio: ['pipe', 'ignore', 'inherit'] });
}

/** Something that is no library at all. */
export function breakKeytar({ resources }: TestedProgram): void {
  writeFileSync(path.join(resources, packedKeytar), 'no library');
}
