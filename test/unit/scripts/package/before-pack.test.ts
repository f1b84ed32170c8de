import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Arch } from 'electron-builder';
import { describe, expect, it } from 'vitest';
import { beforePack } from '../../../../scripts/package/before-pack.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

type Context = Parameters<typeof beforePack>[0];

const pack = (projectDir: string): Promise<void> =>
  beforePack({ arch: Arch.arm64, electronPlatformName: 'linux', packager: { projectDir } } as Context);

describe('beforePack', () => {
  it.skipIf(process.platform === 'win32')('makes a pipe from another machine executable', async () => {
    const project = temporaryFolder();
    const native = path.join(project, 'native/linux-arm64');
    mkdirSync(native, { recursive: true });
    const pipe = path.join(native, 'postern-pipe');
    writeFileSync(pipe, '');
    chmodSync(pipe, 0o644);
    await pack(project);
    expect(statSync(pipe).mode & 0o777).toBe(0o755);
  });

  it('uses the keytar of the packaged processor', async () => {
    const project = temporaryFolder();
    for (const [target, text] of Object.entries({ 'linux-arm64': 'wanted', 'linux-x64': 'other' })) {
      const native = path.join(project, 'native', target);
      mkdirSync(native, { recursive: true });
      for (const name of ['keytar.node', 'config.gypi']) writeFileSync(path.join(native, name), text);
    }
    await pack(project);
    const build = path.join(project, 'node_modules/keytar/build');
    expect(readFileSync(path.join(build, 'Release/keytar.node'), 'utf8')).toBe('wanted');
    expect(readFileSync(path.join(build, 'config.gypi'), 'utf8')).toBe('wanted');
  });
});
