import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Arch } from 'electron-builder';
import type { AfterPackContext } from 'electron-builder';
import { readNativeTarget } from './native-architecture.ts';
import { packedKeytar, refuseNewerApi } from './packed-keytar.ts';

/**
 * Fails if keytar is missing, if a release has no pipe, or if either was built for another system or processor.
 */
export async function afterPack({ appOutDir, arch, electronPlatformName, packager }: AfterPackContext): Promise<void> {
  const resources = packager.getResourcesDir(appOutDir);
  const keytar = path.join(resources, packedKeytar);
  if (!existsSync(keytar)) {
    throw new Error('keytar.node is not in the package. Run `npm rebuild keytar` and read its output.');
  }
  requireTarget(keytar, electronPlatformName, Arch[arch]);
  if (process.env['POSTERN_RELEASE'] === '1')
    refuseNewerApi(path.join(packager.projectDir, 'node_modules/keytar/build/config.gypi'));
  const pipe = path.join(resources, electronPlatformName === 'win32' ? 'bin/postern-pipe.exe' : 'bin/postern-pipe');
  if (existsSync(pipe)) requireTarget(pipe, electronPlatformName, Arch[arch]);
  else if (process.env['POSTERN_RELEASE'] === '1') {
    throw new Error('postern-pipe is not in the package. Run `npx node scripts/build-native-pipe.ts`.');
  }
}

function requireTarget(file: string, platform: string, architecture: string): void {
  const target = readNativeTarget(readFileSync(file));
  if (target?.platform !== platform || !target.architectures.includes(architecture)) {
    const found = target ? `${target.platform}-${target.architectures.join('+')}` : 'something else';
    throw new Error(`${path.basename(file)} in the package is for ${found}, not for ${platform}-${architecture}.`);
  }
}
