import path from 'node:path';
import { readPlainFileSync } from '../../plain-file.ts';

/** The release channel. Each has separate keychain entries, so that a test build cannot damage real secrets. */
export type Channel = 'dev' | 'beta' | 'stable';

const services = { dev: 'postern-dev', beta: 'postern-beta', stable: 'postern' } as const;

/** The service name under which the keychain holds this channel's entries. */
export function keychainService(channel: Channel): string {
  return services[channel];
}

/** The service names of the other channels. */
export function otherServices(channel: Channel): readonly string[] {
  return Object.values(services).filter((service) => service !== services[channel]);
}

/**
 * Name of the system keychain, stored with the data, so that a profile sealed by another keychain reports that instead
 * of looking empty. On Windows, entries may roam with the user (CRED_PERSIST_ENTERPRISE).
 */
export function keychainBackend(platform: NodeJS.Platform): string {
  if (platform === 'darwin') return 'macos-keychain';
  if (platform === 'win32') return 'windows-credential-manager';
  return 'libsecret';
}

/** A larger keyring file is not read. */
const maxKeyringBytes = 1_048_576;

/**
 * What seals a profile's secrets, read cheaply before the code that validates it is loaded. `undefined`: the system
 * keychain. `unreadable`: opening the keyring will report why.
 */
export function peekKeyringKind(folder: string): 'passphrase' | 'file' | 'unreadable' | undefined {
  try {
    const text = readPlainFileSync(path.join(folder, 'keyring'), { limit: maxKeyringBytes, follow: false })?.toString(
      'utf8',
    );
    const { kind } = JSON.parse(text ?? '') as { kind?: unknown };
    return kind === 'passphrase' || kind === 'file' ? kind : 'unreadable';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : 'unreadable';
  }
}
