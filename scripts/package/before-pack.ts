import { chmodSync, copyFileSync, existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { Arch } from 'electron-builder';
import type { AfterPackContext as PackContext } from 'electron-builder';

/**
 * One machine packages for several processors: keytar and the pipe were built on one of each beforehand, and lie in
 * `native/<platform>-<processor>/`, keytar with what it was built for. Without one there, the keytar that npm built here
 * goes in.
 */
export async function beforePack({ arch, electronPlatformName, packager }: PackContext): Promise<void> {
  const { projectDir } = packager;
  const folder = path.join(projectDir, 'native', `${electronPlatformName}-${Arch[arch]}`);
  const pipe = path.join(folder, 'postern-pipe');
  // What one job of a workflow hands to the next may be run by nobody any more.
  if (existsSync(pipe)) chmodSync(pipe, 0o755);
  const built = path.join(folder, 'keytar.node');
  if (!existsSync(built)) return;
  const target = path.join(projectDir, 'node_modules/keytar/build');
  mkdirSync(path.join(target, 'Release'), { recursive: true });
  copyFileSync(built, path.join(target, 'Release/keytar.node'));
  copyFileSync(path.join(folder, 'config.gypi'), path.join(target, 'config.gypi'));
}
