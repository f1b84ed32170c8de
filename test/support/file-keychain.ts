import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Keychain } from '../../main/ports.ts';

/**
 * A keychain that several processes of a test share: one file, always replaced as a whole. It protects nothing; it is
 * for tests of something other than the system's keychain.
 */
export function createFileKeychain(folder: string): Keychain {
  const file = path.join(folder, 'test-keychain.json');
  const read = (): Record<string, string> => {
    try {
      return JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
    } catch {
      return {};
    }
  };
  const change = (edit: (entries: Record<string, string>) => void): void => {
    const entries = read();
    edit(entries);
    const draft = `${file}.${process.pid}`;
    writeFileSync(draft, JSON.stringify(entries));
    renameSync(draft, file);
  };
  return {
    read: async (account) => read()[account] ?? null,
    write: async (account, value) => change((entries) => void (entries[account] = value)),
    delete: async (account) => change((entries) => void delete entries[account]),
    probe: async () => {},
    close: async () => {},
  };
}
