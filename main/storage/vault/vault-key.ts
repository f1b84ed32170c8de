import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { open, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { storageRemedies } from '../../../shared/error-catalogue/storage-errors.ts';
import { isAbout } from '../../../shared/error-facts.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { aLink, refuseLinks, refuseOthers, unblocking } from '../../plain-file.ts';
import type { Keychain, Random } from '../../ports.ts';
import { errnoOf, toFileSystemError } from '../files/file-system-error.ts';
import { removeTemporaryFiles } from '../files/replace-file.ts';
import { renderVaultFile, vaultKeyLength, vaultPath, vaultVersion } from './vault-file.ts';
import type { VaultContent } from './vault-file.ts';

/** The key that opens a vault, and the keychain account that it stands under. */
export interface VaultCipherKey {
  readonly account: string;
  readonly bytes: Uint8Array;
}

/**
 * The key of a vault that exists. None in the keychain is KC_LOCKED and never a reason to make one: that would destroy
 * what is sealed, and a locked keyring looks the same. Errors: KC_*; KC_UNAVAILABLE when another keychain sealed it.
 */
export async function fetchVaultKey(
  { account, backend }: Pick<VaultContent, 'account' | 'backend'>,
  keychain: Keychain,
  currentBackend: string,
): Promise<VaultCipherKey> {
  if (backend !== currentBackend) {
    const detail = { from: backend.replaceAll(/[^\w -]/g, ''), to: currentBackend };
    throw new PosternError('KC_UNAVAILABLE', { stage: 'storage', detail, remedy: storageRemedies.sealedElsewhere });
  }
  const text = await keychain.read(account).catch((error: unknown) => {
    throw error instanceof PosternError && isAbout(error, 'no-keychain') ? unreached(error) : error;
  });
  if (text === null)
    throw new PosternError('KC_LOCKED', {
      stage: 'storage',
      detail: { file: 'vault' },
      remedy: storageRemedies.keyMissing,
    });
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length !== vaultKeyLength) throw new PosternError('KC_CORRUPT', { stage: 'storage' });
  return { account, bytes };
}

/** There are sign-ins already, so going on in memory alone, as where there are none yet, would help nobody. */
function unreached(error: PosternError): PosternError {
  return error.with({ detail: { kept: true }, remedy: error.remedy ?? storageRemedies.unreached });
}

/**
 * Makes a key and keeps it under `account`, which a file has to name before. Under the profile lock. Errors: KC_*,
 * KC_WRITE_UNVERIFIED.
 */
async function makeVaultKey(keychain: Keychain, random: Random, account: string): Promise<VaultCipherKey> {
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

/** A vault whose key is being made, until it takes the vault's place: no entry is ever without a file that names it. */
const draftName = 'vault.new';

/**
 * Makes a key and the empty vault that names it, once `makeRoom` has put away what stands in its place. Where that
 * fails, or the process dies on the way, the entry is deleted: here, or by the next `sweepVaultLeftovers`. Under the
 * profile lock. Errors: KC_*, CFG_*, those of `makeRoom`.
 */
export async function startVault(
  options: NewVaultOptions,
  makeRoom: () => Promise<void>,
): Promise<{ readonly content: VaultContent; readonly key: VaultCipherKey }> {
  const { folder, keychain, random, backend, replace, move } = options;
  await sweepVaultLeftovers(options);
  const account = newAccount();
  const content: VaultContent = { version: vaultVersion, account, backend, records: [] };
  const draft = path.join(folder, draftName);
  await replace(draft, renderVaultFile(content));
  try {
    const key = await makeVaultKey(keychain, random, account);
    await makeRoom();
    await move(draft, vaultPath(folder));
    return { content, key };
  } catch (error) {
    // What is left after this is found by the next run.
    await sweepVaultLeftovers(options).catch(() => {});
    throw error;
  }
}

function newAccount(): string {
  return `vault-${randomUUID()}`;
}

/** Whether a process that was killed has left something; one that lives may be about to remove it. */
export async function hasVaultLeftovers(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch(() => []);
  return names.some((name) => name === draftName || /^vault(\.new)?\.tmp-/u.test(name));
}

/**
 * Deletes half-written files, and the entry of a key that no vault came to name. Only under the profile lock, which
 * whoever writes them holds: what is there then is of a process that has died. Errors: KC_*, CFG_*; the draft stays.
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

/**
 * A file with sealed records: the vault, a damaged one that was set aside, a half-written one, or the name of its key
 * alone.
 */
interface VaultCopy {
  readonly file: string;
  /** The entry in the keychain that it names, if that can be made out. */
  readonly account?: string;
  readonly backend?: string;
}

/** Bytes: the account stands in the first lines, so that of a damaged file it can mostly still be read. */
const headLength = 4_096;
const ourAccount = /"account":\s*"(vault-[0-9a-f-]{36})"/;
const anyBackend = /"backend":\s*"([\w -]{1,100})"/;

/** Every file of the profile that holds sealed records, with the account that it names. */
export async function findVaultCopies(folder: string): Promise<readonly VaultCopy[]> {
  const names = (await readdir(folder)).filter((name) => /^vault(\.corrupt-\d+|\.new)?(\.tmp-[\w-]+)?$/.test(name));
  return await Promise.all(
    names.map(async (name) => {
      const file = path.join(folder, name);
      const head = await readHead(file);
      const [, account] = ourAccount.exec(head) ?? [];
      const [, backend] = anyBackend.exec(head) ?? [];
      return { file, ...(account !== undefined && { account }), ...(backend !== undefined && { backend }) };
    }),
  );
}

/** Empty where a link stands in its place: what that names is not ours. */
async function readHead(file: string): Promise<string> {
  try {
    refuseLinks(file);
    const handle = await open(file, constants.O_RDONLY | unblocking | (constants.O_NOFOLLOW ?? 0));
    try {
      refuseOthers(await handle.stat(), file);
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(headLength), 0, headLength, 0);
      return buffer.toString('utf8', 0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === aLink) return '';
    throw error;
  }
}
