import { describe, expect, it } from 'vitest';
import { packageOptions } from '../../../../scripts/package/package-options.ts';

const release = {
  POSTERN_RELEASE: '1',
  POSTERN_HOMEPAGE: 'https://example.com',
  POSTERN_MAINTAINER: 'A <a@example.com>',
  UPDATE_FEED: 'https://updates.example.com',
  UPDATE_PUBLIC_KEY: 'key',
};

describe('packageOptions', () => {
  it('packages test builds without secrets, unsigned and without updates', () => {
    for (const platform of ['linux', 'darwin', 'win32'] as const) {
      const { config, missing } = packageOptions({}, platform);
      expect(missing).toEqual([]);
      expect(config.publish).toBeUndefined();
      expect(config.extraMetadata).not.toHaveProperty('updates');
    }
    expect(packageOptions({}, 'darwin').config.mac).toMatchObject({ notarize: false, identity: '-' });
  });

  it('builds the feed and key into a release', () => {
    expect(packageOptions(release, 'linux')).toEqual({
      missing: [],
      config: expect.objectContaining({
        extraMetadata: { homepage: 'https://example.com', updates: { publicKey: 'key' } },
        publish: [{ provider: 'generic', url: 'https://updates.example.com' }],
      }),
    });
  });

  it('makes no unsigned release', () => {
    expect(packageOptions(release, 'win32')).toMatchObject({
      missing: ['WIN_CSC_LINK', 'WIN_CSC_KEY_PASSWORD'],
      config: { forceCodeSigning: true },
    });
    expect(packageOptions(release, 'darwin').missing).toContain('APPLE_API_KEY');
    expect(packageOptions({ ...release, UPDATE_PUBLIC_KEY: '' }, 'linux').missing).toEqual(['UPDATE_PUBLIC_KEY']);
  });
});
