import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { findAppCommand, readShimTarget } from '../../../../../main/apps/files/find-app-command.ts';
import { createAppFiles } from '../../../../../main/apps/files/app-files.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

/** As npm 11 writes it. */
const ofNpm = (target: string, prog = '"%_prog%" ') =>
  [
    '@ECHO off\r\nGOTO start\r\n:find_dp0\r\nSET dp0=%~dp0\r\nEXIT /b\r\n:start\r\nSETLOCAL\r\nCALL :find_dp0\r\n\r\n',
    'IF EXIST "%dp0%\\node.exe" (\r\n  SET "_prog=%dp0%\\node.exe"\r\n) ELSE (\r\n  SET "_prog=node"\r\n',
    '  SET PATHEXT=%PATHEXT:;.JS;=;%\r\n)\r\n\r\n',
    `endLocal & goto #_undefined_# 2>NUL || title %COMSPEC% & ${prog} "%dp0%\\${target}" %*\r\n`,
  ].join('');
/** As pnpm writes it. */
const ofPnpm = (target: string) =>
  `@IF EXIST "%~dp0\\node.exe" (\r\n  "%~dp0\\node.exe"  "%~dp0\\${target}" %*\r\n) ELSE (\r\n  node  "%~dp0\\${target}" %*\r\n)\r\n`;

const script = 'node_modules\\@anthropic-ai\\claude-code\\cli.js';

/** A fake PATH folder on Windows. */
function folderWith(files: Readonly<Record<string, string>>) {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name.replaceAll('\\', '/'));
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text, { mode: 0o755 });
  }
  const at = (name: string): string => path.join(folder, name.replaceAll('\\', '/'));
  const findExecutable = (name: string): string | undefined =>
    [name, `${name}.exe`].filter((each) => Object.hasOwn(files, each) && each.includes('.')).map(at)[0];
  return {
    at,
    find: (places: readonly string[] = []) => findAppCommand('claude', places, { platform: 'win32', findExecutable }),
  };
}

describe('findAppCommand', () => {
  it('prefers an .exe on the PATH to the files next to it', async () => {
    const { at, find } = folderWith({ 'claude.exe': '', 'claude.cmd': ofNpm(script), [script]: '', 'node.exe': '' });
    expect(await find()).toEqual({ command: at('claude.exe'), args: [] });
  });

  it('finds an .exe in one of the given places', async () => {
    const { at, find } = folderWith({ 'local\\claude.exe': '' });
    expect(await find([at('local\\claude')])).toEqual({ command: at('local\\claude.exe'), args: [] });
  });

  it.each([
    ['npm', ofNpm(script)],
    ['pnpm', ofPnpm(script)],
    // For a script whose first line passes options to Node.
    ['npm', ofNpm(script, '"%_prog%" --no-warnings --enable-source-maps')],
  ])('runs the script of claude.cmd from %s directly with Node', async (_name, text) => {
    const { at, find } = folderWith({ 'claude.cmd': text, [script]: '', 'node.exe': '' });
    expect(await find()).toEqual({ command: at('node.exe'), args: [at(script)] });
  });

  it('runs the .exe of claude.cmd directly', async () => {
    const { at, find } = folderWith({ 'claude.cmd': ofNpm('bin\\claude.exe', ''), 'bin\\claude.exe': '' });
    expect(await find()).toEqual({ command: at('bin\\claude.exe'), args: [] });
  });

  it.each([
    ['a batch file of another kind', '@echo off\r\ncall something %*\r\n'],
    ['a missing file', ofNpm('node_modules\\gone.js')],
    ['an absolute path', '"C:\\elsewhere\\cli.js" %*'],
    ['extra arguments', '"%dp0%\\cli.js" --unsafe %*'],
  ])('never runs a batch file in a shell: %s', async (_name, text) => {
    const { find } = folderWith({ 'claude.cmd': text, 'cli.js': '', 'node.exe': '' });
    expect(await find()).toBeUndefined();
  });

  it('passes shell syntax on unchanged', async () => {
    const writer = "require('node:fs').writeFileSync(__dirname + '/words', JSON.stringify(process.argv.slice(2)))";
    const { at, find } = folderWith({ 'claude.cmd': ofNpm('cli.js'), 'cli.js': writer, 'node.exe': '' });
    const found = await find();
    const words = ['add-json', '{"command":"a\\"b & calc"}', '%PATH%', '^&|<>!"', ''];
    const files = createAppFiles({
      home: path.dirname(at('x')),
      commands: { platform: 'win32', findExecutable: () => undefined },
    });
    expect(await files.run(process.execPath, [...(found?.args ?? []), ...words])).toBe(true);
    expect(JSON.parse(readFileSync(at('words'), 'utf8'))).toEqual(words);
  });
});

describe('readShimTarget', () => {
  it('inspects each character a bounded number of times', () => {
    expect(readShimTarget('"%dp0%\\'.repeat(200_000))).toBeUndefined();
  });
});
