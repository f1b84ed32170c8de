import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'vite';
import { buildWindow } from '../../scripts/build-window.ts';
import { olderNodeModules } from './older-node-modules.ts';

const root = path.join(import.meta.dirname, '../..');

/**
 * Builds the program into `folder`, with a keychain library, for any Electron whose Node is 20.18 or newer; with these
 * plugins for the main process and for the pages.
 */
export async function buildProgram(folder: string, inMain: Plugin[] = [], inPages: Plugin[] = []): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  await buildWindow(path.join(folder, 'dist'), [...inMain, olderNodeModules], inPages);
  const { name, productName, version, type } = JSON.parse(
    readFileSync(path.join(root, 'package.json'), 'utf8'),
  ) as Record<string, unknown>;
  const main = 'dist/main/index.js';
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ name, productName, version, type, main }));
  buildKeytar(path.join(folder, 'node_modules/keytar'));
}

/**
 * keytar asks for the Node-API of the Node that builds it, and ends an older one by a signal. On other systems than Linux
 * the lane runs on an Electron of today, and takes the one that is installed.
 */
function buildKeytar(folder: string): void {
  const source = path.join(root, 'node_modules/keytar');
  if (process.platform !== 'linux') return cpSync(source, folder, { recursive: true });
  cpSync(source, folder, { recursive: true, filter: (file) => path.basename(file) !== 'build' });
  const out = path.join(folder, 'build/Release');
  mkdirSync(out, { recursive: true });
  const flags = (option: string): string[] =>
    execFileSync('pkg-config', [option, 'libsecret-1'], { encoding: 'utf8' }).trim().split(/\s+/u);
  const headers = path.join(root, `node_modules/node/node_modules/node-linux-${process.arch}/include/node`);
  execFileSync('c++', [
    ...['-std=c++17', '-O1', '-fPIC', '-shared', '-w', '-DNAPI_VERSION=8', '-DNODE_GYP_MODULE_NAME=keytar'],
    ...['-DBUILDING_NODE_EXTENSION', '-I', headers, '-I', path.join(root, 'node_modules/node-addon-api')],
    ...['async', 'main', 'keytar_posix'].map((name) => path.join(source, `src/${name}.cc`)),
    ...[...flags('--cflags'), ...flags('--libs'), '-o', path.join(out, 'keytar.node')],
  ]);
}
