import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Arch } from 'electron-builder';
import type { AfterPackContext } from 'electron-builder';
import { readNativeTarget } from './native-architecture.ts';
import { packedKeytar } from './packed-keytar.ts';

/** Stops a package that would have no keychain: keytar missing, or built for another system or processor. */
export async function afterPack({ appOutDir, arch, electronPlatformName, packager }: AfterPackContext): Promise<void> {
  const resources = packager.getResourcesDir(appOutDir);
  const file = path.join(resources, packedKeytar);
  if (!existsSync(file)) {
    throw new Error('keytar.node is not in the package. Run `npm rebuild keytar` and look at what it prints.');
  }
  const target = readNativeTarget(readFileSync(file));
  const wanted = Arch[arch];
  if (target?.platform !== electronPlatformName || !target.architectures.includes(wanted)) {
    const found = target ? `${target.platform}-${target.architectures.join('+')}` : 'something else';
    throw new Error(`keytar.node in the package is for ${found}, not for ${electronPlatformName}-${wanted}.`);
  }
}
