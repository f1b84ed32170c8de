import path from 'node:path';
import { isObject } from '../../../shared/json-object.ts';
import { fileBytes } from '../../limits.ts';
import { readPlainFileSync } from '../../plain-file.ts';
import type { Channel } from '../keychain/keychain-service.ts';

export interface ProfileEnvironment {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** The user's home folder. */
  readonly home: string;
  /** A beta uses its own folder: the stable version might not be able to read what it writes. */
  readonly channel?: Channel;
}

/**
 * Path of the profile folder, which may not exist yet: `POSTERN_HOME`, or else Electron's userData, so that the window
 * and the command line share it.
 */
export function profilePath(environment: ProfileEnvironment): string {
  return path.resolve(profileFolder(environment));
}

function profileFolder({ env, platform, home, channel }: ProfileEnvironment): string {
  if (env['POSTERN_HOME']) return env['POSTERN_HOME'];
  const name = channel === 'beta' ? 'Postern Beta' : 'Postern';
  if (platform === 'win32') return path.join(env['APPDATA'] || path.join(home, 'AppData', 'Roaming'), name);
  if (platform === 'darwin') return path.join(home, 'Library', 'Application Support', name);
  return path.join(env['XDG_CONFIG_HOME'] || path.join(home, '.config'), name);
}

/**
 * Guesses cheaply which keychain account an integration will need, before the code that validates the profile is
 * loaded, so that the keychain can be prefetched. Never fails: `undefined` if none is needed or it is unclear.
 */
export function peekKeyAccount(folder: string, reference: string): string | undefined {
  const lowerCaseName = reference.toLowerCase();
  const integration = listOf(readObject(path.join(folder, 'config.json'), fileBytes.settings), 'integrations').find(
    ({ id, name }) => id === reference || (typeof name === 'string' && name.toLowerCase() === lowerCaseName),
  );
  if (integration?.['state'] === 'signedOut' || !usesSecret(integration)) return undefined;
  const account = readObject(path.join(folder, 'vault'), fileBytes.vault)?.['account'];
  return typeof account === 'string' && account !== '' ? account : undefined;
}

type Members = Readonly<Record<string, unknown>>;

function usesSecret(integration: Members | undefined): boolean {
  if (!integration) return false;
  const { options } = integration;
  return integration['method'] !== 'NoAuth' || (isObject(options) && options['headerName'] !== undefined);
}

function readObject(file: string, limit: number): Members | undefined {
  try {
    const document: unknown = JSON.parse(readPlainFileSync(file, { limit, follow: false })?.toString('utf8') ?? '');
    return isObject(document) ? document : undefined;
  } catch {
    return undefined;
  }
}

function listOf(document: Members | undefined, name: string): readonly Members[] {
  const list = document?.[name];
  const entries: readonly unknown[] = Array.isArray(list) ? list : [];
  return entries.filter(isObject);
}
