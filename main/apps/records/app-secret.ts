import { createHash } from 'node:crypto';
import { withoutCollections } from '../../../shared/collection.ts';
import { canConnectOverHttp, withoutServers } from '../../../shared/app-record.ts';
import type { AppRecord } from '../../../shared/app-record.ts';
import { PosternError } from '../../errors/postern-error.ts';
import type { Collections, AppRecords } from '../../gateway-ports.ts';
import type { IntegrationStore, Random, Vault, VaultKey } from '../../ports.ts';
import { Secret } from '../../secret.ts';

type SecretRecord = Pick<AppRecord, 'id' | 'secretHash'>;

const keyOf = ({ id }: Pick<AppRecord, 'id'>): VaultKey => ({ kind: 'app', owner: `app:${id}` });

/** Bytes. */
const secretLength = 32;

/** Shown in place of the secret when a change is previewed. */
export const hiddenAuthorization = 'Bearer (not shown)';

export function authorizationOf(secret: Secret): string {
  return `Bearer ${secret.reveal()}`;
}

/**
 * The bearer secret of an app, created on first use. The vault stores the secret, the app record its hash.
 * Errors: KC_*, CFG_*.
 */
export async function appSecret(
  { vault, apps, random }: { readonly vault: Vault; readonly apps: AppRecords; readonly random: Random },
  record: SecretRecord,
): Promise<Secret> {
  const stored = await readStoredSecret(vault, record);
  if (stored) return stored;
  const secret = newSecret(random);
  await storeSecret(vault, record, secret);
  await apps.change((records) => withSecret(records, record, secret));
  return secret;
}

/** The secret that matches the record's hash. Errors: KC_*. */
export async function readStoredSecret(vault: Vault, record: SecretRecord): Promise<Secret | undefined> {
  const stored = await vault.read(keyOf(record));
  return typeof stored === 'string' && hashOfSecret(stored) === record.secretHash ? new Secret(stored) : undefined;
}

export function newSecret(random: Random): Secret {
  return new Secret(Buffer.from(random.bytes(secretLength)).toString('base64url'));
}

/** Must be called before the record gets the hash. Errors: KC_*. */
export async function storeSecret(vault: Vault, record: Pick<SecretRecord, 'id'>, secret: Secret): Promise<void> {
  await vault.write(keyOf(record), secret.reveal());
}

/** Errors: KC_*. */
async function deleteSecrets(vault: Vault, records: readonly Pick<SecretRecord, 'id'>[]): Promise<void> {
  await vault.delete(...records.map(keyOf));
}

/**
 * Deletes the secret of a change that was not made, unless a record has its hash. Vault errors are ignored: without its
 * record a secret is useless.
 */
export async function discardUnusedSecret(
  vault: () => Promise<Vault>,
  apps: Pick<AppRecords, 'list'>,
  { id }: Pick<SecretRecord, 'id'>,
  secret: Secret,
): Promise<void> {
  const hash = hashOfSecret(secret.reveal());
  try {
    const records = await apps.list();
    if (!records.some((record) => record.id === id && record.secretHash === hash))
      await deleteSecrets(await vault(), [{ id }]);
  } catch (error) {
    if (!(error instanceof PosternError)) throw error;
  }
}

export function withSecret(
  records: readonly AppRecord[],
  { id }: Pick<SecretRecord, 'id'>,
  secret: Secret,
): readonly AppRecord[] {
  const secretHash = hashOfSecret(secret.reveal());
  return records.map((each) => (each.id === id ? { ...each, secretHash } : each));
}

export function hashOfSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

type Records = readonly AppRecord[];

/**
 * Deletes the secret before its record is deleted or revoked: a crash in between leaves a record, which the user can
 * see, not a stray secret. The vault is opened only if a secret must be deleted.
 */
export function withSecretCleanup(records: AppRecords, vault: () => Promise<Vault>): AppRecords {
  return {
    list: () => records.list(),
    async change(work) {
      await deleteOrphanedSecrets(await records.list(), work, vault);
      return await records.change(work);
    },
  };
}

/** Deleting a server also deletes the secrets of records that become useless. */
export function storeWithSecretCleanup<Store extends Pick<IntegrationStore, 'delete'>>(
  store: Store,
  records: Pick<AppRecords, 'list'>,
  vault: () => Promise<Vault>,
): Store {
  return {
    ...store,
    async delete(...ids) {
      await deleteOrphanedSecrets(await records.list(), (before) => withoutServers(before, ids), vault);
      await store.delete(...ids);
    },
  };
}

/** Changing collections also deletes the secrets of records left without a server. `work` runs twice. */
export function collectionsWithSecretCleanup(
  collections: Collections,
  records: Pick<AppRecords, 'list'>,
  vault: () => Promise<Vault>,
): Collections {
  return {
    ...collections,
    async change(work) {
      const before = await collections.list();
      const after = work(before);
      await deleteOrphanedSecrets(await records.list(), (all) => withoutCollections(all, before, after), vault);
      return await collections.change(work);
    },
  };
}

/**
 * Deletes the secrets of records that `work` removes or revokes. Vault errors are ignored: the permission is revoked
 * anyway, and without its record a secret is useless.
 */
async function deleteOrphanedSecrets(
  before: Records,
  work: (records: Records) => Records,
  vault: () => Promise<Vault>,
): Promise<void> {
  const active = new Set(work(before).flatMap(({ id, revokedAt }) => (revokedAt === undefined ? [id] : [])));
  const gone = before.filter((record) => canConnectOverHttp(record) && !active.has(record.id));
  if (gone.length === 0) return;
  try {
    await deleteSecrets(await vault(), gone);
  } catch (error) {
    if (!(error instanceof PosternError)) throw error;
  }
}
