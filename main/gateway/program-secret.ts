import { createHash } from 'node:crypto';
import type { ProgramRecord } from '../../shared/program-record.ts';
import type { ProgramRecords } from '../gateway-ports.ts';
import type { Random, Vault, VaultKey } from '../ports.ts';
import { Secret } from '../secret.ts';

const keyOf = ({ id }: Pick<ProgramRecord, 'id'>): VaultKey => ({ kind: 'program', owner: `program:${id}` });

/** Bytes: 256 bits. */
const secretLength = 32;

/**
 * What a program shows to Postern over HTTP, made when it is first needed: the vault has it, and its record the hash.
 * Errors: KC_*, CFG_*.
 */
export async function programSecret(
  { vault, programs, random }: { readonly vault: Vault; readonly programs: ProgramRecords; readonly random: Random },
  record: ProgramRecord,
): Promise<Secret> {
  const kept = await vault.read(keyOf(record));
  if (typeof kept === 'string' && hashOf(kept) === record.secretHash) return new Secret(kept);
  const secret = Buffer.from(random.bytes(secretLength)).toString('base64url');
  await vault.write(keyOf(record), secret);
  const secretHash = hashOf(secret);
  await programs.change((records) => records.map((each) => (each.id === record.id ? { ...each, secretHash } : each)));
  return new Secret(secret);
}

function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
