import type { PosternError } from '../../main/errors/postern-error.ts';
import type { Keychain } from '../../main/ports.ts';

export interface MemoryKeychain extends Keychain {
  readonly entries: Map<string, string>;
  /** The error of every call from now on. */
  failure: PosternError | undefined;
  /** Names of the calls so far. */
  readonly calls: string[];
}

/** A keychain that passes the same contract tests as the system's. */
export function createMemoryKeychain(): MemoryKeychain {
  const entries = new Map<string, string>();
  const calls: string[] = [];
  const note = (call: string): void => {
    calls.push(call);
    if (keychain.failure) throw keychain.failure;
  };
  const keychain: MemoryKeychain = {
    entries,
    calls,
    failure: undefined,
    async read(account) {
      note('read');
      return entries.get(account) ?? null;
    },
    async write(account, value) {
      note('write');
      entries.set(account, value);
    },
    async delete(account) {
      note('delete');
      entries.delete(account);
    },
    async probe() {
      note('prove');
    },
    async close() {},
  };
  return keychain;
}
