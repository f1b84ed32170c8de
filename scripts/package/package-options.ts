import type { Configuration } from 'electron-builder';

export interface PackageOptions {
  readonly config: Configuration;
  /** Variables that a release needs on this system and that are not set. */
  readonly missing: readonly string[];
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Variables for signing on each system; electron-builder reads them itself. */
const signing: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['CSC_LINK', 'CSC_KEY_PASSWORD', 'APPLE_API_KEY', 'APPLE_API_KEY_ID', 'APPLE_API_ISSUER'],
  win32: ['WIN_CSC_LINK', 'WIN_CSC_KEY_PASSWORD'],
};

/**
 * Added to electron-builder.yml. A release (`POSTERN_RELEASE=1`) must be signed and contains the update feed and key.
 * Any other build is for testing: unsigned, and without updates.
 */
export function packageOptions(env: Environment, platform: NodeJS.Platform): PackageOptions {
  const homepage = env['POSTERN_HOMEPAGE'] || 'https://postern.invalid';
  const maintainer = env['POSTERN_MAINTAINER'] || 'Postern <postern@postern.invalid>';
  const common: Configuration = { extraMetadata: { homepage }, linux: { maintainer, vendor: 'Postern' } };
  if (env['POSTERN_RELEASE'] !== '1') return { config: { ...common, ...unsigned(platform) }, missing: [] };
  const needed = [
    ...['POSTERN_HOMEPAGE', 'POSTERN_MAINTAINER', 'UPDATE_FEED', 'UPDATE_PUBLIC_KEY'],
    ...(signing[platform] ?? []),
  ];
  return {
    config: {
      ...common,
      forceCodeSigning: platform !== 'linux',
      extraMetadata: { homepage, updates: { publicKey: env['UPDATE_PUBLIC_KEY'] } },
      publish: [{ provider: 'generic', url: env['UPDATE_FEED'] ?? '' }],
    },
    missing: needed.filter((name) => (env[name] ?? '') === ''),
  };
}

function unsigned(platform: NodeJS.Platform): Configuration {
  if (platform !== 'darwin') return {};
  // An ad-hoc signature has no team, and the hardened runtime only loads libraries of its own team.
  return { mac: { identity: '-', notarize: false, hardenedRuntime: false } };
}
