import { randomUUID } from 'node:crypto';
import { access, constants } from 'node:fs/promises';
import { PosternError } from '../../errors/postern-error.ts';
import { sweepLockTimeout } from '../../limits.ts';
import type { Keychain, Locks, Random, Vault, VaultKey, VaultRecordToWrite } from '../../ports.ts';
import { toFileSystemError } from '../files/file-system-error.ts';
import { profileLock } from '../files/kernel-locks.ts';
import { moveFile, replaceFile } from '../files/replace-file.ts';
import { keychainBackend } from '../keychain/keychain-service.ts';
import {
  DamagedVault,
  isRecordOf,
  keyOfRecord,
  storedKeyOf,
  openRecord,
  scopeOf,
  readVaultFile,
  renderRecord,
  renderVaultFile,
  sealRecord,
  setVaultAside,
  vaultPath,
  vaultVersion,
} from './vault-file.ts';
import type { VaultContent, VaultRecord } from './vault-file.ts';
import { fetchVaultKey, hasVaultLeftovers, createVault, sweepVaultLeftovers } from './vault-key.ts';
import type { VaultCipherKey } from './vault-key.ts';

export interface VaultOptions {
  /** The profile folder. */
  readonly folder: string;
  readonly keychain: Keychain;
  readonly locks: Locks;
  readonly random: Random;
  /** See `keychainBackend`; stored with the data. */
  readonly backend?: string;
  /** Let tests interrupt or fail a write. */
  readonly replace?: (file: string, bytes: Uint8Array) => Promise<void>;
  readonly move?: (from: string, to: string) => Promise<void>;
}

/**
 * The vault of a profile: records sealed with AES-256-GCM in one file, whose key is in the keychain. Opening touches
 * nothing; the first read or `ready()` reads the keychain. Writing takes the profile lock, so callers must not hold it.
 * Errors of its methods: KC_*, CFG_NEWER, CFG_DISK_FULL, CFG_READONLY, CFG_CONFLICT (stage `storage`).
 */
