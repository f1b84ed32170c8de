import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { browserAddress } from '../../../../../main/address/check-address.ts';
import { browserCommands } from '../../../../../main/net/system-browser.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

const url = browserAddress('https://auth.example.com/authorize?a=1&b=%22$(x)');
const system32 = String.raw`C:\Windows\System32`;

/** A folder of PATH with programs of these names. */
function folderOf(...names: string[]): string {
  const folder = temporaryFolder();
  for (const name of names) writeFileSync(join(folder, name), '', { mode: 0o755 });
  return folder;
}

describe('browserCommands', () => {
  it.each([
    ['darwin', '/usr/bin/open', [url]],
    ['win32', String.raw`${system32}\rundll32.exe`, [String.raw`${system32}\url.dll,FileProtocolHandler`, url]],
  ] as const)('on %s takes the opener of the system by its whole path', (platform, file, commandArguments) => {
    expect(browserCommands(url, {}, platform)).toEqual([{ file, arguments: commandArguments }]);
    expect(browserCommands(url, { BROWSER: ' ' }, platform)).toEqual([{ file, arguments: commandArguments }]);
  });

  it.skipIf(process.platform === 'win32').each(['linux', 'freebsd'] as const)(
    'on %s takes xdg-open by its whole path, never a shell',
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
  ])('takes $BROWSER %j first, from PATH', (own, name, commandArguments) => {
    const folder = folderOf(name);
    expect(browserCommands(url, { BROWSER: own, PATH: `.:${folder}` }, 'linux')).toEqual([
      { file: join(folder, name), arguments: commandArguments },
    ]);
  });

  it.each(['./firefox', 'bin/firefox', String.raw`bin\firefox`, 'no-such-browser-anywhere'])(
    'takes nothing for $BROWSER %j, which no folder of PATH has',
    (own) => {
      expect(browserCommands(url, { BROWSER: own, PATH: '.:bin:' }, 'linux')).toEqual([]);
    },
  );

  it('puts the URL in as it is, replacement patterns included', () => {
    expect(
      browserCommands(browserAddress('https://x.example/?$&'), { BROWSER: '/b %s' }, 'linux')[0]?.arguments,
    ).toEqual(['https://x.example/?$&']);
  });

  it.skipIf(process.platform === 'win32')('takes a program whose path has a space', () => {
    const folder = join(temporaryFolder(), 'My Browser');
    mkdirSync(folder);
    const program = join(folder, 'browser');
    writeFileSync(program, '');
    expect(browserCommands(url, { BROWSER: program }, 'linux')).toEqual([{ file: program, arguments: [url] }]);
  });

  it.skipIf(process.platform === 'win32')(
    'takes several commands in their order, and passes over those not there',
    () => {
      const folder = folderOf('a', 'b', 'c:d');
      const env = { BROWSER: `a --x:none-of-them: b --app=%s:${folder}/c`, PATH: folder };
      expect(browserCommands(url, env, 'linux')).toEqual([
        { file: join(folder, 'a'), arguments: ['--x', url] },
        { file: join(folder, 'b'), arguments: [`--app=${url}`] },
        { file: join(folder, 'c'), arguments: [url] },
      ]);
      const whole = join(folder, 'c:d');
      expect(browserCommands(url, { BROWSER: whole }, 'linux')).toEqual([{ file: whole, arguments: [url] }]);
    },
  );
});
