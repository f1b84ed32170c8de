import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  findProgram,
  findSystemProgram,
  windowsPrograms,
} from '../../../../../main/user-agent/browser/find-program.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

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
  });
});
