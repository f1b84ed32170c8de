import { comesOverHttp, type ProgramRecord } from '../../../shared/program-record.ts';
import type { ProgramRecords } from '../../gateway-ports.ts';
import type { Vault } from '../../ports.ts';
import { PosternError } from '../../postern-error.ts';
import { forgetSecrets } from './program-secret.ts';

type Records = readonly ProgramRecord[];

/**
 * Records whose secret goes before they do, or before they are revoked: what a crash in between leaves is a record, which
 * a person sees. The vault is opened where a secret goes.
 */
export function createForgetfulRecords(records: ProgramRecords, vault: () => Promise<Vault>): ProgramRecords {
  return {
    list: () => records.list(),
    async change(work) {
      await forgetWith(await records.list(), work, vault);
      return await records.change(work);
    },
  };
}

/**
 * The secrets of those that `work` takes out or revokes. Never rejects for the vault: where it cannot be changed, the
 * right goes all the same, and the secret is worth nothing without its record.
 */
export async function forgetWith(
  before: Records,
  work: (records: Records) => Records,
  vault: () => Promise<Vault>,
): Promise<void> {
  const standing = new Set(work(before).flatMap(({ id, revokedAt }) => (revokedAt === undefined ? [id] : [])));
  const gone = before.filter((record) => comesOverHttp(record) && !standing.has(record.id));
  if (gone.length === 0) return;
  try {
    await forgetSecrets(await vault(), gone);
  } catch (error) {
    if (!(error instanceof PosternError)) throw error;
  }
}
