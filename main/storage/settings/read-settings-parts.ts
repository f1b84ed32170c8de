import * as z from 'zod/mini';
import { collectionSchema } from '../../../shared/collection.ts';
import type { Collection } from '../../../shared/collection.ts';
import { mostCollections, withAliases } from '../../../shared/entry-name.ts';
import { integrationSchema } from '../../../shared/integration.ts';
import type { Integration } from '../../../shared/integration.ts';
import { pendingDeletionSchema, removedCollectionSchema } from '../../../shared/pending-deletion.ts';
import type { PendingDeletion, RemovedCollection } from '../../../shared/pending-deletion.ts';
import { programRecordSchema } from '../../../shared/program-record.ts';
import type { ProgramRecord } from '../../../shared/program-record.ts';
import { storedValueSchemas } from '../../../shared/settings.ts';
import type { Settings } from '../../../shared/settings.ts';

/** What no schema knows. */
export interface RefusedPart {
  readonly part: 'server' | 'program' | 'collection' | 'setting' | 'member';
  /** Of an entry without one: its number in the list. */
  readonly name: string;
  /** Down to the first value that does not fit, or the name that nobody knows. */
  readonly path: readonly (string | number)[];
}

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly keys?: readonly string[];
}

function pathOf(issue: Issue | undefined): (string | number)[] {
  const path = (issue?.path ?? []).filter((step) => typeof step !== 'symbol');
  return [...path, ...(issue?.keys?.slice(0, 1) ?? [])];
}

interface ReadList<Entry> {
  readonly kept: readonly Entry[];
  /** As it stands in the file. */
  readonly left: readonly unknown[];
  readonly refused: readonly RefusedPart[];
}

/** Each entry by itself, all with an alias. */
export function readIntegrations(list: readonly unknown[]): ReadList<Integration> {
  const read = readList(list, storedIntegrationSchema, { part: 'server', member: 'integrations', key: 'id' });
  return { ...read, kept: withAliases(read.kept) };
}

/** Each record by itself. */
export function readPrograms(list: readonly unknown[]): ReadList<ProgramRecord> {
  return readList(list, programRecordSchema, { part: 'program', member: 'programs', key: 'id' });
}

/** Each by itself, as many as there may be. */
export function readCollections(list: readonly unknown[]): ReadList<Collection> {
  return readList(list, collectionSchema, {
    part: 'collection',
    member: 'collections',
    key: 'name',
    most: mostCollections,
  });
}

/**
 * Those that can be read. One that cannot is let go: its server is in no list or signed out, so that its secrets are
 * swept as those of nobody.
 */
export function readDeletions(list: unknown): PendingDeletion[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((entry) => storedDeletionSchema.safeParse(entry).data ?? []);
}

/** Those that can be read: one that cannot is gone for good, and its name gives no right to another one. */
export function readRemovedCollections(list: unknown): RemovedCollection[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((entry) => removedCollectionSchema.safeParse(entry).data ?? []);
}

interface ListKind<Key extends string> {
  readonly part: RefusedPart['part'];
  readonly member: string;
  /** What no two of them have in common. */
  readonly key: Key;
  readonly most?: number;
}

function readList<Key extends string, Entry extends Readonly<Record<Key, string>>>(
  list: readonly unknown[],
  schema: z.ZodMiniType<Entry>,
  { part, member, key, most = Infinity }: ListKind<Key>,
): ReadList<Entry> {
  const byKey = new Map<string, Entry>();
  const left: unknown[] = [];
  const refused: RefusedPart[] = [];
  for (const [index, entry] of list.entries()) {
    const parsed = schema.safeParse(entry);
    if (parsed.success && !byKey.has(parsed.data[key]) && byKey.size < most) {
      byKey.set(parsed.data[key], parsed.data);
      continue;
    }
    left.push(entry);
    // Two with one key: the second.
    const path = parsed.success ? [key] : pathOf(parsed.error.issues[0]);
    refused.push({ part, name: nameOf(entry) ?? String(index + 1), path: [member, index, ...path] });
  }
  return { kept: [...byKey.values()], left, refused };
}

function nameOf(entry: unknown): string | undefined {
  const { name, id } = Object(entry) as { name?: unknown; id?: unknown };
  return [name, id].find((value): value is string => typeof value === 'string' && value !== '');
}

/** Each setting by itself. */
export function readSettings(source: Record<string, unknown>): {
  settings: Settings;
  left: Record<string, unknown>;
  refused: RefusedPart[];
} {
  // Pairs: a name may be `__proto__`.
  const settings: [string, unknown][] = [];
  const left: [string, unknown][] = [];
  const refused: RefusedPart[] = [];
  for (const [name, value] of Object.entries(source)) {
    const schema = Object.hasOwn(storedValueSchemas, name) ? storedValueSchemas[name as keyof Settings] : undefined;
    const parsed = schema?.safeParse(value);
    if (parsed?.success) settings.push([name, parsed.data]);
    else {
      left.push([name, value]);
      refused.push({ part: 'setting', name, path: ['settings', name, ...pathOf(parsed?.error?.issues[0])] });
    }
  }
  return { settings: Object.fromEntries(settings), left: Object.fromEntries(left), refused };
}

const { issuerKey, ...shape } = integrationSchema.shape;

/** An integration as the settings file has it: there `issuerKey` has been called `issuer` from the beginning. */
export const storedIntegrationSchema = z.pipe(
  z.strictObject({ ...shape, issuer: issuerKey }),
  z.transform(({ issuer, ...rest }): Integration => (issuer === undefined ? rest : { ...rest, issuerKey: issuer })),
);

export function storeIntegration({ issuerKey: issuer, ...rest }: Integration): z.input<typeof storedIntegrationSchema> {
  return issuer === undefined ? rest : { ...rest, issuer };
}

/** Made when there is one to read. */
const storedDeletionSchema: z.ZodMiniType<PendingDeletion> = z.lazy(() =>
  z.extend(pendingDeletionSchema, { integration: storedIntegrationSchema }),
);

export function storeDeletion({ integration, ...rest }: PendingDeletion): z.input<typeof storedDeletionSchema> {
  return { ...rest, integration: storeIntegration(integration) };
}
