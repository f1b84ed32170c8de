import type * as z from 'zod/mini';
import { storageRemedies } from '../../../shared/error-catalog/storage-errors.ts';
import { collectionSchema, newCollections, withoutCollections, withoutMembers } from '../../../shared/collection.ts';
import type { Collection } from '../../../shared/collection.ts';
import { withAliases } from '../../../shared/entry-name.ts';
import { integrationSchema } from '../../../shared/integration.ts';
import type { Integration } from '../../../shared/integration.ts';
import { pendingDeletionSchema, removedCollectionSchema } from '../../../shared/pending-deletion.ts';
import type { RemovedCollection } from '../../../shared/pending-deletion.ts';
import { appRecordSchema, withoutServers } from '../../../shared/app-record.ts';
import { settingsSchema } from '../../../shared/settings.ts';
import { displayText } from '../../address/display-text.ts';
import { PosternError } from '../../errors/postern-error.ts';
import type { Collections, AppRecords } from '../../gateway-ports.ts';
import { changesPerWrite } from '../../limits.ts';
import type { IntegrationStore, Locks } from '../../ports.ts';

import { profileLock } from '../files/kernel-locks.ts';
import { maxReportedParts } from './settings-document.ts';
import type { SettingsDocument, SettingsFault, SettingsReading } from './settings-document.ts';
import { readLastGood, readSettingsFile, writeSettingsFile } from './settings-file.ts';

export interface StoredIntegrations extends IntegrationStore {
  /** Problems in the file to report to the user, as of the last read. */
  notices(): readonly PosternError[];
  readonly apps: AppRecords;
  readonly collections: Collections;
}

type Readable = Extract<SettingsReading, { state: 'read' }>;

/**
 * Settings and the integration list in `config.json`; every call re-reads the file. An unreadable file is left alone,
 * and every call fails with CFG_CORRUPT. Invalid parts are preserved, and reported by `notices()`. A file of a newer
 * version is shown as far as possible but never written (CFG_NEWER).
 * Changes take the profile lock, so callers must not hold it. Errors: CFG_* (stage `settings`).
 */
