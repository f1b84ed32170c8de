import { describe, expect, it } from 'vitest';
import { chooseUpdateFeed } from '../../../../../main/window/updates/update-feed.ts';
import type { UpdateEnvironment } from '../../../../../main/window/updates/update-feed.ts';

const config = [
  'provider: generic',
  'url: https://updates.example.com/postern',
  'updaterCacheDirName: postern-updater',
  'publisherName:',
  '  - Example Ltd',
  '',
].join('\n');

const choose = (changes: Partial<UpdateEnvironment> = {}) =>
  chooseUpdateFeed({
    packaged: true,
    platform: 'darwin',
    env: {},
    config,
    publicKey: 'key',
    packageType: undefined,
    ...changes,
  });

describe('chooseUpdateFeed', () => {
  it('uses the built-in feed', () => {
    expect(choose()).toEqual({ url: 'https://updates.example.com/postern/', publicKey: 'key' });
  });

  it('uses the feed of a managed computer, with the same key', () => {
    const env = { POSTERN_UPDATE_FEED: 'https://intranet.example/postern/' };
    expect(choose({ env })).toEqual({ url: 'https://intranet.example/postern/', publicKey: 'key' });
  });

  it.each(['off', 'OFF', ' 0 ', 'false', 'no'])('is off if POSTERN_UPDATES is %j', (value) => {
    expect(choose({ env: { POSTERN_UPDATES: value } })).toBe('managed');
  });

  it('is off in a source tree', () => {
    expect(choose({ packaged: false })).toBe('source');
  });

  it.each<[string, Partial<UpdateEnvironment>]>([
    ['no feed', { config: undefined }],
    ['no key', { publicKey: undefined }],
    ['an empty key', { publicKey: '' }],
    [
      'no publisher on Windows, where electron-updater would skip its check (PK-06)',
      {
        platform: 'win32',
        config: config.replace(/publisherName[\s\S]*/, ''),
      },
    ],
    ['a feed without TLS', { env: { POSTERN_UPDATE_FEED: 'http://updates.example.com/' } }],
    ['a feed with a password', { env: { POSTERN_UPDATE_FEED: 'https://a:b@updates.example.com/' } }],
    ['a feed that is not a URL', { env: { POSTERN_UPDATE_FEED: 'updates' } }],
  ])('disables updates with %s', (_name, changes) => {
    expect(choose(changes)).toBe('unsigned-build');
  });

  it('updates an AppImage or a deb on Linux, but no archive unpacked by hand', () => {
    expect(choose({ platform: 'linux' })).toBe('not-installed');
    expect(choose({ platform: 'linux', packageType: 'rpm' })).toBe('not-installed');
    expect(choose({ platform: 'linux', packageType: 'deb' })).toHaveProperty('url');
    expect(choose({ platform: 'linux', env: { APPIMAGE: '/home/me/Postern.AppImage' } })).toHaveProperty('url');
  });
});
