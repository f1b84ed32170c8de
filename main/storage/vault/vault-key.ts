import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { open, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { storageRemedies } from '../../../shared/error-catalog/storage-errors.ts';
import { hasTrait } from '../../../shared/error-traits.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { linkErrorCode, refuseLinks, requirePlainFile, nonBlocking } from '../../plain-file.ts';
import type { Keychain, Random } from '../../ports.ts';
import { errnoOf, toFileSystemError } from '../files/file-system-error.ts';
import { removeTemporaryFiles } from '../files/replace-file.ts';
import { renderVaultFile, vaultKeyLength, vaultPath, vaultVersion } from './vault-file.ts';
import type { VaultContent } from './vault-file.ts';

/** The key that opens a vault, and its keychain account. */
export interface VaultCipherKey {
  readonly account: string;
  readonly bytes: Uint8Array;
}

/**
 * The key of an existing vault. If the keychain has none, this fails with KC_LOCKED and never creates a new one: that
 * would make the sealed records unreadable, and a locked keyring looks the same. Errors: KC_*; KC_UNAVAILABLE if
 * another keychain sealed the vault.
 */
export async function fetchVaultKey(
  { account, backend }: Pick<VaultContent, 'account' | 'backend'>,
  keychain: Keychain,
  currentBackend: string,
): Promise<VaultCipherKey> {
  if (backend !== currentBackend) {
    const detail = { from: backend.replaceAll(/[^\w -]/g, ''), to: currentBackend };
    throw new PosternError('KC_UNAVAILABLE', { stage: 'storage', detail, remedy: storageRemedies.otherKeychain });
  }
  const text = await keychain.read(account).catch((error: unknown) => {
    throw error instanceof PosternError && hasTrait(error, 'no-keychain') ? withSignInsStored(error) : error;
  });
  if (text === null)
    throw new PosternError('KC_LOCKED', {
      stage: 'storage',
      detail: { file: 'vault' },
      remedy: storageRemedies.keyMissing,
    });
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length !== vaultKeyLength)
    throw new PosternError('KC_CORRUPT', { stage: 'storage', remedy: storageRemedies.damagedKey });
  return { account, bytes };
}

/** Marks that sign-ins are stored already: continuing in memory only, as for a new user, would not help. */
function withSignInsStored(error: PosternError): PosternError {
  return error.with({ detail: { hasSignIns: true }, remedy: error.remedy ?? storageRemedies.unreachable });
}

/**
 * Creates a key and saves it under `account`, which a file must already name. Call it under the profile lock. Errors:
 * KC_*, KC_WRITE_UNVERIFIED.
 */
async function createVaultKey(keychain: Keychain, random: Random, account: string): Promise<VaultCipherKey> {
  const bytes = random.bytes(vaultKeyLength);
  const text = Buffer.from(bytes).toString('base64');
  await keychain.write(account, text);
  if ((await keychain.read(account)) !== text) throw new PosternError('KC_WRITE_UNVERIFIED', { stage: 'storage' });
  return { account, bytes };
}

interface NewVaultOptions {
  readonly folder: string;
  readonly keychain: Keychain;
  readonly random: Random;
  readonly backend: string;
  readonly replace: (file: string, bytes: Uint8Array) => Promise<void>;
  readonly move: (from: string, to: string) => Promise<void>;
}

/** The new vault while its key is created: every keychain entry must always be named by some file. */
const draftName = 'vault.new';

/**
 * Creates a key and an empty vault that names it, after `moveOldVault` has moved any old vault away. On failure the
 * keychain entry is deleted here; after a crash, by the next `sweepVaultLeftovers`. Call it under the profile lock.
 * Errors: KC_*, CFG_*, those of `moveOldVault`.
 */
export async function createVault(
  options: NewVaultOptions,
  moveOldVault: () => Promise<void>,
): Promise<{ readonly content: VaultContent; readonly key: VaultCipherKey }> {
  const { folder, keychain, random, backend, replace, move } = options;
  await sweepVaultLeftovers(options);
  const account = newAccount();
  const content: VaultContent = { version: vaultVersion, account, backend, records: [] };
  const draft = path.join(folder, draftName);
  await replace(draft, renderVaultFile(content));
  try {
    const key = await createVaultKey(keychain, random, account);
    await moveOldVault();
    await move(draft, vaultPath(folder));
    return { content, key };
  } catch (error) {
    // Best effort: the next run removes the rest.
    await sweepVaultLeftovers(options).catch(() => {});
    throw error;
  }
}

function newAccount(): string {
  return `vault-${randomUUID()}`;
}

/** True if there are files of a killed process, or of a live one that will soon remove them. */
export async function hasVaultLeftovers(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch(() => []);
  return names.some((name) => name === draftName || /^vault(\.new)?\.tmp-/u.test(name));
}

/**
 * Deletes half-written files, and the keychain entry of a vault that was never completed. Call it under the profile
 * lock: writers hold it, so any file found here belongs to a dead process. Errors: KC_*, CFG_*; the draft then stays.
 */
export async function sweepVaultLeftovers({
  folder,
  keychain,
  backend,
}: Pick<NewVaultOptions, 'folder' | 'keychain' | 'backend'>): Promise<void> {
  try {
    await removeTemporaryFiles(vaultPath(folder));
    await removeTemporaryFiles(path.join(folder, draftName));
    const copies = await findVaultCopies(folder);
    const draft = copies.find(({ file }) => path.basename(file) === draftName);
    if (!draft) return;
    const isNamed = copies.some((copy) => copy !== draft && copy.account === draft.account);
    if (draft.account !== undefined && draft.backend === backend && !isNamed) await keychain.delete(draft.account);
    await rm(draft.file, { force: true });
  } catch (error) {
    throw toFileSystemError(error, 'storage');
  }
}

/** A vault file: the current one, a damaged one that was set aside, a half-written one, or an empty draft. */
interface VaultCopy {
  readonly file: string;
  /** The keychain account that it names, if readable. */
  readonly account?: string;
  readonly backend?: string;
}

/** Bytes. The account is in the first lines, so it is usually readable even in a damaged file. */
const headLength = 4_096;
const accountPattern = /"account":\s*"(vault-[0-9a-f-]{36})"/;
const backendPattern = /"backend":\s*"([\w -]{1,100})"/;

/** All vault files of the profile, with the account that each names. */
export async function findVaultCopies(folder: string): Promise<readonly VaultCopy[]> {
  const names = (await readdir(folder)).filter((name) => /^vault(\.corrupt-\d+|\.new)?(\.tmp-[\w-]+)?$/.test(name));
  return await Promise.all(
    names.map(async (name) => {
      const file = path.join(folder, name);
      const head = await readHead(file);
      const [, account] = accountPattern.exec(head) ?? [];
      const [, backend] = backendPattern.exec(head) ?? [];
      return { file, ...(account !== undefined && { account }), ...(backend !== undefined && { backend }) };
    }),
  );
}

/** Empty for a link, whose target is not ours. */
async function readHead(file: string): Promise<string> {
  try {
    refuseLinks(file);
    const handle = await open(file, constants.O_RDONLY | nonBlocking | (constants.O_NOFOLLOW ?? 0));
    try {
      requirePlainFile(await handle.stat(), file);
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(headLength), 0, headLength, 0);
      return buffer.toString('utf8', 0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === linkErrorCode) return '';
    throw error;
  }
}
