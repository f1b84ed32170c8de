import { readdir, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { PosternError } from '../../errors/postern-error.ts';
import { syncFolder } from '../../plain-file.ts';
import type { KeptData, Keychain, Locks } from '../../ports.ts';
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
import { forgetAutostart } from './autostart.ts';
import { openHistoryFiles } from './history-store.ts';
import { openIconStore } from './icon-store.ts';
import { forgetPipe, removeRunFolder } from './profile-folder.ts';
import { openCatalogueFiles, openPinFiles } from './server-files.ts';
import { removeLeases } from './sign-in-leases.ts';

export interface KeptDataOptions {
  /** The profile folder. */
  readonly folder: string;
  readonly keychain: Keychain;
  /**
   * Those of other channels: one of them may have sealed this folder. Names of entries are random, and so no other's.
   */
  readonly otherKeychains?: readonly Keychain[];
  readonly locks: Locks;
  /** Which keychain that is. */
  readonly backend?: string;
  /** Nobody serves programs until it is released. Errors: GATEWAY_HELD. Left out: nobody does. */
  readonly stopGateway?: () => Promise<HeldLock>;
  /** Where programs find who serves them; on Windows in no folder. */
  readonly socket?: () => string | undefined;
  /** For tests that stop in between. */
  readonly beforeStep?: (step: string) => void;
}

/**
 * Everything in a profile folder and its keychain entries, for deletion. The files are the index of the entries: of
 * the service's other entries some may belong to another profile, so none is deleted that no file here names. What
 * Electron keeps in the folder is not ours, and the folder stays.
 */
export function createKeptData(options: KeptDataOptions): KeptData {
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

  /** Answers the entries that the keychain did not delete. Once it has refused, it is not asked about the rest. */
  async function deleteEntries(accounts: ReadonlySet<string>): Promise<{ stuck: Set<string>; failure?: PosternError }> {
    const left = new Set(accounts);
    for (const account of accounts) {
      try {
        beforeStep('entry');
        for (const each of [keychain, ...otherKeychains]) await each.delete(account);
        left.delete(account);
      } catch (error) {
        return { stuck: left, failure: toFileSystemError(error, 'storage') };
      }
    }
    return { stuck: left };
  }

  async function deleteSecrets(): Promise<number> {
    const copies = await findVaultCopies(folder);
    // A vault that another system's keychain sealed has its entry there, and none here.
    const accounts = new Set(copies.flatMap((copy) => (copy.backend === backend ? (copy.account ?? []) : [])));
    const { stuck, failure } = await deleteEntries(accounts);
    for (const { file, account } of copies) {
      if (account === undefined || !stuck.has(account)) {
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
    // The copy first: where it alone is left, the list counts as lost.
    const copies = (await readdir(folder)).filter((name) =>
      /^(config\.(json\.tmp-.+|last-good\.json(\.tmp-.+)?|corrupt-\d+\.json)|window\.json(\.tmp-.+)?)$/.test(name),
    );
    for (const name of copies) await remove(path.join(folder, name));
    await remove(file);
    // Without a vault the keys in the keyring open nothing.
    for (const name of (await readdir(folder)).filter((each) => /^keyring(\.tmp-.+)?$/u.test(each)))
      await remove(path.join(folder, name));
    for (const name of ['postern.log', 'postern.1.log']) await remove(path.join(folder, 'logs', name));
    await removeEmptyFolder(path.join(folder, 'logs'));
    beforeStep('remove pipe');
    await forgetPipe(folder);
    if (process.platform === 'linux') forgetAutostart(path.resolve(folder));
    beforeStep('remove backups');
    await rm(path.join(folder, 'backups'), { recursive: true, force: true });
    const activity = activityFolder(folder);
    for (const number of activityNumbers(activity)) await remove(activityFile(activity, number));
    await removeEmptyFolder(activity);
    for (const files of [openCatalogueFiles(folder), openHistoryFiles(folder), openPinFiles(folder)]) {
      for (const each of await files.all()) await remove(each);
      await removeEmptyFolder(files.folder);
    }
    await openIconStore(folder).retain(new Set());
    await removeEmptyFolder(path.join(folder, 'icons'));
    await syncFolder(folder);
  }

  /** Under the profile lock, with what the file system refuses typed. */
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
      // What programs reach Postern by is removed only while nobody serves them. Nothing else waits for that.
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

/** What a newer version keeps, and where, only that one knows. */
async function refuseNewer(folder: string): Promise<void> {
  const reading = await readSettingsFile(folder);
  if (reading.state === 'read' && reading.newer) throw new PosternError('CFG_NEWER', { stage: 'settings' });
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