export async function openVault(options: VaultOptions): Promise<Vault> {
  const { folder, keychain, locks, random, replace = replaceFile, move = moveFile } = options;
  const backend = options.backend ?? keychainBackend(process.platform);
  const file = vaultPath(folder);
  let cachedKey: VaultCipherKey | undefined;

  async function keyOf(content: VaultContent): Promise<VaultCipherKey> {
    if (cachedKey?.account !== content.account) cachedKey = await fetchVaultKey(content, keychain, backend);
    return cachedKey;
  }

  /** Another process may have deleted the key: records sealed with a key that only this process has would be lost. */
  async function keyIfStored(key: VaultCipherKey | undefined): Promise<VaultCipherKey | undefined> {
    return key && (await keychain.read(key.account)) !== null ? key : undefined;
  }

  /** The vault to write to. An unreadable one is set aside, so that signing in again remains possible. */
  async function readOrCreate(): Promise<VaultContent> {
    const found = await readUnlessCorrupt(folder);
    if (found && found !== 'corrupt') return found;
    const moveOldVault = async (): Promise<void> => {
      if (found === 'corrupt') await setVaultAside(folder);
    };
    const stored = await keyIfStored(cachedKey);
    if (!stored) {
      const created = await createVault({ folder, keychain, random, backend, replace, move }, moveOldVault);
      cachedKey = created.key;
      return created.content;
    }
    await moveOldVault();
    const content: VaultContent = { version: vaultVersion, account: stored.account, backend, records: [] };
    await replace(file, renderVaultFile(content));
    return content;
  }

  let isSwept = false;
  /** Cleans up once after a killed process, without waiting long for the lock. */
  async function sweepOnce(): Promise<void> {
    if (isSwept) return;
    isSwept = true;
    if (!(await hasVaultLeftovers(folder))) return;
    const sweep = (): Promise<void> => sweepVaultLeftovers({ folder, keychain, backend });
    await locks.hold(profileLock, sweep, AbortSignal.timeout(sweepLockTimeout)).catch(() => {});
  }

  async function makeReady(): Promise<void> {
    await sweepOnce();
    const found = await readUnlessCorrupt(folder);
    if (!found || found === 'corrupt') {
      // Outside the lock: an unlock prompt may wait for the user, and other processes must not wait for that.
      await keychain.probe();
      await locks.hold(profileLock, async () => keyOf(await readOrCreate()));
      return;
    }
    await keyOf(found);
    await access(folder, constants.W_OK).catch((error: unknown) => {
      throw toFileSystemError(error, 'storage');
    });
  }

  /** Concurrent callers share one attempt instead of queueing for the lock. */
  let pendingReady: Promise<void> | undefined;
  function ready(): Promise<void> {
    pendingReady ??= makeReady().finally(() => {
      pendingReady = undefined;
    });
    return pendingReady;
  }

  async function snapshot(): Promise<(key: VaultKey) => Promise<unknown>> {
    await sweepOnce();
    const content = await readVaultFile(folder);
    // Built at the second read: most callers read a single record.
    let byOwner: ReadonlyMap<string, readonly VaultRecord[]> | undefined;
    let reads = 0;
    return async (key) => {
      if (!content) return undefined;
      reads += 1;
      if (reads > 1) byOwner ??= Map.groupBy(content.records, ({ owner }) => owner);
      const candidates = byOwner ? byOwner.get(key.owner) : content.records;
      const record = candidates?.find((candidate) => isRecordOf(candidate, key));
      if (!record) return undefined;
      return JSON.parse(openRecord((await keyOf(content)).bytes, key, record.sealed)) as unknown;
    };
  }

  async function verify(texts: ReadonlyMap<VaultKey, string>, cipherKey: VaultCipherKey): Promise<void> {
    try {
      const records = Map.groupBy((await readVaultFile(folder))?.records ?? [], ({ owner }) => owner);
      const isStored = ([key, text]: [VaultKey, string]): boolean => {
        const record = records.get(key.owner)?.find((candidate) => isRecordOf(candidate, key));
        return openRecord(cipherKey.bytes, key, record?.sealed) === text;
      };
      if ([...texts].every(isStored)) return;
    } catch (error) {
      throw new PosternError('KC_WRITE_UNVERIFIED', { stage: 'storage', cause: error });
    }
    throw new PosternError('KC_WRITE_UNVERIFIED', { stage: 'storage' });
  }

  async function writeTogether(entries: readonly VaultRecordToWrite[]): Promise<void> {
    const texts = new Map(entries.map(([key, value]) => [key, renderRecord(value)]));
    // Outside the lock, because it may prompt the user.
    await ready();
    await locks.hold(profileLock, async () => {
      const content = await readOrCreate();
      const cipherKey = await keyOf(content);
      const sealed = [...texts].map(([key, text]): VaultRecord => ({
        ...storedKeyOf(key),
        sealed: sealRecord(cipherKey.bytes, key, text, random),
      }));
      const records = [...without(content.records, [...texts.keys()]), ...sealed];
      await replace(file, renderVaultFile({ ...content, records }));
      await verify(texts, cipherKey);
    });
  }

  async function remove(...keys: VaultKey[]): Promise<void> {
    await locks.hold(profileLock, async () => {
      const content = await readUnlessCorrupt(folder);
      if (!content || content === 'corrupt') return;
      const records = without(content.records, keys);
      if (records.length < content.records.length) await replace(file, renderVaultFile({ ...content, records }));
    });
  }

  async function storedKeys(): Promise<readonly VaultKey[]> {
    const content = await readUnlessCorrupt(folder);
    return content && content !== 'corrupt' ? content.records.map(keyOfRecord) : [];
  }

  return {
    isPersistent: true,
    unsaved: new Map(),
    receipts: new Map(),
    ready,
    read: async (key) => await (await snapshot())(key),
    snapshot,
    write: (key, value) => writeTogether([[key, value]]),
    writeTogether,
    delete: remove,
    async keysOf(...owners) {
      const ownerIds = new Set(owners);
      return (await storedKeys()).filter(({ owner }) => ownerIds.has(owner));
    },
    owners: async () => [...new Set((await storedKeys()).map(({ owner }) => owner))],
  };
}

