import * as z from 'zod/mini';
import { collectionSchema } from '../../../shared/collection.ts';
import type { Collection } from '../../../shared/collection.ts';
import { maxCollections, withAliases } from '../../../shared/entry-name.ts';
import { integrationSchema } from '../../../shared/integration.ts';
import type { Integration } from '../../../shared/integration.ts';
import { pendingDeletionSchema, removedCollectionSchema } from '../../../shared/pending-deletion.ts';
import type { PendingDeletion, RemovedCollection } from '../../../shared/pending-deletion.ts';
import { appRecordSchema } from '../../../shared/app-record.ts';
import type { AppRecord } from '../../../shared/app-record.ts';
import { storedValueSchemas } from '../../../shared/settings.ts';
import type { Settings } from '../../../shared/settings.ts';
import { createQuickParser } from '../../quick-parser.ts';

/** A part of the settings file that fails its schema. */
export interface InvalidPart {
  readonly part: 'server' | 'app' | 'collection' | 'setting' | 'member';
  /** For an entry without a name: its number in the list, from 1. */
  readonly name: string;
  /** Path of the first invalid value or unknown member. */
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
  readonly valid: readonly Entry[];
  /** The invalid entries, exactly as in the file. */
  readonly ignored: readonly unknown[];
  readonly invalid: readonly InvalidPart[];
}

/** Validates each entry on its own, and makes sure that all have an alias. */
export function readIntegrations(list: readonly unknown[]): ReadList<Integration> {
  const parseQuickly = createQuickParser(storedIntegration);
  const parse = (entry: unknown) => {
    const parsed = parseQuickly(entry);
    return parsed ? { success: true as const, data: fromStored(parsed) } : storedIntegrationSchema.safeParse(entry);
  };
  const read = readList(list, parse, { part: 'server', member: 'integrations', key: 'id' });
  return { ...read, valid: withAliases(read.valid) };
}

/** Validates each record on its own. */
export function readApps(list: readonly unknown[]): ReadList<AppRecord> {
  return readList(list, (entry) => appRecordSchema.safeParse(entry), { part: 'app', member: 'apps', key: 'id' });
}

/** Validates each collection on its own, up to the maximum number. */
export function readCollections(list: readonly unknown[]): ReadList<Collection> {
  return readList(list, (entry) => collectionSchema.safeParse(entry), {
    part: 'collection',
    member: 'collections',
    key: 'name',
    max: maxCollections,
  });
}

/** Drops invalid ones: their servers are unlisted or signed out, so that their secrets are swept as orphans. */
export function readDeletions(list: unknown): PendingDeletion[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((entry) => storedDeletionSchema.safeParse(entry).data ?? []);
}

/** Drops invalid ones for good. Their permissions do not pass on to a new collection with the same name. */
export function readRemovedCollections(list: unknown): RemovedCollection[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((entry) => removedCollectionSchema.safeParse(entry).data ?? []);
}

interface ListKind<Key extends string> {
  readonly part: InvalidPart['part'];
  readonly member: string;
  /** Unique within the list. */
  readonly key: Key;
  readonly max?: number;
}

function readList<Key extends string, Entry extends Readonly<Record<Key, string>>>(
  list: readonly unknown[],
  parse: (entry: unknown) => ReturnType<z.ZodMiniType<Entry>['safeParse']>,
  { part, member, key, max = Infinity }: ListKind<Key>,
): ReadList<Entry> {
  const byKey = new Map<string, Entry>();
  const ignored: unknown[] = [];
  const invalid: InvalidPart[] = [];
  for (const [index, entry] of list.entries()) {
    const parsed = parse(entry);
    if (parsed.success && !byKey.has(parsed.data[key]) && byKey.size < max) {
      byKey.set(parsed.data[key], parsed.data);
      continue;
    }
    ignored.push(entry);
    // A valid entry with a duplicate key.
    const path = parsed.success ? [key] : pathOf(parsed.error.issues[0]);
    invalid.push({ part, name: nameOf(entry) ?? String(index + 1), path: [member, index, ...path] });
  }
  return { valid: [...byKey.values()], ignored, invalid };
}

function nameOf(entry: unknown): string | undefined {
  const { name, id } = Object(entry) as { name?: unknown; id?: unknown };
  return [name, id].find((value): value is string => typeof value === 'string' && value !== '');
}

/** Validates each setting on its own. */
export function readSettings(source: Record<string, unknown>): {
  settings: Settings;
  ignored: Record<string, unknown>;
  invalid: InvalidPart[];
} {
  // Pairs, because a name may be `__proto__`.
  const settings: [string, unknown][] = [];
  const ignored: [string, unknown][] = [];
  const invalid: InvalidPart[] = [];
  for (const [name, value] of Object.entries(source)) {
    const schema = Object.hasOwn(storedValueSchemas, name) ? storedValueSchemas[name as keyof Settings] : undefined;
    const parsed = schema?.safeParse(value);
    if (parsed?.success) settings.push([name, parsed.data]);
    else {
      ignored.push([name, value]);
      invalid.push({ part: 'setting', name, path: ['settings', name, ...pathOf(parsed?.error?.issues[0])] });
    }
  }
  return { settings: Object.fromEntries(settings), ignored: Object.fromEntries(ignored), invalid };
}

const { issuerKey, ...shape } = integrationSchema.shape;

const storedIntegration = z.strictObject({ ...shape, issuer: issuerKey });

function fromStored(stored: z.infer<typeof storedIntegration>): Integration {
  if (stored.issuer === undefined) return stored;
  const { issuer, ...rest } = stored;
  return { ...rest, issuerKey: issuer };
}

/** An integration in the settings file, where `issuerKey` has always been called `issuer`. */
export const storedIntegrationSchema = z.pipe(storedIntegration, z.transform(fromStored));

export function toStoredIntegration({
  issuerKey: issuer,
  ...rest
}: Integration): z.input<typeof storedIntegrationSchema> {
  return issuer === undefined ? rest : { ...rest, issuer };
}

/** Lazy: only built if the file has a pending deletion. */
const storedDeletionSchema: z.ZodMiniType<PendingDeletion> = z.lazy(() =>
  z.extend(pendingDeletionSchema, { integration: storedIntegrationSchema }),
);

export function toStoredDeletion({ integration, ...rest }: PendingDeletion): z.input<typeof storedDeletionSchema> {
  return { ...rest, integration: toStoredIntegration(integration) };
}