export function openIntegrationStore({ folder, locks }: { folder: string; locks: Locks }): StoredIntegrations {
  let notices: readonly PosternError[] = [];

  /** Errors: CFG_CORRUPT, CFG_LINK, CFG_READONLY. */
  function load(): Readable {
    const reading = readSettingsFile(folder);
    if (reading.state === 'unreadable') throw settingsFaultError(folder, reading.fault);
    notices = ignoredNotices(reading);
    return reading;
  }

  const change = batchChanges<SettingsDocument>({
    withLock: (work) => locks.hold(profileLock, work),
    read: async () => {
      const { document, isNewer } = load();
      if (isNewer) throw new PosternError('CFG_NEWER', { stage: 'settings' });
      return document;
    },
    write: (document) => writeSettingsFile(folder, document),
  });

  const read = async (): Promise<SettingsDocument> => load().document;

  return {
    notices: () => notices,
    list: async () => (await read()).integrations,
    async isListComplete() {
      const { ignored, isNewer, hasList } = load();
      return hasList && !isNewer && ignored.every(({ part }) => part !== 'server' && part !== 'member');
    },
    read: async (id) => (await read()).integrations.find((integration) => integration.id === id),
    async write(integration) {
      const checked = validate(integrationSchema, integration);
      const { integrations } = await change((document) => ({
        ...document,
        integrations: upsert(document, checked),
      }));
      return integrations.find(({ id }) => id === checked.id) ?? checked;
    },
    async update(id, edit) {
      const { integrations } = await change((document) => {
        const existing = document.integrations.find((entry) => entry.id === id);
        const changed = existing && edit(existing);
        if (!changed || changed === existing) return document;
        const checked = validate(integrationSchema, changed);
        const edited = document.integrations.map((entry) => (entry.id === id ? checked : entry));
        return { ...document, integrations: edited };
      });
      return integrations.find((integration) => integration.id === id);
    },
    async delete(...ids) {
      const removedIds = new Set(ids);
      await change((document) => {
        const integrations = document.integrations.filter(({ id }) => !removedIds.has(id));
        const pendingDeletions = document.pendingDeletions.filter(({ integration }) => !removedIds.has(integration.id));
        const nothingRemoved = integrations.length === document.integrations.length;
        if (nothingRemoved && pendingDeletions.length === document.pendingDeletions.length) return document;
        // Also removes the apps' permission: a later server with this id is a different one.
        return withoutRemovedMembers(document, {
          ...document,
          integrations,
          pendingDeletions,
          apps: withoutServers(document.apps, ids),
        });
      });
    },
    pendingDeletions: async () => (await read()).pendingDeletions,
    async changeList(edit) {
      await change((document) => {
        const { integrations, pendingDeletions } = edit(document);
        if (integrations === document.integrations && pendingDeletions === document.pendingDeletions) return document;
        return withoutRemovedMembers(document, {
          ...document,
          integrations: withAliases(integrations.map((each) => validate(integrationSchema, each))),
          pendingDeletions: pendingDeletions.map((each) => validate(pendingDeletionSchema(), each)),
        });
      });
    },
    settings: async () => (await read()).settings,
    async updateSettings(edit) {
      const { settings } = await change((document) => {
        const edited = edit(document.settings);
        if (edited === document.settings) return document;
        return { ...document, settings: validate(settingsSchema(), edited) };
      });
      return settings;
    },
    async resetSetting(name) {
      await change(({ ignored, ...document }) => {
        const { [name]: _known, ...settings } = document.settings;
        const { [name]: _ignored, ...ignoredSettings } = ignored?.settings ?? {};
        return { ...document, settings, ...(ignored && { ignored: { ...ignored, settings: ignoredSettings } }) };
      });
    },
    apps: {
      list: async () => (await read()).apps,
      async change(work) {
        const { apps } = await change((document) => {
          const changed = work(document.apps);
          if (changed === document.apps) return document;
          return { ...document, apps: changed.map((record) => validate(appRecordSchema(), record)) };
        });
        return apps;
      },
    },
    collections: {
      list: async () => (await read()).collections,
      async change(work) {
        const { collections } = await change((document) => {
          const changed = work(document.collections);
          if (changed === document.collections) return document;
          const checked = changed.map((collection) => validate<Collection>(collectionSchema(), collection));
          // Also removes the apps' permission: a later collection with this name may have other members.
          const apps = withoutCollections(document.apps, document.collections, checked);
          const addedNames = new Set(newCollections(document.collections, checked).map(({ name }) => name));
          const removedCollections = document.removedCollections.filter(
            ({ collection: { name } }) => !addedNames.has(name),
          );
          return { ...document, collections: checked, removedCollections, apps };
        });
        return collections;
      },
      removed: async () => (await read()).removedCollections,
      async changeBoth(work) {
        await change((document) => {
          const { collections, removed } = work({
            collections: document.collections,
            removed: document.removedCollections,
          });
          if (collections === document.collections && removed === document.removedCollections) return document;
          return {
            ...document,
            collections: collections.map((each) => validate<Collection>(collectionSchema(), each)),
            removedCollections: removed.map((each) => validate<RemovedCollection>(removedCollectionSchema(), each)),
          };
        });
      },
    },
  };
}

/** Removes deleted servers from collections. Servers whose deletion is pending stay members. */
function withoutRemovedMembers(before: SettingsDocument, after: SettingsDocument): SettingsDocument {
  const idsOf = ({ integrations, pendingDeletions }: SettingsDocument): readonly string[] =>
    [...integrations, ...pendingDeletions.map(({ integration }) => integration)].map(({ id }) => id);
  const remaining = new Set(idsOf(after));
  const removedIds = new Set(idsOf(before).filter((id) => !remaining.has(id)));
  return {
    ...after,
    collections: withoutMembers(after.collections, removedIds),
    removedCollections: after.removedCollections.map((each) => {
      const [collection = each.collection] = withoutMembers([each.collection], removedIds);
      return { ...each, collection };
    }),
  };
}

/**
 * Replaces the entry with the same id and keeps its alias, permissions and tool review: a new sign-in or key must not
 * lift a denial. A new entry goes to the end, and gets no alias of an entry whose removal can still be undone.
 */
