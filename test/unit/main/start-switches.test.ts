import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { firstWordsOf } from '../../../main/cli/options/command-spec.ts';
import { commandTable } from '../../../main/cli/table/command-table.ts';
import { commandWords, pageSandbox, removeForeignAppImage, startSwitches } from '../../../main/start-switches.ts';
import { asksForBackground, backgroundSwitch } from '../../../main/window/start/system/background-start.ts';

vi.mock('electron', () => ({ app: {} }));

it('ignores switches after the first -- (IP-13)', () => {
  expect(startSwitches(['postern', '--smoke'])).toEqual(['postern', '--smoke']);
  expect(startSwitches(['postern', '--', '--smoke', '--', '--describe-guards'])).toEqual(['postern']);
});

it('starts without a window only because of a switch, never because of a link (IP-13)', () => {
  expect(asksForBackground(['postern', backgroundSwitch])).toBe(true);
  expect(asksForBackground(['postern', backgroundSwitch, '--', 'postern://open/a'])).toBe(true);
  expect(asksForBackground(['postern', '--', backgroundSwitch])).toBe(false);
});

const wordsOf = (given: readonly string[]) => commandWords(given, firstWordsOf(commandTable));
const switches = ['--ozone-platform=headless', '--disable-gpu', '--log-level=3'];

describe('commandWords', () => {
  it.each([
    [[]],
    [['--smoke']],
    [['--no-sandbox', '--user-data-dir=/tmp/x']],
    [['-psn_0_123456']],
    [['https://mcp.example.com']],
    [['somewhere.txt', 'list']],
    [['app://add?url=https://evil.example/mcp&auto=1', 'connect', 'https://evil.example/mcp']],
    [['--', 'postern://connect?url=https://evil.example/mcp']],
    [['--', 'postern:', '--cli', '--', 'remove', '--all', '--yes']],
    [['--', 'postern:', 'list']],
    [['postern://connect', '--inspect', '--load-extension=/tmp/x']],
    [['connect\0', 'https://evil.example/mcp']],
    [['a'.repeat(1_048_576)]],
  ])('runs no command for %#, so that a link only shows the window (IP-13)', (given) => {
    expect(wordsOf(given)).toBeUndefined();
  });

  it('reads every argument after the launcher’s mark', () => {
    expect(wordsOf([...switches, '--no-sandbox', '--cli', '--', 'connect', 'URL', '--name', '--cli'])).toEqual([
      'connect',
      'URL',
      '--name',
      '--cli',
    ]);
    expect(wordsOf([...switches, '--cli', '--', 'tols'])).toEqual(['tols']);
    expect(wordsOf([...switches, '--cli', '--'])).toEqual([]);
  });

  it('reads a command without the launcher, but no Chromium switches before it (IP-13)', () => {
    expect(wordsOf([...switches, 'list', '--json'])).toEqual(['list', '--json']);
    expect(wordsOf(['--json', 'tools', 'ID'])).toEqual(['--json', 'tools', 'ID']);
    expect(wordsOf(['ls'])).toEqual(['ls']);
    expect(wordsOf(['--version'])).toEqual(['--version']);
    expect(wordsOf(['--no-sandbox', '--help'])).toEqual(['--help']);
  });
});

const mount = path.resolve('/tmp/.mount_PosterAb12');

it.each([
  ['its own', { APPIMAGE: '/home/me/Postern.AppImage', APPDIR: mount }, path.join(mount, 'resources'), true],
  ['that of a surrounding terminal', { APPIMAGE: '/home/me/Editor.AppImage', APPDIR: mount }, '/opt/Postern', false],
  ['one in a similar folder', { APPIMAGE: '/home/me/Editor.AppImage', APPDIR: mount }, `${mount}4/resources`, false],
  ['one without a folder', { APPIMAGE: '/home/me/Editor.AppImage' }, '/opt/Postern/resources', false],
])('keeps the AppImage variables only if it runs from that AppImage: %s', (_whose, variables, resources, isOwn) => {
  const env: NodeJS.ProcessEnv = { ...variables };
  removeForeignAppImage(env, resources);
  expect('APPIMAGE' in env).toBe(isOwn);
});

describe('pageSandbox', () => {
  it.each([
    [false, {}, 'on'],
    [false, { APPIMAGE: '/opt/Postern.AppImage' }, 'on'],
    [true, {}, 'off'],
    [true, { APPIMAGE: '/opt/Postern.AppImage' }, 'leftOut'],
  ])('reports who turned it off (%s, %j)', (isSwitchedOff, env, sandbox) => {
    expect(pageSandbox(isSwitchedOff, env)).toBe(sandbox);
  });
});
