import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { chooseBrowserCommand } from '../../../../main/user-agent/browser-command.ts';

const url = 'https://auth.example.com/authorize?a=1&b=%22$(x)';

describe('chooseBrowserCommand', () => {
  it.each([
    ['linux', 'xdg-open', [url]],
    ['freebsd', 'xdg-open', [url]],
    ['darwin', '/usr/bin/open', [url]],
    ['win32', 'rundll32.exe', ['url.dll,FileProtocolHandler', url]],
  ] as const)('on %s takes the opener of the system, never a shell', (platform, file, commandArguments) => {
    expect(chooseBrowserCommand(url, {}, platform)).toEqual({ file, arguments: commandArguments });
    expect(chooseBrowserCommand(url, { BROWSER: ' ' }, platform)).toEqual({ file, arguments: commandArguments });
  });

  it.each([
    ['firefox', 'firefox', [url]],
    ['  firefox   --new-window ', 'firefox', ['--new-window', url]],
    ['chromium --app=%s --x', 'chromium', [`--app=${url}`, '--x']],
    ['sh -c "%s"', 'sh', ['-c', `"${url}"`]],
  ])('takes $BROWSER %j first', (own, file, commandArguments) => {
    expect(chooseBrowserCommand(url, { BROWSER: own }, 'linux')).toEqual({ file, arguments: commandArguments });
  });

  it('puts the URL in as it is, replacement patterns included', () => {
    expect(chooseBrowserCommand('https://x.example/?$&', { BROWSER: 'b %s' }, 'linux').arguments).toEqual([
      'https://x.example/?$&',
    ]);
  });

  it('takes a program whose path has a space', () => {
    const folder = join(mkdtempSync(join(tmpdir(), 'postern-')), 'My Browser');
    mkdirSync(folder);
    const program = join(folder, 'browser');
    writeFileSync(program, '');
    try {
      expect(chooseBrowserCommand(url, { BROWSER: program }, 'linux')).toEqual({ file: program, arguments: [url] });
    } finally {
      rmSync(join(folder, '..'), { recursive: true });
    }
  });
});
