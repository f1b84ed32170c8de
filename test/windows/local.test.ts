import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { installed, openPostern, plainServer } from './postern.ts';
import { makeFolder, pathThere, run, theWindows } from './windows.ts';

/** Local servers on Windows. */

const { node } = theWindows();

/** Adds a local server and returns what one of its tools reports. */
async function callLocal(command: readonly string[], tool: string, options: { readonly cwd?: string } = {}) {
  const postern = openPostern();
  const added = await postern.run(['local', 'add', 'Here', '--yes', '--', ...command], options);
  if (added.code !== 0) throw new Error(`${added.stdout}${added.stderr}`);
  const { content } = (await postern.json(['call', 'Here', tool], options)) as { content: [{ text: string }] };
  return JSON.parse(content[0].text) as unknown;
}

/** Each means something to cmd.exe. */
const hostileWords = [
  '"x&y"',
  'x&echo planted',
  '%PATH%',
  '%OS%',
  '^',
  '^^caret',
  'a b',
  '"a b"',
  '!x!',
  '!PATH!',
  'a|b',
  '<in',
  '>out',
  '(paren)',
  'semi;colon',
  'comma,equals=',
  String.raw`back\slash\\`,
  String.raw`end\"`,
  'ünïcode ✓',
];

describe('a local server on Windows', () => {
  it('gets every word as it was given, without a shell', async () => {
    const words = [...hostileWords, ''];
    expect(await callLocal([node, plainServer(), ...words], 'words')).toEqual(words);
  });

  it('gets every word through a .cmd file as well, as npm, pnpm and volta install commands', async () => {
    const folder = makeFolder('cmd');
    const server = plainServer(folder);
    writeFileSync(path.join(folder, 'server.cmd'), `@ECHO off\r\n"${node}" "${server}" %*\r\n`);
    expect(await callLocal([pathThere(path.join(folder, 'server.cmd')), ...hostileWords], 'words')).toEqual(
      hostileWords,
    );
  });

  it('is found on the PATH with an extension of PATHEXT', async () => {
    const folder = makeFolder('bin');
    const server = plainServer(folder);
    writeFileSync(path.join(folder, 'my-server.cmd'), `@"${node}" "${server}" %*\r\n`);
    const postern = openPostern();
    const env = { PATH: String.raw`${pathThere(folder)};C:\windows\system32` };
    const added = await postern.run(['local', 'add', 'Here', '--yes', '--', 'my-server', 'one'], { env });
    expect(added).toMatchObject({ code: 0 });
  });

  it('gets the variables that Windows programs need, and none of the user’s', async () => {
    const postern = openPostern();
    const server = plainServer();
    const env = { SECRET_OF_MINE: 'no', PathExt: '.EXE;.CMD' };
    expect((await postern.run(['local', 'add', 'Here', '--yes', '--', node, server], { env })).code).toBe(0);
    const { content } = (await postern.json(['call', 'Here', 'environment'], { env })) as {
      content: [{ text: string }];
    };
    const names = Object.keys(JSON.parse(content[0].text) as object).map((name) => name.toUpperCase());
    expect(names).toEqual(expect.arrayContaining(['PATH', 'PATHEXT', 'SYSTEMROOT', 'TEMP', 'USERPROFILE', 'APPDATA']));
    expect(names).not.toContain('SECRET_OF_MINE');
    expect(new Set(names).size).toBe(names.length);
  });
});

/** Names that Windows, or a program of Postern's, starts without a folder. */
const planted = ['taskkill', 'powershell', 'cmd', 'rundll32', 'node', 'tasklist', 'where', 'wmic', 'icacls', 'reg'];

describe('programs in the current folder', () => {
  it('are never started in place of those of the system', async () => {
    const folder = makeFolder('planted');
    const marks = makeFolder('marks');
    for (const name of planted)
      for (const extension of ['.cmd', '.bat'])
        writeFileSync(
          path.join(folder, `${name}${extension}`),
          `@echo ran> "${pathThere(path.join(marks, `${name}${extension}`))}"\r\n`,
        );
    const cwd = pathThere(folder);
    const server = plainServer();
    const cmd = makeFolder('cmd');
    writeFileSync(path.join(cmd, 'server.cmd'), `@"${node}" "${server}" %*\r\n`);
    const postern = openPostern();
    await postern.run(['local', 'add', 'Here', '--yes', '--', pathThere(path.join(cmd, 'server.cmd'))], { cwd });
    await postern.run(['call', 'Here', 'where'], { cwd });
    await postern.run(['doctor'], { cwd });
    await postern.run(['connect', 'http://127.0.0.1:9/mcp', '--local', '--sign-in', 'browser'], { cwd });
    expect(
      planted.flatMap((name) => ['.cmd', '.bat'].filter((end) => existsSync(path.join(marks, name + end)))),
    ).toEqual([]);
  });
});

describe('the command that npm installs on Windows', () => {
  it('runs through its .cmd file', async () => {
    const folder = makeFolder('npm');
    mkdirSync(path.join(folder, 'bin'));
    // As npm's cmd-shim writes it.
    writeFileSync(path.join(folder, 'postern.cmd'), `@ECHO off\r\n"${node}" "${installed('bin/postern.js')}" %*\r\n`);
    const command = `"${pathThere(path.join(folder, 'postern.cmd'))}" list --json`;
    const env = { POSTERN_HOME: pathThere(makeFolder('profile')) };
    const ended = await run(String.raw`C:\windows\system32\cmd.exe`, ['/d', '/s', '/c', `"${command}"`], {
      env,
      verbatim: true,
    });
    expect(ended).toMatchObject({ code: 0 });
    expect(ended.stdout).toContain('"integrations"');
  });
});
