import type * as z from 'zod/mini';
import { collectionSchema, newCollections, withoutCollections, withoutMembers } from '../../../shared/collection.ts';
import type { Collection } from '../../../shared/collection.ts';
import { withAliases } from '../../../shared/entry-name.ts';
import { integrationSchema } from '../../../shared/integration.ts';
import type { Integration } from '../../../shared/integration.ts';
import { pendingDeletionSchema, removedCollectionSchema } from '../../../shared/pending-deletion.ts';
import type { RemovedCollection } from '../../../shared/pending-deletion.ts';
import { programRecordSchema, withoutServers } from '../../../shared/program-record.ts';
import { settingsSchema } from '../../../shared/settings.ts';
import { displayText } from '../../address/display-text.ts';
import { PosternError } from '../../errors/postern-error.ts';
import type { Collections, ProgramRecords } from '../../gateway-ports.ts';
import { changesAtOnce } from '../../limits.ts';
import type { IntegrationStore, Locks } from '../../ports.ts';

import { profileLock } from '../files/kernel-locks.ts';
import { namedParts } from './settings-document.ts';
import type { SettingsDocument, SettingsFault, SettingsReading } from './settings-document.ts';
import { readLastGood, readSettingsFile, writeSettingsFile } from './settings-file.ts';

export interface StoredIntegrations extends IntegrationStore {
  /** What a person should be told of the file, as it was last read. */
  notices(): readonly PosternError[];
  readonly programs: ProgramRecords;
  readonly collections: Collections;
}

type Readable = Extract<SettingsReading, { state: 'read' }>;

/**
 * Settings and integration list in `config.json`; every call reads the file again. One that cannot be read is left as
 * it is, and every call says CFG_CORRUPT; parts that do not fit are named by `notices()` and kept; one of a newer
 * version is shown as far as it is understood and never written (CFG_NEWER).
 * Changes take the profile lock, so it must not be held. Errors: CFG_* (stage `settings`).
 */
