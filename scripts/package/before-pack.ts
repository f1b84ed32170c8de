import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { Arch } from 'electron-builder';
import type { AfterPackContext as PackContext } from 'electron-builder';

/**
 * One machine packages for several processors: keytar was built on one of each beforehand, and lies in
 * `native/<platform>-<processor>/keytar.node`, with what it was built for. Without that folder the one that npm built here
 * goes in.
 */
export async function beforePack({ arch, electronPlatformName, packager }: PackContext): Promise<void> {
  const { projectDir } = packager;
  const built = path.join(projectDir, 'native', `${electronPlatformName}-${Arch[arch]}`, 'keytar.node');
  if (!existsSync(built)) return;
  const target = path.join(projectDir, 'node_modules/keytar/build');
  mkdirSync(path.join(target, 'Release'), { recursive: true });
  copyFileSync(built, path.join(target, 'Release/keytar.node'));
  copyFileSync(path.join(path.dirname(built), 'config.gypi'), path.join(target, 'config.gypi'));
}
