import { createHash } from 'node:crypto';
import type { ProgramRecord } from '../../../shared/program-record.ts';
import type { ProgramRecords } from '../../gateway-ports.ts';
import type { Random, Vault, VaultKey } from '../../ports.ts';
import { PosternError } from '../../postern-error.ts';
import { Secret } from '../../secret.ts';

type Record = Pick<ProgramRecord, 'id' | 'secretHash'>;

const keyOf = ({ id }: Pick<ProgramRecord, 'id'>): VaultKey => ({ kind: 'program', owner: `program:${id}` });

/** Bytes: 256 bits. */
const secretLength = 32;

/** Stands for the secret wherever a change is only shown. */
export const hiddenAuthorization = 'Bearer (not shown)';

export function authorizationOf(secret: Secret): string {
  return `Bearer ${secret.reveal()}`;
}

/**
 * What a program shows to Postern over HTTP, made when it is first needed: the vault has it, and its record the hash.
 * Errors: KC_*, CFG_*.
 */
export async function programSecret(
  { vault, programs, random }: { readonly vault: Vault; readonly programs: ProgramRecords; readonly random: Random },
  record: Record,
): Promise<Secret> {
  const kept = await keptSecret(vault, record);
  if (kept) return kept;
  const secret = newSecret(random);
  await keepSecret(vault, record, secret);
  await programs.change((records) => withSecret(records, record, secret));
  return secret;
}

/** The one that the record has the hash of. Errors: KC_*. */
export async function keptSecret(vault: Vault, record: Record): Promise<Secret | undefined> {
  const kept = await vault.read(keyOf(record));
  return typeof kept === 'string' && hashOfSecret(kept) === record.secretHash ? new Secret(kept) : undefined;
}

export function newSecret(random: Random): Secret {
  return new Secret(Buffer.from(random.bytes(secretLength)).toString('base64url'));
}

/** Before its record has the hash. Errors: KC_*. */
export async function keepSecret(vault: Vault, record: Pick<Record, 'id'>, secret: Secret): Promise<void> {
  await vault.write(keyOf(record), secret.reveal());
}

/** Errors: KC_*. */
export async function forgetSecrets(vault: Vault, records: readonly Pick<Record, 'id'>[]): Promise<void> {
  await vault.delete(...records.map(keyOf));
}

/**
 * Of a change that was not made after all: the secret goes again, unless its record stands. Never rejects for the vault:
 * it opens nothing without its record.
 */
export async function giveBackSecret(
  vault: () => Promise<Vault>,
  programs: Pick<ProgramRecords, 'list'>,
  { id }: Pick<Record, 'id'>,
  secret: Secret,
): Promise<void> {
  const hash = hashOfSecret(secret.reveal());
  try {
    const records = await programs.list();
    if (!records.some((record) => record.id === id && record.secretHash === hash))
      await forgetSecrets(await vault(), [{ id }]);
  } catch (error) {
    if (!(error instanceof PosternError)) throw error;
  }
}

export function withSecret(
  records: readonly ProgramRecord[],
  { id }: Pick<Record, 'id'>,
  secret: Secret,
): readonly ProgramRecord[] {
  const secretHash = hashOfSecret(secret.reveal());
  return records.map((each) => (each.id === id ? { ...each, secretHash } : each));
}

export function hashOfSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
