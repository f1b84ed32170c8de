import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { isTranslocated, pipeCommand, updateInstalledPipe } from '../../../../../main/host/apps/pipe-command.ts';
import { createLocks } from '../../../../../main/storage/files/kernel-locks.ts';
import { createStoredData } from '../../../../../main/storage/profile/stored-data.ts';
import { createMemoryKeychain } from '../../../../support/memory-keychain.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

/** The resources of a package, with a pipe and a package type if given. */
function unpack({ pipe, type }: { readonly pipe?: string; readonly type?: string }) {
  const resources = path.join(temporaryFolder(), 'resources');
  mkdirSync(path.join(resources, 'bin'), { recursive: true });
  if (pipe !== undefined) writeFileSync(path.join(resources, 'bin/postern-pipe'), pipe, { mode: 0o755 });
  if (type !== undefined) writeFileSync(path.join(resources, 'package-type'), `${type}\n`);
  return { isPackaged: true, channel: 'stable', resources } as const;
}

describe.skipIf(process.platform !== 'linux')('pipeCommand', () => {
  it('is the launcher in the source tree, run by the current Node', async () => {
    const { command, args } = await pipeCommand({ isPackaged: false, channel: 'dev' }, temporaryFolder());
    expect(command).toBe(process.execPath);
    expect(args).toEqual([path.join(import.meta.dirname, '../../../../../bin/postern.js'), 'proxy']);
  });

  it('is the native pipe of a package that stays in place', async () => {
    const installation = unpack({ pipe: 'one', type: 'deb' });
    const folder = temporaryFolder();
    const native = path.join(installation.resources, 'bin/postern-pipe');
    expect(await pipeCommand(installation, folder)).toEqual({ command: native, args: [] });
    expect(existsSync(path.join(folder, 'bin'))).toBe(false);
  });

  it('is Postern itself if the package has no pipe', async () => {
    const { command, args } = await pipeCommand(unpack({ type: 'deb' }), temporaryFolder());
    expect([command, ...args]).toEqual([process.execPath, '--cli', '--', 'proxy']);
  });

  it('is a copy in the profile for a package that can move, and the copy knows the executable', async () => {
    const folder = temporaryFolder();
    const { command, args } = await pipeCommand(unpack({ pipe: 'one' }), folder);
    expect([command, ...args]).toEqual([path.join(folder, 'bin/postern-pipe')]);
    expect(readFileSync(command, 'utf8')).toBe('one');
    expect(statSync(command).mode & 0o777).toBe(0o700);
    expect(readFileSync(`${command}.start`, 'utf8')).toBe(process.execPath);
  });

  it('names the AppImage file, because it is mounted elsewhere each time', async () => {
    vi.stubEnv('APPIMAGE', '/home/user/Postern.AppImage');
    try {
      const { command } = await pipeCommand(unpack({ pipe: 'one', type: 'deb' }), temporaryFolder());
      expect(readFileSync(`${command}.start`, 'utf8')).toBe('/home/user/Postern.AppImage');
    } finally {
      vi.unstubAllEnvs();
    }
  });
});

describe.skipIf(process.platform !== 'linux')('updateInstalledPipe', () => {
  it('updates an existing copy, and creates none', async () => {
    const folder = temporaryFolder();
    await updateInstalledPipe(unpack({ pipe: 'one' }), folder);
    expect(existsSync(path.join(folder, 'bin'))).toBe(false);
    const { command } = await pipeCommand(unpack({ pipe: 'one' }), folder);
    await updateInstalledPipe(unpack({ pipe: 'two' }), folder);
    expect(readFileSync(command, 'utf8')).toBe('two');
    expect(statSync(command).mode & 0o777).toBe(0o700);
  });

  it('is removed with everything else', async () => {
    const folder = temporaryFolder();
    await pipeCommand(unpack({ pipe: 'one' }), folder);
    const storedData = createStoredData({ folder, keychain: createMemoryKeychain(), locks: createLocks(folder) });
    await storedData.deleteRest();
    expect(existsSync(path.join(folder, 'bin'))).toBe(false);
  });
});

describe('isTranslocated', () => {
  const moved = '/private/var/folders/x/T/AppTranslocation/5A0C/d/Postern.app/Contents/MacOS/Postern';
  it.each([
    [moved, 'darwin', true],
    ['/Applications/Postern.app/Contents/MacOS/Postern', 'darwin', false],
    [moved, 'linux', false],
  ] as const)('recognizes %s on %s: %s', (app, platform, expected) => {
    expect(isTranslocated(app, platform)).toBe(expected);
  });
});
