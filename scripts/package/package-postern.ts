// `npm run package`: makes installers for this system from the build. `npm run package -- x64` for one processor.
import path from 'node:path';
import { Arch, build, Platform } from 'electron-builder';
import { packageOptions } from './package-options.ts';

const root = path.join(import.meta.dirname, '../..');
const platforms: Readonly<Partial<Record<NodeJS.Platform, Platform>>> = {
  darwin: Platform.MAC,
  win32: Platform.WINDOWS,
  linux: Platform.LINUX,
};

const platform = platforms[process.platform];
if (!platform) throw new Error(`Postern is not packaged for ${process.platform}`);
const chosen = process.argv.slice(2);
const architectures = chosen.length === 0 ? [Arch.x64, Arch.arm64] : chosen.map(readArchitecture);

const { config, missing } = packageOptions(process.env, process.platform);
if (missing.length > 0) throw new Error(`A release needs ${missing.join(', ')} (docs/releasing.md)`);
const files = await build({
  projectDir: root,
  targets: platform.createTarget(null, ...architectures),
  publish: 'never',
  config: { extends: path.join(root, 'electron-builder.yml'), ...config },
});
for (const file of files) console.log(path.relative(root, file));

function readArchitecture(text: string): Arch {
  if (text === 'x64') return Arch.x64;
  if (text === 'arm64') return Arch.arm64;
  throw new Error(`Unknown processor ${text}; use x64 or arm64`);
}
