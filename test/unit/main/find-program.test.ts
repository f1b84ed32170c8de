import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  findProgram,
  findSystemProgram,
  keepSearchFolders,
  searchFolders,
  windowsPrograms,
} from '../../../main/find-program.ts';
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
  ] as const)('on %s keeps the folders of %j that are named whole', (platform, env, folders) => {
    expect(searchFolders(env, platform)).toEqual(folders);
  });
});

describe('keepSearchFolders', () => {
  it.each([
    ['linux', { PATH: '.:/opt/b::/usr/bin', HOME: '/h' }, { PATH: '/opt/b:/usr/bin', HOME: '/h' }],
    ['linux', { PATH: '.:' }, { PATH: '/usr/bin:/bin' }],
    ['linux', {}, { PATH: '/usr/bin:/bin' }],
    ['win32', { Path: String.raw`.;C:\A` }, { Path: String.raw`C:\A` }],
  ] as const)('on %s leaves nothing else in %j', (platform, given, kept) => {
    const env: Record<string, string | undefined> = { ...given };
    keepSearchFolders(env, platform);
    expect(env).toEqual(kept);
  });
});

function folderWith(name: string): string {
  const folder = temporaryFolder();
  writeFileSync(path.join(folder, name), '', { mode: 0o755 });
  return folder;
}

describe.skipIf(process.platform === 'win32')('findProgram', () => {
  it('takes the first program in a folder of PATH that is named whole', () => {
    const [first, second] = [folderWith('tool'), folderWith('tool')];
    const relative = path.relative(process.cwd(), first);
    expect(findProgram('tool', { PATH: `${relative}:.::${second}:${first}` }, 'linux')).toBe(path.join(second, 'tool'));
    expect(findProgram('tool', { PATH: `${relative}:.:` }, 'linux')).toBeUndefined();
    expect(findProgram('tool', {}, 'linux')).toBeUndefined();
  });

  it('takes neither a folder nor a file that cannot be run', () => {
    const folder = folderWith('plain');
    chmodSync(path.join(folder, 'plain'), 0o644);
    mkdirSync(path.join(folder, 'sub'));
    for (const name of ['plain', 'sub']) expect(findProgram(name, { PATH: folder }, 'linux')).toBeUndefined();
  });
});

describe.skipIf(process.platform === 'win32')('findSystemProgram', () => {
  it("looks into the system's own folders first, then into PATH", () => {
    const [system, own] = [folderWith('opener'), folderWith('opener')];
    expect(findSystemProgram('opener', { PATH: own }, [system])).toBe(path.join(system, 'opener'));
    expect(findSystemProgram('opener', { PATH: `.:${own}` }, [temporaryFolder()])).toBe(path.join(own, 'opener'));
    expect(findSystemProgram('opener', { PATH: '.' }, [temporaryFolder()])).toBeUndefined();
  });
});

describe('windowsPrograms', () => {
  it.each([
    [String.raw`C:\Windows`, String.raw`C:\Windows\System32`],
    [String.raw`d:\WINNT`, String.raw`d:\WINNT\System32`],
    ['', String.raw`C:\Windows\System32`],
    ['.', String.raw`C:\Windows\System32`],
    [String.raw`\Windows`, String.raw`C:\Windows\System32`],
    [String.raw`\\server\share`, String.raw`C:\Windows\System32`],
    [String.raw`C:\Users\x\Windows`, String.raw`C:\Windows\System32`],
    [String.raw`C:\Windows\..\x`, String.raw`C:\Windows\System32`],
  ])('with SystemRoot %j are in %s', (root, folder) => {
    expect(windowsPrograms({ SystemRoot: root })).toBe(folder);
    // A copy of Windows' environment minds case.
    expect(windowsPrograms({ SYSTEMROOT: root })).toBe(folder);
  });
});
