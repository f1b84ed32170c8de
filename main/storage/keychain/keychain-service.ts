import path from 'node:path';
import { readPlainFileSync } from '../../plain-file.ts';

/** Which build this is; each keeps its secrets apart, so that a trial build cannot spoil the real ones. */
export type Channel = 'dev' | 'beta' | 'stable';

const services = { dev: 'postern-dev', beta: 'postern-beta', stable: 'postern' } as const;

/** The service name under which the keychain holds this channel's entries. */
export function keychainService(channel: Channel): string {
  return services[channel];
}

/** Those of the other channels. */
export function otherServices(channel: Channel): readonly string[] {
  return Object.values(services).filter((service) => service !== services[channel]);
}

/**
 * Names the store that keytar uses here, to be kept beside the data: a profile that was sealed with another store
 * says so instead of looking empty. On Windows an entry may roam with the person (CRED_PERSIST_ENTERPRISE).
 */
export function keychainBackend(platform: NodeJS.Platform): string {
  if (platform === 'darwin') return 'macos-keychain';
  if (platform === 'win32') return 'windows-credential-manager';
  return 'libsecret';
}

const most = 1_048_576;

/**
 * What a profile's sign-ins are sealed with, as far as a glance tells, before anything that could judge it is loaded:
 * `undefined` for the keychain of the computer. What only `unreadable` names is judged by whoever opens it.
 */
export function glanceAtKeyring(folder: string): 'passphrase' | 'file' | 'unreadable' | undefined {
  try {
    const text = readPlainFileSync(path.join(folder, 'keyring'), { limit: most, follow: false })?.toString('utf8');
    const { kind } = JSON.parse(text ?? '') as { kind?: unknown };
    return kind === 'passphrase' || kind === 'file' ? kind : 'unreadable';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : 'unreadable';
  }
}
