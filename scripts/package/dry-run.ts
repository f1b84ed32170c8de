import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Arch, build, Platform } from 'electron-builder';
import { writePlaceholderElectron } from './placeholder-electron.ts';

const root = path.join(import.meta.dirname, '../..');

/** The processor of this machine, as electron-builder names it: its keytar is the one that is there. */
const here = process.arch === 'arm64' ? Arch.arm64 : Arch.x64;

/**
 * Packages the built program for Linux, unpacked, around a placeholder in Electron's place: nothing is downloaded.
 * Answers the folder of the package, under `output`.
 */
export async function packDry(output: string, config: Record<string, unknown> = {}): Promise<string> {
  const electronDist = mkdtempSync(path.join(tmpdir(), 'postern-electron-'));
  try {
    writePlaceholderElectron(electronDist);
    await build({
      projectDir: root,
      targets: Platform.LINUX.createTarget('dir', here),
      publish: 'never',
      config: {
        extends: path.join(root, 'electron-builder.yml'),
        electronDist,
        directories: { output },
        ...config,
      } as never,
    });
  } finally {
    rmSync(electronDist, { recursive: true, force: true });
  }
  return path.join(output, here === Arch.arm64 ? 'linux-arm64-unpacked' : 'linux-unpacked');
}

if (import.meta.main) {
  const folder = await packDry(path.resolve(process.argv[2] ?? 'out'));
  console.error(`Packaged into ${folder}, around a placeholder in Electron's place.`);
}