function without(records: readonly VaultRecord[], keys: readonly VaultKey[]): VaultRecord[] {
  const keysOf = Map.groupBy(keys, ({ owner }) => owner);
  return records.filter((record) => !keysOf.get(record.owner)?.some((key) => isRecordOf(record, key)));
}

/** Deleting and starting over must work on a damaged vault. A newer or inaccessible one still throws. */
async function readUnlessCorrupt(folder: string): Promise<VaultContent | 'corrupt' | undefined> {
  try {
    return await readVaultFile(folder);
  } catch (error) {
    if (error instanceof DamagedVault) return 'corrupt';
    throw error;
  }
}

/** An in-memory vault. */
export function createMemoryVault(): Vault {
  const records = new Map<string, { key: VaultKey; text: string }>();
  async function read(key: VaultKey): Promise<unknown> {
    const record = records.get(nameOf(key));
    return record && (JSON.parse(record.text) as unknown);
  }
  return {
    isPersistent: false,
    async ready() {},
    read,
    snapshot: async () => read,
    async write(key, value) {
      records.set(nameOf(key), { key, text: renderRecord(value) });
    },
    async writeTogether(entries) {
      const rendered = entries.map(([key, value]) => ({ key, text: renderRecord(value) }));
      for (const record of rendered) records.set(nameOf(record.key), record);
    },
    async delete(...keys) {
      for (const key of keys) records.delete(nameOf(key));
    },
    async keysOf(...owners) {
      return [...records.values()].map(({ key }) => key).filter(({ owner }) => owners.includes(owner));
    },
    unsaved: new Map(),
    receipts: new Map(),
    async owners() {
      return [...new Set([...records.values()].map(({ key }) => key.owner))];
    },
  };
}

function nameOf(key: VaultKey): string {
  return JSON.stringify([key.kind, key.owner, scopeOf(key)]);
}

interface StorageFinding {
  readonly name: 'keychain' | 'vault';
  /** Absent on success. */
  readonly error?: PosternError;
}

/** Writes, reads and deletes a keychain entry and a vault record. Never throws; leaves nothing behind. */
export async function testStorage({
  keychain,
  vault,
}: {
  keychain: Keychain;
  vault: Vault;
}): Promise<StorageFinding[]> {
  const found = await attempt('keychain', () => testKeychain(keychain));
  // The vault needs the keychain; trying it too would wait for a second timeout.
  return found.error
    ? [found, { name: 'vault', error: found.error }]
    : [found, await attempt('vault', () => testVault(vault))];
}

async function attempt(name: StorageFinding['name'], work: () => Promise<void>): Promise<StorageFinding> {
  try {
    await work();
    return { name };
  } catch (error) {
    return { name, error: toFileSystemError(error, 'storage') };
  }
}

async function testKeychain(keychain: Keychain): Promise<void> {
  const account = `self-test-${randomUUID()}`;
  await keychain.write(account, account);
  const stored = await keychain.read(account);
  await keychain.delete(account);
  if (stored !== account || (await keychain.read(account)) !== null) throw unverified();
}

async function testVault(vault: Vault): Promise<void> {
  const key = { kind: 'header', owner: `self-test-${randomUUID()}`, server: 'self-test' } as const;
  await vault.write(key, key.owner);
  const stored = await vault.read(key);
  await vault.delete(key);
  if (stored !== key.owner || (await vault.read(key)) !== undefined) throw unverified();
}

function unverified(): PosternError {
  return new PosternError('KC_WRITE_UNVERIFIED', { stage: 'storage' });
}
