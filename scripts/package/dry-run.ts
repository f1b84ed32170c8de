import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Arch, build, Platform } from 'electron-builder';
import { writePlaceholderElectron } from './placeholder-electron.ts';

const root = path.join(import.meta.dirname, '../..');

/** This machine's processor, for which keytar is built, in electron-builder's terms. */
const hostArch = process.arch === 'arm64' ? Arch.arm64 : Arch.x64;

/**
 * Packages the build for Linux, unpacked, with a placeholder instead of Electron, so nothing is downloaded. Returns the
 * package's folder, under `output`.
 */
export async function dryRunPackage(output: string, config: Record<string, unknown> = {}): Promise<string> {
  const electronDist = mkdtempSync(path.join(tmpdir(), 'postern-electron-'));
  try {
    writePlaceholderElectron(electronDist);
    await build({
      projectDir: root,
      targets: Platform.LINUX.createTarget('dir', hostArch),
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
  return path.join(output, hostArch === Arch.arm64 ? 'linux-arm64-unpacked' : 'linux-unpacked');
}

if (import.meta.main) {
  const folder = await dryRunPackage(path.resolve(process.argv[2] ?? 'out'));
  console.error(`Packaged into ${folder}, with a placeholder instead of Electron.`);
}
