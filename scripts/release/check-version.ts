// `npx node scripts/release/check-version.ts v1.2.3`: fails if the tag differs from the versions in the source.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { product } from '../../shared/product.ts';

/** Reasons against releasing this tag; empty if there are none. */
export function findVersionFaults(tag: string, root = join(import.meta.dirname, '../..')): string[] {
  const read = (file: string): string => readFileSync(join(root, file), 'utf8');
  const { version } = JSON.parse(read('package.json')) as { version: string };
  const lock = JSON.parse(read('package-lock.json')) as { version: string };
  const faults: string[] = [];
  if (tag !== `v${version}`) faults.push(`The tag is ${tag}, but package.json has ${version}`);
  if (lock.version !== version) faults.push(`package-lock.json has ${lock.version}, but package.json has ${version}`);
  if (product.version !== version)
    faults.push(`shared/product.ts has ${product.version}, but package.json has ${version}`);
  for (const [file, line] of [
    ['pipe/Cargo.toml', `version = "${version}"`],
    ['pipe/Cargo.lock', `version = "${version}"`],
    ['pipe/run-pipe.js', `const version = '${version}';`],
  ] as const) {
    if (!read(file).includes(`\n${line}\n`)) faults.push(`${file} does not have version ${version}`);
  }
  if (!read('CHANGELOG.md').includes(`\n## ${version}`)) faults.push(`CHANGELOG.md has no section "## ${version}"`);
  return faults;
}

if (import.meta.main) {
  const faults = findVersionFaults(process.argv[2] ?? '');
  for (const fault of faults) console.error(fault);
  process.exitCode = faults.length === 0 ? 0 : 1;
}
