import { chmodSync, copyFileSync, existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { Arch } from 'electron-builder';
import type { AfterPackContext as PackContext } from 'electron-builder';

/**
 * One machine packages for several processors. keytar and the pipe were built on each of them beforehand and are in
 * `native/<platform>-<processor>/`, keytar with its `config.gypi`. Without one there, the keytar that npm built on this
 * machine is packaged.
 */
export async function beforePack({ arch, electronPlatformName, packager }: PackContext): Promise<void> {
  const { projectDir } = packager;
  const folder = path.join(projectDir, 'native', `${electronPlatformName}-${Arch[arch]}`);
  const pipe = path.join(folder, 'postern-pipe');
  // Artifacts passed between workflow jobs lose their executable bit.
  if (existsSync(pipe)) chmodSync(pipe, 0o755);
  const built = path.join(folder, 'keytar.node');
  if (!existsSync(built)) return;
  const target = path.join(projectDir, 'node_modules/keytar/build');
  mkdirSync(path.join(target, 'Release'), { recursive: true });
  copyFileSync(built, path.join(target, 'Release/keytar.node'));
  copyFileSync(path.join(folder, 'config.gypi'), path.join(target, 'config.gypi'));
}
