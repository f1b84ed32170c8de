import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { browserAddress } from '../../../../../main/address/browser-address.ts';
import { chooseBrowserCommand } from '../../../../../main/user-agent/browser/browser-command.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

const url = browserAddress('https://auth.example.com/authorize?a=1&b=%22$(x)');
const system32 = String.raw`C:\Windows\System32`;

/** A folder of PATH with programs of these names. */
function folderOf(...names: string[]): string {
  const folder = temporaryFolder();
  for (const name of names) writeFileSync(join(folder, name), '', { mode: 0o755 });
  return folder;
}

describe('chooseBrowserCommand', () => {
  it.each([
    ['darwin', '/usr/bin/open', [url]],
    ['win32', String.raw`${system32}\rundll32.exe`, [String.raw`${system32}\url.dll,FileProtocolHandler`, url]],
  ] as const)('on %s takes the opener of the system by its whole path', (platform, file, commandArguments) => {
    expect(chooseBrowserCommand(url, {}, platform)).toEqual({ file, arguments: commandArguments });
    expect(chooseBrowserCommand(url, { BROWSER: ' ' }, platform)).toEqual({ file, arguments: commandArguments });
  });

  it.skipIf(process.platform === 'win32').each(['linux', 'freebsd'] as const)(
    'on %s takes xdg-open by its whole path, never a shell',
    (platform) => {
      const command = chooseBrowserCommand(url, { PATH: folderOf('xdg-open') }, platform);
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
    expect(chooseBrowserCommand(url, { BROWSER: own, PATH: `.:${folder}` }, 'linux')).toEqual({
      file: join(folder, name),
      arguments: commandArguments,
    });
  });

  it.each(['./firefox', 'bin/firefox', String.raw`bin\firefox`, 'no-such-browser-anywhere'])(
    'takes nothing for $BROWSER %j, which no folder of PATH has',
    (own) => {
      expect(chooseBrowserCommand(url, { BROWSER: own, PATH: '.:bin:' }, 'linux')).toBeUndefined();
    },
  );

  it('puts the URL in as it is, replacement patterns included', () => {
    expect(
      chooseBrowserCommand(browserAddress('https://x.example/?$&'), { BROWSER: '/b %s' }, 'linux')?.arguments,
    ).toEqual(['https://x.example/?$&']);
  });

  it.skipIf(process.platform === 'win32')('takes a program whose path has a space', () => {
    const folder = join(temporaryFolder(), 'My Browser');
    mkdirSync(folder);
    const program = join(folder, 'browser');
    writeFileSync(program, '');
    expect(chooseBrowserCommand(url, { BROWSER: program }, 'linux')).toEqual({ file: program, arguments: [url] });
  });
});
