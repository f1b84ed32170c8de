import { constants } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import path from 'node:path';
import { aLink, refuseLinks, refuseOthers, unblocking } from '../../plain-file.ts';
import { errnoOf } from '../files/file-system-error.ts';

/**
 * A file with sealed records: the vault, a damaged one that was set aside, a half-written one, or the name of its key
 * alone.
 */
export interface VaultCopy {
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
