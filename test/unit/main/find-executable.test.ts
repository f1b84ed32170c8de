import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  findExecutable,
  findSystemExecutable,
  restrictSearchPath,
  searchFolders,
  windowsExecutables,
} from '../../../main/find-executable.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

describe('searchFolders', () => {
  it.each([
    ['linux', { PATH: '.::/opt/b:bin:../x:~/bin:/usr/bin:' }, ['/opt/b', '/usr/bin']],
    ['darwin', { PATH: '' }, []],
    ['linux', {}, []],
    [
      'win32',
      { Path: String.raw`.;;C:\Tools;tools;\tools;C:tools;\\server\tools;d:/tools` },
      [String.raw`C:\Tools`, String.raw`\\server\tools`, 'd:/tools'],
    ],
    ['win32', { PATH: String.raw`C:\A` }, [String.raw`C:\A`]],
  ] as const)('on %s keeps the absolute folders of %j', (platform, env, folders) => {
    expect(searchFolders(env, platform)).toEqual(folders);
  });
});

describe('restrictSearchPath', () => {
  it.each([
    ['linux', { PATH: '.:/opt/b::/usr/bin', HOME: '/h' }, { PATH: '/opt/b:/usr/bin', HOME: '/h' }],
    ['linux', { PATH: '.:' }, { PATH: '/usr/bin:/bin' }],
    ['linux', {}, { PATH: '/usr/bin:/bin' }],
    ['win32', { Path: String.raw`.;C:\A` }, { Path: String.raw`C:\A` }],
  ] as const)('on %s leaves nothing else in %j', (platform, given, expected) => {
    const env: Record<string, string | undefined> = { ...given };
    restrictSearchPath(env, platform);
    expect(env).toEqual(expected);
  });
});

function folderWith(name: string): string {
  const folder = temporaryFolder();
  writeFileSync(path.join(folder, name), '', { mode: 0o755 });
  return folder;
}

describe.skipIf(process.platform === 'win32')('findExecutable', () => {
  it('finds the first program in an absolute folder of PATH', () => {
    const [first, second] = [folderWith('tool'), folderWith('tool')];
    const relative = path.relative(process.cwd(), first);
    expect(findExecutable('tool', { PATH: `${relative}:.::${second}:${first}` }, 'linux')).toBe(
      path.join(second, 'tool'),
    );
    expect(findExecutable('tool', { PATH: `${relative}:.:` }, 'linux')).toBeUndefined();
    expect(findExecutable('tool', {}, 'linux')).toBeUndefined();
  });

  it('finds neither a folder nor a file that is not executable', () => {
    const folder = folderWith('plain');
    chmodSync(path.join(folder, 'plain'), 0o644);
    mkdirSync(path.join(folder, 'sub'));
    for (const name of ['plain', 'sub']) expect(findExecutable(name, { PATH: folder }, 'linux')).toBeUndefined();
  });
});

describe.skipIf(process.platform === 'win32')('findSystemExecutable', () => {
  it("searches the system's own folders first, then PATH", () => {
    const [system, own] = [folderWith('opener'), folderWith('opener')];
    expect(findSystemExecutable('opener', { PATH: own }, [system])).toBe(path.join(system, 'opener'));
    expect(findSystemExecutable('opener', { PATH: `.:${own}` }, [temporaryFolder()])).toBe(path.join(own, 'opener'));
    expect(findSystemExecutable('opener', { PATH: '.' }, [temporaryFolder()])).toBeUndefined();
  });
});

describe('windowsExecutables', () => {
  it.each([
    [String.raw`C:\Windows`, String.raw`C:\Windows\System32`],
    [String.raw`d:\WINNT`, String.raw`d:\WINNT\System32`],
    ['', String.raw`C:\Windows\System32`],
    ['.', String.raw`C:\Windows\System32`],
    [String.raw`\Windows`, String.raw`C:\Windows\System32`],
    [String.raw`\\server\share`, String.raw`C:\Windows\System32`],
    [String.raw`C:\Users\x\Windows`, String.raw`C:\Windows\System32`],
    [String.raw`C:\Windows\..\x`, String.raw`C:\Windows\System32`],
  ])('are, with SystemRoot %j, in %s', (root, folder) => {
    expect(windowsExecutables({ SystemRoot: root })).toBe(folder);
    // A copy of the environment on Windows is case-sensitive.
    expect(windowsExecutables({ SYSTEMROOT: root })).toBe(folder);
  });
});
