import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createPackageWithOptions, extractAll } from '@electron/asar';
import { parse } from 'yaml';
import { dryRunPackage } from '../../scripts/package/dry-run.ts';
import { buildProgram } from '../real-electron/build-program.ts';

interface DebOptions {
  readonly depends: readonly string[];
  readonly recommends: readonly string[];
  readonly afterInstall: string;
  readonly afterRemove: string;
}

const root = path.join(import.meta.dirname, '../..');
const architecture = process.arch === 'arm64' ? 'arm64' : 'amd64';

/**
 * Builds the deb that electron-builder would build from electron-builder.yml with this Electron; its deb tool is in no
 * package registry. The deb contains the build for Node 20.18 and newer. Returns a file in `folder`.
 */
export async function makeDeb(electron: string, folder: string): Promise<string> {
  const electronDist = path.join(folder, 'electron');
  cpSync(path.dirname(electron), electronDist, { recursive: true });
  // Replaces Electron's `default_app`.
  rmSync(path.join(electronDist, 'resources/app'), { recursive: true, force: true });
  const unpacked = await dryRunPackage(path.join(folder, 'out'), { electronDist });
  rmSync(electronDist, { recursive: true });
  await replaceApp(path.join(unpacked, 'resources'), folder);
  writeFileSync(path.join(unpacked, 'resources/package-type'), 'deb');

  const tree = path.join(folder, 'tree');
  mkdirSync(path.join(tree, 'DEBIAN'), { recursive: true });
  mkdirSync(path.join(tree, 'opt'));
  cpSync(unpacked, path.join(tree, 'opt/Postern'), { recursive: true });
  const { deb } = parse(readFileSync(path.join(root, 'electron-builder.yml'), 'utf8')) as { deb: DebOptions };
  writeFileSync(path.join(tree, 'DEBIAN/control'), control(deb));
  writeScript(path.join(tree, 'DEBIAN/postinst'), deb.afterInstall);
  writeScript(path.join(tree, 'DEBIAN/postrm'), deb.afterRemove);
  const file = path.join(folder, 'postern.deb');
  execFileSync('dpkg-deb', ['--build', '--root-owner-group', '-Znone', tree, file], { stdio: 'ignore' });
  rmSync(tree, { recursive: true });
  return file;
}

async function replaceApp(resources: string, folder: string): Promise<void> {
  const archive = path.join(resources, 'app.asar');
  const app = path.join(folder, 'app');
  const forOlderNode = path.join(folder, 'older');
  extractAll(archive, app);
  await buildProgram(forOlderNode);
  for (const part of ['dist/main', 'node_modules/keytar/build']) {
    rmSync(path.join(app, part), { recursive: true });
    cpSync(path.join(forOlderNode, part), path.join(app, part), { recursive: true });
  }
  await createPackageWithOptions(app, archive, { unpack: '*.node' });
}

function control({ depends, recommends }: DebOptions): string {
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string };
  return [
    'Package: postern',
    `Version: ${version}`,
    `Architecture: ${architecture}`,
    'Maintainer: Postern <postern@postern.invalid>',
    `Depends: ${depends.join(', ')}`,
    `Recommends: ${recommends.join(', ')}`,
    'Description: Postern',
    '',
  ].join('\n');
}

/** Expands the same two variables as electron-builder. */
function writeScript(file: string, source: string): void {
  const text = readFileSync(path.join(root, source), 'utf8');
  const expanded = text.replaceAll('${sanitizedProductName}', 'Postern').replaceAll('${executable}', 'postern');
  writeFileSync(file, expanded, { mode: 0o755 });
}
