// `node scripts/release/gather-packages.ts <artifacts> <folder>`: copies the artifacts of all release jobs into one
// folder. Each job may only contribute the files that it is supposed to make, so that none can replace another job's
// file or get an extra file signed.
import { constants, copyFileSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { product } from '../../shared/product.ts';

const version = product.version.replaceAll(/[.+]/g, String.raw`\$&`);
const processor = '(?:x64|x86_64|amd64|arm64)';
/** By artifact name. */
const expected: ReadonlyMap<string, RegExp> = new Map([
  [
    'packages-linux',
    new RegExp(
      `^(?:Postern-${version}-linux-${processor}\\.(?:AppImage|deb|tar\\.gz)(?:\\.blockmap)?|latest-linux(?:-arm64)?\\.yml)$`,
    ),
  ],
  [
    'packages-macos',
    new RegExp(`^(?:Postern-${version}-mac-${processor}\\.(?:dmg|zip)(?:\\.blockmap)?|latest-mac\\.yml)$`),
  ],
  ['packages-windows', new RegExp(`^(?:Postern-${version}-win-${processor}\\.exe(?:\\.blockmap)?|latest\\.yml)$`)],
  ['packages-npm', new RegExp(`^(?:postern-${version}\\.tgz|Postern-sbom\\.cdx\\.json)$`)],
]);

/** Throws an error that names the file or job if a file or folder is unexpected or a job made nothing. */
export function gatherPackages(artifacts: string, folder: string): void {
  const folders = readdirSync(artifacts);
  for (const name of folders) if (!expected.has(name)) throw new Error(`${name} belongs to no release job`);
  mkdirSync(folder, { recursive: true });
  for (const [artifact, isExpected] of expected) {
    const files = folders.includes(artifact) ? readdirSync(join(artifacts, artifact), { withFileTypes: true }) : [];
    if (files.length === 0) throw new Error(`${artifact} is missing`);
    for (const file of files) {
      if (!file.isFile() || !isExpected.test(file.name)) throw new Error(`${artifact} must not contain ${file.name}`);
      // COPYFILE_EXCL refuses an existing name.
      copyFileSync(join(artifacts, artifact, file.name), join(folder, file.name), constants.COPYFILE_EXCL);
    }
  }
}

if (import.meta.main) {
  const [artifacts = 'artifacts', folder = 'release'] = process.argv.slice(2);
  gatherPackages(artifacts, folder);
}
