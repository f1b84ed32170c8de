import path from 'node:path';
import { readPlainFileSync } from '../../plain-file.ts';

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
