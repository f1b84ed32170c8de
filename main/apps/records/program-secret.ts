import { createHash } from 'node:crypto';
import { withoutCollections } from '../../../shared/collection.ts';
import { comesOverHttp, withoutServers } from '../../../shared/program-record.ts';
import type { ProgramRecord } from '../../../shared/program-record.ts';
import { PosternError } from '../../errors/postern-error.ts';
import type { Collections, ProgramRecords } from '../../gateway-ports.ts';
import type { IntegrationStore, Random, Vault, VaultKey } from '../../ports.ts';
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
async function forgetSecrets(vault: Vault, records: readonly Pick<Record, 'id'>[]): Promise<void> {
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

/** A list whose servers take the secrets of records along that are of no use without them. */
export function createForgetfulStore<Store extends Pick<IntegrationStore, 'delete'>>(
  store: Store,
  records: Pick<ProgramRecords, 'list'>,
  vault: () => Promise<Vault>,
): Store {
  return {
    ...store,
    async delete(...ids) {
      await forgetWith(await records.list(), (before) => withoutServers(before, ids), vault);
      await store.delete(...ids);
    },
  };
}

/** Collections whose changes end the secrets of records that may use nothing else; `work` runs twice. */
export function createForgetfulCollections(
  collections: Collections,
  records: Pick<ProgramRecords, 'list'>,
  vault: () => Promise<Vault>,
): Collections {
  return {
    ...collections,
    async change(work) {
      const before = await collections.list();
      const after = work(before);
      await forgetWith(await records.list(), (all) => withoutCollections(all, before, after), vault);
      return await collections.change(work);
    },
  };
}

/**
 * The secrets of those that `work` takes out or revokes. Never rejects for the vault: where it cannot be changed, the
 * right goes all the same, and the secret is worth nothing without its record.
 */
async function forgetWith(
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