export function openIntegrationStore({ folder, locks }: { folder: string; locks: Locks }): StoredIntegrations {
  let notices: readonly PosternError[] = [];

  /** Errors: CFG_CORRUPT, CFG_LINK, CFG_READONLY. */
  async function load(): Promise<Readable> {
    const reading = await readSettingsFile(folder);
    if (reading.state === 'unreadable') throw await settingsFaultError(folder, reading.fault);
    notices = describeUnread(reading);
    return reading;
  }

  const change = batchChanges<SettingsDocument>({
    together: (work) => locks.hold(profileLock, work),
    async read() {
      const { document, newer } = await load();
      if (newer) throw new PosternError('CFG_NEWER', { stage: 'settings' });
      return document;
    },
    write: (document) => writeSettingsFile(folder, document),
  });

  const read = async (): Promise<SettingsDocument> => (await load()).document;

  return {
    notices: () => notices,
    list: async () => (await read()).integrations,
    async listIsWhole() {
      const { unread, newer, hasList } = await load();
      return hasList && !newer && unread.every(({ part }) => part !== 'server' && part !== 'member');
    },
    read: async (id) => (await read()).integrations.find((integration) => integration.id === id),
    async write(integration) {
      const checked = check(integrationSchema, integration);
      const { integrations } = await change((document) => ({
        ...document,
        integrations: put(document, checked),
      }));
      return integrations.find(({ id }) => id === checked.id) ?? checked;
    },
    async update(id, edit) {
      const { integrations } = await change((document) => {
        const existing = document.integrations.find((entry) => entry.id === id);
        const changed = existing && edit(existing);
        if (!changed || changed === existing) return document;
        const checked = check(integrationSchema, changed);
        const edited = document.integrations.map((entry) => (entry.id === id ? checked : entry));
        return { ...document, integrations: edited };
      });
      return integrations.find((integration) => integration.id === id);
    },
    async delete(...ids) {
      const leaving = new Set(ids);
      await change((document) => {
        const integrations = document.integrations.filter(({ id }) => !leaving.has(id));
        const pendingDeletions = document.pendingDeletions.filter(({ integration }) => !leaving.has(integration.id));
        const isGone = integrations.length === document.integrations.length;
        if (isGone && pendingDeletions.length === document.pendingDeletions.length) return document;
        // The right of programs to use it goes too: whatever gets its id one day is another server.
        return withoutGoneMembers(document, {
          ...document,
          integrations,
          pendingDeletions,
          programs: withoutServers(document.programs, ids),
        });
      });
    },
    pendingDeletions: async () => (await read()).pendingDeletions,
    async changeList(edit) {
      await change((document) => {
        const { integrations, pendingDeletions } = edit(document);
        if (integrations === document.integrations && pendingDeletions === document.pendingDeletions) return document;
        return withoutGoneMembers(document, {
          ...document,
          integrations: withAliases(integrations.map((each) => check(integrationSchema, each))),
          pendingDeletions: pendingDeletions.map((each) => check(pendingDeletionSchema, each)),
        });
      });
    },
    settings: async () => (await read()).settings,
    async updateSettings(edit) {
      const { settings } = await change((document) => {
        const edited = edit(document.settings);
        if (edited === document.settings) return document;
        return { ...document, settings: check(settingsSchema, edited) };
      });
      return settings;
    },
    async resetSetting(name) {
      await change(({ unread, ...document }) => {
        const { [name]: _known, ...settings } = document.settings;
        const { [name]: _unread, ...unreadSettings } = unread?.settings ?? {};
        return { ...document, settings, ...(unread && { unread: { ...unread, settings: unreadSettings } }) };
      });
    },
    programs: {
      list: async () => (await read()).programs,
      async change(work) {
        const { programs } = await change((document) => {
          const changed = work(document.programs);
          if (changed === document.programs) return document;
          return { ...document, programs: changed.map((record) => check(programRecordSchema, record)) };
        });
        return programs;
      },
    },
    collections: {
      list: async () => (await read()).collections,
      async change(work) {
        const { collections } = await change((document) => {
          const changed = work(document.collections);
          if (changed === document.collections) return document;
          const checked = changed.map((collection) => check<Collection>(collectionSchema, collection));
          // The right goes with it: another one that gets its name one day has other members.
          const programs = withoutCollections(document.programs, document.collections, checked);
          const fresh = new Set(newCollections(document.collections, checked).map(({ name }) => name));
          const removedCollections = document.removedCollections.filter(({ collection: { name } }) => !fresh.has(name));
          return { ...document, collections: checked, removedCollections, programs };
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
            collections: collections.map((each) => check<Collection>(collectionSchema, each)),
            removedCollections: removed.map((each) => check<RemovedCollection>(removedCollectionSchema, each)),
          };
        });
      },
    },
  };
}

/** One that may still come back keeps its places. */
function withoutGoneMembers(before: SettingsDocument, after: SettingsDocument): SettingsDocument {
  const idsOf = ({ integrations, pendingDeletions }: SettingsDocument): readonly string[] =>
    [...integrations, ...pendingDeletions.map(({ integration }) => integration)].map(({ id }) => id);
  const kept = new Set(idsOf(after));
  const gone = new Set(idsOf(before).filter((id) => !kept.has(id)));
  return {
    ...after,
    collections: withoutMembers(after.collections, gone),
    removedCollections: after.removedCollections.map((each) => {
      const [collection = each.collection] = withoutMembers([each.collection], gone);
      return { ...each, collection };
    }),
  };
}

/**
 * In the place of the one with its id, whose alias it keeps, and what a person has set for it: a new sign-in or another
 * key lifts no denial. Else at the end, with no alias of an entry that may come back.
 */
