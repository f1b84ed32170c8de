import { describe, expect, it } from 'vitest';
import { keepSearchFolders, searchFolders } from '../../../../../main/user-agent/browser/search-path.ts';

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
