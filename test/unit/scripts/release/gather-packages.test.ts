import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { gatherPackages } from '../../../../scripts/release/gather-packages.ts';
import { product } from '../../../../shared/product.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const { version } = product;
const made: Readonly<Record<string, readonly string[]>> = {
  'packages-linux': [
    `Postern-${version}-linux-x86_64.AppImage`,
    `Postern-${version}-linux-amd64.deb`,
    `Postern-${version}-linux-arm64.tar.gz`,
    'latest-linux.yml',
    'latest-linux-arm64.yml',
  ],
  'packages-macos': [`Postern-${version}-mac-arm64.zip`, `Postern-${version}-mac-x64.dmg.blockmap`, 'latest-mac.yml'],
  'packages-windows': [`Postern-${version}-win-x64.exe`, `Postern-${version}-win-x64.exe.blockmap`, 'latest.yml'],
  'packages-npm': [`postern-${version}.tgz`, 'Postern-sbom.cdx.json'],
};

function makeArtifacts(content = made): string {
  const folder = temporaryFolder();
  for (const [artifact, files] of Object.entries(content)) {
    mkdirSync(path.join(folder, artifact));
    for (const file of files) writeFileSync(path.join(folder, artifact, file), file);
  }
  return folder;
}

describe("gathering a release's packages", () => {
  it('copies the output of all jobs into one folder', () => {
    const release = path.join(temporaryFolder(), 'release');
    gatherPackages(makeArtifacts(), release);
    expect(readdirSync(release).toSorted()).toEqual(Object.values(made).flat().toSorted());
  });

  it.each([
    ['packages-linux', `Postern-${version}-win-x64.exe`],
    ['packages-npm', `Postern-${version}-mac-arm64.zip`],
    ['packages-macos', 'latest.yml'],
    ['packages-windows', `Postern-99.0.0-win-x64.exe`],
    ['packages-windows', `${version}.exe`],
    ['packages-npm', 'checksums.txt'],
    ['packages-else', 'latest.yml'],
  ])('rejects what the job of %s does not make: %s', (artifact, file) => {
    const files = { ...made, [artifact]: [...(made[artifact] ?? []), file] };
    expect(() => gatherPackages(makeArtifacts(files), temporaryFolder())).toThrow(artifact);
  });

  it('rejects a link, a folder, and an existing name', () => {
    const linked = makeArtifacts({ ...made, 'packages-macos': ['latest-mac.yml'] });
    symlinkSync('latest-mac.yml', path.join(linked, 'packages-macos', `Postern-${version}-mac-x64.zip`));
    expect(() => gatherPackages(linked, temporaryFolder())).toThrow('packages-macos');
    const nested = makeArtifacts();
    mkdirSync(path.join(nested, 'packages-windows', `Postern-${version}-win-arm64.exe`));
    expect(() => gatherPackages(nested, temporaryFolder())).toThrow('packages-windows');
    const release = temporaryFolder();
    writeFileSync(path.join(release, 'latest.yml'), '');
    expect(() => gatherPackages(makeArtifacts(), release)).toThrow('EEXIST');
  });

  it.each(Object.keys(made))('stops if %s is empty', (artifact) => {
    expect(() => gatherPackages(makeArtifacts({ ...made, [artifact]: [] }), temporaryFolder())).toThrow(artifact);
    const others = Object.fromEntries(Object.entries(made).filter(([name]) => name !== artifact));
    expect(() => gatherPackages(makeArtifacts(others), temporaryFolder())).toThrow(artifact);
  });
});
