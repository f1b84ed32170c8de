import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createPackageWithOptions, extractAll } from '@electron/asar';
import { parse } from 'yaml';
import { packDry } from '../../scripts/package/dry-run.ts';
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
 * The deb as electron-builder would make it of electron-builder.yml, around this Electron: what makes debs for it is in
 * no package registry. The program in it is the one for any Node from 20.18 on. Everything is left in `folder`.
 */
export async function makeDeb(electron: string, folder: string): Promise<string> {
  const electronDist = path.join(folder, 'electron');
  cpSync(path.dirname(electron), electronDist, { recursive: true });
  // What stands in the place of Electron's own `default_app`.
  rmSync(path.join(electronDist, 'resources/app'), { recursive: true, force: true });
  const unpacked = await packDry(path.join(folder, 'out'), { electronDist });
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
  const older = path.join(folder, 'older');
  extractAll(archive, app);
  await buildProgram(older);
  for (const part of ['dist/main', 'node_modules/keytar/build']) {
    rmSync(path.join(app, part), { recursive: true });
    cpSync(path.join(older, part), path.join(app, part), { recursive: true });
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

/** electron-builder fills in the same two. */
function writeScript(file: string, source: string): void {
  const text = readFileSync(path.join(root, source), 'utf8');
  const filled = text.replaceAll('${sanitizedProductName}', 'Postern').replaceAll('${executable}', 'postern');
  writeFileSync(file, filled, { mode: 0o755 });
}
