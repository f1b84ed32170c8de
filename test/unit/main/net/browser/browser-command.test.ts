import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { browserAddress } from '../../../../../main/address/check-address.ts';
import { browserCommands } from '../../../../../main/net/system-browser.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

const url = browserAddress('https://auth.example.com/authorize?a=1&b=%22$(x)');
const system32 = String.raw`C:\Windows\System32`;

/** A PATH folder with executables of these names. */
function folderOf(...names: string[]): string {
  const folder = temporaryFolder();
  for (const name of names) writeFileSync(join(folder, name), '', { mode: 0o755 });
  return folder;
}

describe('browserCommands', () => {
  it.each([
    ['darwin', '/usr/bin/open', [url]],
    ['win32', String.raw`${system32}\rundll32.exe`, [String.raw`${system32}\url.dll,FileProtocolHandler`, url]],
  ] as const)('uses, on %s, the system opener by its full path', (platform, file, commandArguments) => {
    expect(browserCommands(url, {}, platform)).toEqual([{ file, arguments: commandArguments }]);
    expect(browserCommands(url, { BROWSER: ' ' }, platform)).toEqual([{ file, arguments: commandArguments }]);
  });

  it.skipIf(process.platform === 'win32').each(['linux', 'freebsd'] as const)(
    'uses, on %s, xdg-open by its full path, never a shell',
    (platform) => {
      const [command] = browserCommands(url, { PATH: folderOf('xdg-open') }, platform);
      expect(command?.file).toMatch(/^\/.*\/xdg-open$/u);
      expect(command?.arguments).toEqual([url]);
    },
  );

  it.skipIf(process.platform === 'win32').each([
    ['firefox', 'firefox', [url]],
    ['  firefox   --new-window ', 'firefox', ['--new-window', url]],
    ['chromium --app=%s --x', 'chromium', [`--app=${url}`, '--x']],
    ['sh -c "%s"', 'sh', ['-c', `"${url}"`]],
  ])('prefers $BROWSER %j, found on the PATH', (own, name, commandArguments) => {
    const folder = folderOf(name);
    expect(browserCommands(url, { BROWSER: own, PATH: `.:${folder}` }, 'linux')).toEqual([
      { file: join(folder, name), arguments: commandArguments },
    ]);
  });

  it.each(['./firefox', 'bin/firefox', String.raw`bin\firefox`, 'no-such-browser-anywhere'])(
    'ignores $BROWSER %j, which is in no PATH folder',
    (own) => {
      expect(browserCommands(url, { BROWSER: own, PATH: '.:bin:' }, 'linux')).toEqual([]);
    },
  );

  it('inserts the URL unchanged, replacement patterns included', () => {
    expect(
      browserCommands(browserAddress('https://x.example/?$&'), { BROWSER: '/b %s' }, 'linux')[0]?.arguments,
    ).toEqual(['https://x.example/?$&']);
  });

  it.skipIf(process.platform === 'win32')('accepts an executable with a space in its path', () => {
    const folder = join(temporaryFolder(), 'My Browser');
    mkdirSync(folder);
    const app = join(folder, 'browser');
    writeFileSync(app, '');
    expect(browserCommands(url, { BROWSER: app }, 'linux')).toEqual([{ file: app, arguments: [url] }]);
  });

  it.skipIf(process.platform === 'win32')('tries several commands in order, and skips missing ones', () => {
    const folder = folderOf('a', 'b', 'c:d');
    const env = { BROWSER: `a --x:none-of-them: b --app=%s:${folder}/c`, PATH: folder };
    expect(browserCommands(url, env, 'linux')).toEqual([
      { file: join(folder, 'a'), arguments: ['--x', url] },
      { file: join(folder, 'b'), arguments: [`--app=${url}`] },
      { file: join(folder, 'c'), arguments: [url] },
    ]);
    const whole = join(folder, 'c:d');
    expect(browserCommands(url, { BROWSER: whole }, 'linux')).toEqual([{ file: whole, arguments: [url] }]);
  });
});