function put({ integrations, pendingDeletions }: SettingsDocument, written: Integration): readonly Integration[] {
  const isThere = integrations.some(({ id }) => id === written.id);
  const leaving = pendingDeletions.flatMap(({ kind, integration }) => (kind === 'remove' ? [integration] : []));
  if (!isThere) return withAliases([...leaving, ...integrations, written]).slice(leaving.length);
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

/** What is written must be readable again: a value that its own schema refuses is a mistake of the program. */
function check<Value>(schema: z.ZodMiniType<Value>, value: Value): Value {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw new PosternError('INTERNAL', { stage: 'settings', cause: parsed.error });
  return parsed.data;
}

interface BatchOptions<Document> {
  /** Holds the lock around reading and writing. */
  readonly together: (work: () => Promise<void>) => Promise<void>;
  readonly read: () => Promise<Document>;
  readonly write: (document: Document) => Promise<void>;
}

interface Waiting<Document> {
  readonly edit: (document: Document) => Document;
  readonly resolve: (document: Document) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Changes of one document, each of them re-read, made and written under the lock. Those that come while another waits
 * for the lock or is written go together, in their order, with one write for all. An edit that throws fails alone;
 * where the document cannot be read or written, all of its batch fail. An edit that answers what it was given changes
 * nothing.
 */
export function batchChanges<Document>({ together, read, write }: BatchOptions<Document>) {
  const waiting: Waiting<Document>[] = [];
  let isWriting = false;

  async function writeBatch(): Promise<void> {
    let taken: Waiting<Document>[] = [];
    try {
      await together(async () => {
        taken = waiting.splice(0, changesAtOnce);
        const before: Document = await read();
        let document = before;
        const done: (() => void)[] = [];
        for (const { edit, resolve, reject } of taken) {
          try {
            const edited = edit(document);
            document = edited;
            done.push(() => resolve(edited));
          } catch (error) {
            reject(error);
          }
        }
        if (document !== before) await write(document);
        for (const tell of done) tell();
      });
    } catch (error) {
      // Without the lock none of them could run: all who waited are told the error.
      const failed = taken.length > 0 ? taken : waiting.splice(0, changesAtOnce);
      for (const { reject } of failed) reject(error);
    }
  }

  async function writeAll(): Promise<void> {
    isWriting = true;
    try {
      while (waiting.length > 0) await writeBatch();
    } finally {
      isWriting = false;
    }
  }

  return (edit: (document: Document) => Document): Promise<Document> => {
    const { promise, resolve, reject } = Promise.withResolvers<Document>();
    waiting.push({ edit, resolve, reject });
    if (!isWriting) void writeAll();
    return promise;
  };
}

/** CFG_CORRUPT with where the fault is, and whether there is a copy to go back to. */
async function settingsFaultError(folder: string, { reason, place }: SettingsFault): Promise<PosternError> {
  const copy = (await readLastGood(folder)) !== undefined;
  const missing = reason === 'missing' || reason === 'no-list';
  return new PosternError('CFG_CORRUPT', {
    stage: 'settings',
    detail: { reason, ...place },
    remedy: { kind: 'mend-settings', missing, copy },
  });
}

/**
 * What a person should be told about the settings file: CFG_NEWER, or one CFG_PART_UNREAD for each part that is left
 * alone, the last of them with how many more there are.
 */
function describeUnread(reading: Extract<SettingsReading, { state: 'read' }>): readonly PosternError[] {
  const { unread, newer } = reading;
  if (newer) {
    const hidden = unread.filter(({ part }) => part === 'server').length;
    return [new PosternError('CFG_NEWER', { stage: 'settings', detail: { hidden } })];
  }
  const others = unread.length - namedParts;
  return unread.slice(0, namedParts).map(({ part, name, place }, index) => {
    const detail = {
      part,
      name: displayText(name),
      ...place,
      ...(index === namedParts - 1 && others > 0 && { others }),
    };
    return new PosternError('CFG_PART_UNREAD', { stage: 'settings', detail });
  });
}