function upsert({ integrations, pendingDeletions }: SettingsDocument, written: Integration): readonly Integration[] {
  const exists = integrations.some(({ id }) => id === written.id);
  const pendingRemovals = pendingDeletions.flatMap(({ kind, integration }) => (kind === 'remove' ? [integration] : []));
  if (!exists) return withAliases([...pendingRemovals, ...integrations, written]).slice(pendingRemovals.length);
  return withAliases(
    integrations.map((existing) =>
      existing.id === written.id
        ? {
            ...(existing.alias !== undefined && { alias: existing.alias }),
            ...(existing.permissions && { permissions: existing.permissions }),
            ...(existing.toolReview && { toolReview: existing.toolReview }),
            ...written,
          }
        : existing,
    ),
  );
}

/** Only writes what can be read back: a value that fails its own schema is a bug. */
function validate<Value>(schema: z.ZodMiniType<Value>, value: Value): Value {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw new PosternError('INTERNAL', { stage: 'settings', cause: parsed.error });
  return parsed.data;
}

interface BatchOptions<Document> {
  /** Holds the lock while reading and writing. */
  readonly withLock: (work: () => Promise<void>) => Promise<void>;
  readonly read: () => Promise<Document>;
  readonly write: (document: Document) => Promise<void>;
}

interface PendingChange<Document> {
  readonly edit: (document: Document) => Document;
  readonly resolve: (document: Document) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Changes a document by read-modify-write under the lock. Changes that arrive while another waits for the lock or is
 * being written are batched in order into one write. An edit that throws fails alone; if the document cannot be read or
 * written, the whole batch fails. An edit that returns its argument changes nothing.
 */
export function batchChanges<Document>({ withLock, read, write }: BatchOptions<Document>) {
  const queue: PendingChange<Document>[] = [];
  let isWriting = false;

  async function writeBatch(): Promise<void> {
    let batch: PendingChange<Document>[] = [];
    try {
      await withLock(async () => {
        batch = queue.splice(0, changesPerWrite);
        const before: Document = await read();
        let document = before;
        const completions: (() => void)[] = [];
        for (const { edit, resolve, reject } of batch) {
          try {
            const edited = edit(document);
            document = edited;
            completions.push(() => resolve(edited));
          } catch (error) {
            reject(error);
          }
        }
        if (document !== before) await write(document);
        for (const complete of completions) complete();
      });
    } catch (error) {
      // Without the lock no change could run, so the whole queue fails.
      const failed = batch.length > 0 ? batch : queue.splice(0, changesPerWrite);
      for (const { reject } of failed) reject(error);
    }
  }

  async function writeAll(): Promise<void> {
    isWriting = true;
    try {
      while (queue.length > 0) await writeBatch();
    } finally {
      isWriting = false;
    }
  }

  return (edit: (document: Document) => Document): Promise<Document> => {
    const { promise, resolve, reject } = Promise.withResolvers<Document>();
    queue.push({ edit, resolve, reject });
    if (!isWriting) void writeAll();
    return promise;
  };
}

/** CFG_CORRUPT with the position of the fault, and whether there is a backup to restore. */
function settingsFaultError(folder: string, { reason, position }: SettingsFault): PosternError {
  const copy = readLastGood(folder) !== undefined;
  const missing = reason === 'missing' || reason === 'no-list';
  return new PosternError('CFG_CORRUPT', {
    stage: 'settings',
    detail: { reason, ...position },
    remedy: reason === 'before-release' ? storageRemedies.beforeRelease : { kind: 'fix-settings', missing, copy },
  });
}

/**
 * Problems to report to the user: CFG_NEWER, or one CFG_PART_IGNORED per invalid part. The last one reported includes
 * how many more there are.
 */
function ignoredNotices(reading: Extract<SettingsReading, { state: 'read' }>): readonly PosternError[] {
  const { ignored, isNewer } = reading;
  if (isNewer) {
    const hidden = ignored.filter(({ part }) => part === 'server').length;
    return [new PosternError('CFG_NEWER', { stage: 'settings', detail: { hidden } })];
  }
  const others = ignored.length - maxReportedParts;
  return ignored.slice(0, maxReportedParts).map(({ part, name, position }, index) => {
    const detail = {
      part,
      name: displayText(name),
      ...position,
      ...(index === maxReportedParts - 1 && others > 0 && { others }),
    };
    return new PosternError('CFG_PART_IGNORED', { stage: 'settings', detail });
  });
}
