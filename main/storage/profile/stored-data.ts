import { readdir, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { PosternError } from '../../errors/postern-error.ts';
import { syncFolder } from '../../plain-file.ts';
import type { StoredData, Keychain, Locks } from '../../ports.ts';
import { errnoOf, toFileSystemError } from '../files/file-system-error.ts';
import { profileLock } from '../files/kernel-locks.ts';
import { removeLockFiles } from '../files/lock-file.ts';
import type { HeldLock } from '../files/lock-file.ts';
import { replaceFile } from '../files/replace-file.ts';
import { keychainBackend } from '../keychain/keychain-service.ts';
import { readSettingsFile, settingsPath } from '../settings/settings-file.ts';
import { NewerVault, readVaultFile, renderVaultFile, vaultVersion } from '../vault/vault-file.ts';
import { findVaultCopies } from '../vault/vault-key.ts';
import { activityFile, activityFolder, activityNumbers } from './activity-store.ts';
import { removeAutostart } from './autostart.ts';
import { openHistoryFiles } from './history-store.ts';
import { openIconStore } from './icon-store.ts';
import { removePipe, removeRunFolder } from './profile-folder.ts';
import { openCatalogFiles, openPinFiles } from './server-files.ts';
import { removeLeases } from './sign-in-leases.ts';

interface StoredDataOptions {
  /** The profile folder. */
  readonly folder: string;
  readonly keychain: Keychain;
  /** Keychains of other channels, one of which may have sealed this folder. Entry names are random, so none collide. */
  readonly otherKeychains?: readonly Keychain[];
  readonly locks: Locks;
  /** See `keychainBackend`. */
  readonly backend?: string;
  /** Stops the gateway until the lock is released. Omit it if none can run. Errors: GATEWAY_HELD. */
  readonly stopGateway?: () => Promise<HeldLock>;
  /** Path of the gateway socket; on Windows it is not in a folder. */
  readonly socket?: () => string | undefined;
  /** Lets tests interrupt between steps. */
  readonly beforeStep?: (step: string) => void;
}

/**
 * Deletes everything in a profile folder and its keychain entries. Only entries that a vault file here names are
 * deleted, because others may belong to another profile. The folder itself stays: Electron stores data in it.
 */
export function createStoredData(options: StoredDataOptions): StoredData {
  const {
    folder,
    keychain,
    otherKeychains = [],
    locks,
    backend = keychainBackend(process.platform),
    stopGateway,
    socket,
    beforeStep = () => {},
  } = options;

  async function remove(file: string): Promise<void> {
    beforeStep(`remove ${path.basename(file)}`);
    await rm(file, { force: true });
  }

  /** `remaining`: the entries that were not deleted. Stops at the first failure. */
  async function deleteEntries(
    accounts: ReadonlySet<string>,
  ): Promise<{ remaining: Set<string>; failure?: PosternError }> {
    const remaining = new Set(accounts);
    for (const account of accounts) {
      try {
        beforeStep('entry');
        for (const each of [keychain, ...otherKeychains]) await each.delete(account);
        remaining.delete(account);
      } catch (error) {
        return { remaining, failure: toFileSystemError(error, 'storage') };
      }
    }
    return { remaining };
  }

  async function deleteSecrets(): Promise<number> {
    const copies = await findVaultCopies(folder);
    // A vault sealed by another system's keychain has no entry here.
    const accounts = new Set(copies.flatMap((copy) => (copy.backend === backend ? (copy.account ?? []) : [])));
    const { remaining, failure } = await deleteEntries(accounts);
    for (const { file, account } of copies) {
      if (account === undefined || !remaining.has(account)) {
        await remove(file);
        continue;
      }
      beforeStep(`empty ${path.basename(file)}`);
      await replaceFile(file, renderVaultFile({ version: vaultVersion, account, backend, records: [] }));
    }
    await syncFolder(folder);
    if (failure) throw failure;
    return accounts.size;
  }

  async function deleteRest(): Promise<void> {
    const file = settingsPath(folder);
    // Copies first: with only the backup remaining, the list would count as lost.
    const copies = (await readdir(folder)).filter((name) =>
      /^(config\.(json\.tmp-.+|last-good\.json(\.tmp-.+)?|corrupt-\d+\.json)|window\.json(\.tmp-.+)?)$/.test(name),
    );
    for (const name of copies) await remove(path.join(folder, name));
    await remove(file);
    // Without a vault, the keys in the keyring are useless.
    for (const name of (await readdir(folder)).filter((each) => /^keyring(\.tmp-.+)?$/u.test(each)))
      await remove(path.join(folder, name));
    for (const name of ['postern.log', 'postern.1.log']) await remove(path.join(folder, 'logs', name));
    await removeEmptyFolder(path.join(folder, 'logs'));
    beforeStep('remove pipe');
    await removePipe(folder);
    if (process.platform === 'linux') removeAutostart(path.resolve(folder));
    beforeStep('remove backups');
    await rm(path.join(folder, 'backups'), { recursive: true, force: true });
    const activity = activityFolder(folder);
    for (const number of activityNumbers(activity)) await remove(activityFile(activity, number));
    await removeEmptyFolder(activity);
    for (const files of [openCatalogFiles(folder), openHistoryFiles(folder), openPinFiles(folder)]) {
      for (const each of await files.all()) await remove(each);
      await removeEmptyFolder(files.folder);
    }
    await openIconStore(folder).retain(new Set());
    await removeEmptyFolder(path.join(folder, 'icons'));
    await syncFolder(folder);
  }

  /** Runs `work` under the profile lock, and maps file system errors. */
  async function guarded<Result>(work: () => Promise<Result>): Promise<Result> {
    return await locks.hold(profileLock, async () => {
      try {
        return await work();
      } catch (error) {
        throw toFileSystemError(error, 'storage');
      }
    });
  }

  return {
    prepare: () =>
      guarded(async () => {
        await refuseNewer(folder);
        removeLeases(folder);
      }),
    deleteSecrets: () => guarded(deleteSecrets),
    async deleteRest() {
      // The gateway's socket and run folder are removed only once the gateway has stopped. Nothing else waits for that.
      const held = await stopGateway?.().catch((error: unknown) => error as PosternError);
      try {
        await guarded(deleteRest);
        removeLeases(folder);
        if (held instanceof Error) throw held;
        removeRunFolder(folder, socket?.());
      } finally {
        if (held && !(held instanceof Error)) held.release();
      }
      await removeLockFiles(folder);
      await removeEmptyFolder(path.join(folder, 'locks'));
    },
  };
}

/** Only a newer version knows what it stores, and where. */
async function refuseNewer(folder: string): Promise<void> {
  const reading = readSettingsFile(folder);
  if (reading.state === 'read' && reading.isNewer) throw new PosternError('CFG_NEWER', { stage: 'settings' });
  await readVaultFile(folder).catch((error: unknown) => {
    if (error instanceof NewerVault) throw error;
  });
}

async function removeEmptyFolder(folder: string): Promise<void> {
  try {
    await rmdir(folder);
  } catch (error) {
    if (!['ENOENT', 'ENOTEMPTY', 'EEXIST', 'ENOTDIR'].includes(errnoOf(error) ?? ''))
      throw toFileSystemError(error, 'storage');
  }
}
