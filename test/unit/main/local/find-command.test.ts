import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { findCommand } from '../../../../main/local/find-command.ts';
import { searchPath } from '../../../../main/local/local-environment.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

/** A folder with programs of these names. */
function programs(...names: readonly string[]): string {
  const folder = temporaryFolder();
  for (const name of names) {
    writeFileSync(path.join(folder, name), '');
    chmodSync(path.join(folder, name), 0o755);
  }
  return folder;
}

const onPosix = { extensions: [], platform: 'linux' } as const;
const onWindows = { extensions: ['.COM', '.EXE', '.BAT', '.CMD'], platform: 'win32' } as const;
const notFound = expect.objectContaining({ code: 'LOCAL_NOT_FOUND' });

describe('a command by its name', () => {
  it('is not looked for in a relative folder, which is another one wherever Postern stands', async () => {
    const folder = programs('tool');
    const relative = path.relative(process.cwd(), folder);
    const find = (searched: string) => findCommand('tool', folder, { ...onPosix, searched });
    for (const searched of [relative, '.', '', `.${path.delimiter}${relative}`])
      expect(() => find(searched)).toThrow(notFound);
    expect(find([relative, folder].join(path.delimiter))).toBe(path.join(folder, 'tool'));
    const PATH = ['.', relative, '', folder].join(path.delimiter);
    expect(await searchPath({ PATH })).toBe(folder);
  });

  it('is a program, and no file that may not be run', () => {
    const folder = programs('tool');
    chmodSync(path.join(folder, 'tool'), 0o644);
    expect(() => findCommand('tool', undefined, { ...onPosix, searched: folder })).toThrow(notFound);
  });
});

describe('a command by its name on Windows', () => {
  it.each([
    ['python3.11', ['python3.11', 'python3.11.EXE'], 'python3.11.EXE'],
    ['node', ['node.CMD', 'node.EXE'], 'node.EXE'],
    ['npx.cmd', ['npx.cmd', 'npx.cmd.EXE'], 'npx.cmd'],
    ['uvx.exe', ['uvx.exe'], 'uvx.exe'],
  ])('%s is one that Windows runs, by the ends of names in their order', (command, there, found) => {
    const searched = programs(...there);
    expect(path.basename(findCommand(command, undefined, { ...onWindows, searched }))).toBe(found);
  });

  it('is no file without such an end', () => {
    const searched = programs('python3.11', 'tool');
    for (const command of ['python3.11', 'tool'])
      expect(() => findCommand(command, undefined, { ...onWindows, searched })).toThrow(notFound);
  });
});
