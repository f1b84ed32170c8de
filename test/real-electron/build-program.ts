import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'vite';
import { buildWindow } from '../../scripts/build-window.ts';
import { olderNodeModules } from './older-node-modules.ts';

const root = path.join(import.meta.dirname, '../..');

/**
 * Builds Postern into `folder`, with a keychain library, for any Electron with Node 20.18 or newer; with these plugins
 * for the main process and for the pages.
 */
export async function buildProgram(folder: string, inMain: Plugin[] = [], inPages: Plugin[] = []): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  await buildWindow(path.join(folder, 'dist'), [...inMain, olderNodeModules], inPages);
  const { name, productName, version, type } = JSON.parse(
    readFileSync(path.join(root, 'package.json'), 'utf8'),
  ) as Record<string, unknown>;
  const main = 'dist/main/index.js';
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ name, productName, version, type, main }));
  copyKeytar(path.join(folder, 'node_modules/keytar'));
}

/** The installed keytar, rebuilt if its Node-API version is not in every Electron. */
function copyKeytar(folder: string): void {
  const source = path.join(root, 'node_modules/keytar');
  execFileSync('bash', ['-c', '. scripts/bootstrap.sh && repair_keychain'], { cwd: root, stdio: ['ignore', 2, 2] });
  for (const part of ['package.json', 'lib', 'build/Release/keytar.node'])
    cpSync(path.join(source, part), path.join(folder, part), { recursive: true });
}
