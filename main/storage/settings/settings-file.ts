import { statSync } from 'node:fs';
import path from 'node:path';
import { hasTrait } from '../../../shared/error-traits.ts';
import type { RestoredSettings } from '../../../shared/desktop-view.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { fileBytes } from '../../limits.ts';
import { readPlainFileSync } from '../../plain-file.ts';
import type { IntegrationStore, Locks } from '../../ports.ts';
import type { SettingsFile } from '../../window-ports.ts';
import { errnoOf, toFileSystemError } from '../files/file-system-error.ts';
import { profileLock } from '../files/kernel-locks.ts';
import { backUpSettings, memoizeParse, replaceFile } from '../files/replace-file.ts';
import { emptySettings, readSettingsDocument, renderSettingsDocument } from './settings-document.ts';
import type { SettingsDocument, SettingsReading } from './settings-document.ts';

const parseSettings = memoizeParse(readSettingsDocument);

export function settingsPath(folder: string): string {
  return path.join(folder, 'config.json');
}

/**
 * Reads the file. If it or its list is missing, the list is empty, unless the last good copy has servers: then the list
 * was lost. Errors: CFG_LINK; CFG_READONLY if there is no read permission.
 */
export function readSettingsFile(folder: string): SettingsReading {
  const text = readText(settingsPath(folder));
  if (text === 'large') return { state: 'unreadable', fault: { reason: 'large' } };
  const reading = text === undefined ? emptyReading : parseSettings(text);
  if (reading.state === 'unreadable' || reading.hasList || reading.isNewer || !lastGoodHasServers(folder))
    return reading;
  return { state: 'unreadable', fault: { reason: text === undefined ? 'missing' : 'no-list' } };
}

const emptyReading: SettingsReading = {
  state: 'read',
  document: emptySettings,
  ignored: [],
  isNewer: false,
  hasList: false,
};

/**
 * Writes the file atomically, and then the last good copy. Call it under the profile lock.
 * Errors: CFG_LINK, CFG_DISK_FULL, CFG_READONLY (stage `settings`); the old file is then unchanged.
 */
export async function writeSettingsFile(folder: string, document: SettingsDocument): Promise<void> {
  const file = settingsPath(folder);
  const bytes = Buffer.from(renderSettingsDocument(document));
  try {
    // Rejects a link instead of replacing it: the user may have placed it.
    readText(file);
    await replaceFile(file, bytes);
  } catch (error) {
    throw toFileSystemError(error, 'settings').with({ stage: 'settings' });
  }
  await saveLastGood(folder, document, bytes);
}

/** `large`: far larger than anything Postern writes, so it is not read. */
function readText(file: string): string | undefined {
  try {
    const bytes = readPlainFileSync(file, { limit: fileBytes.settings, follow: false });
    return bytes?.toString('utf8') ?? 'large';
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw toFileSystemError(error, 'settings');
  }
}

/** A copy of what Postern last wrote, in case an edit breaks `config.json`. */
interface LastGoodSettings {
  readonly document: SettingsDocument;
  /** Milliseconds since 1970. */
  readonly writtenAt: number;
}

function lastGoodPath(folder: string): string {
  return path.join(folder, 'config.last-good.json');
}

const parseLastGood = memoizeParse(readSettingsDocument);

/** `undefined`: there is none, or it is unusable. */
export function readLastGood(folder: string): LastGoodSettings | undefined {
  const file = lastGoodPath(folder);
  try {
    const bytes = readPlainFileSync(file, { limit: fileBytes.settings, follow: false });
    const reading = bytes && parseLastGood(bytes.toString('utf8'));
    if (reading?.state !== 'read' || reading.isNewer) return undefined;
    return { document: reading.document, writtenAt: statSync(file).mtimeMs };
  } catch {
    return undefined;
  }
}

function lastGoodHasServers(folder: string): boolean {
  return (readLastGood(folder)?.document.integrations.length ?? 0) > 0;
}

/**
 * Call it under the profile lock, after `document` was written. Where `document` has invalid parts, the copy keeps its
 * earlier valid ones. Never throws: the settings themselves are already saved.
 */
async function saveLastGood(folder: string, document: SettingsDocument, written: Buffer): Promise<void> {
  try {
    const merged = document.ignored && mergeWithLastGood(document, readLastGood(folder)?.document);
    await replaceFile(lastGoodPath(folder), merged ? Buffer.from(renderSettingsDocument(merged)) : written);
  } catch {
    // The older copy remains.
  }
}

function mergeWithLastGood(
  { ignored, ...document }: SettingsDocument,
  before: SettingsDocument | undefined,
): SettingsDocument {
  const names = Object.keys(ignored?.settings ?? {});
  const settings = Object.entries(before?.settings ?? {}).filter(([name]) => names.includes(name));
  return {
    ...document,
    settings: { ...Object.fromEntries(settings), ...document.settings },
    integrations: withIgnored(document.integrations, ignored?.integrations, before?.integrations, idOf),
    apps: withIgnored(document.apps, ignored?.apps, before?.apps, idOf),
    collections: withIgnored(document.collections, ignored?.collections, before?.collections, nameOf),
  };
}

/** The listed entries, plus those from the copy that are now invalid in the file. */
function withIgnored<Entry>(
  listed: readonly Entry[],
  ignored: readonly unknown[] = [],
  before: readonly Entry[] = [],
  keyOf: (entry: Partial<Entry>) => unknown,
): readonly Entry[] {
  const known = new Set(listed.map(keyOf));
  const ignoredKeys = new Set(ignored.map((entry) => keyOf(Object(entry) as Partial<Entry>)));
  return [...listed, ...before.filter((entry) => ignoredKeys.has(keyOf(entry)) && !known.has(keyOf(entry)))];
}

const idOf = ({ id }: { readonly id?: string }): unknown => id;
const nameOf = ({ name }: { readonly name?: string }): unknown => name;

/**
 * Replaces an unreadable settings file with the last good copy, after backing it up. `undefined`: the file is fine and
 * was left alone. Takes the profile lock.
 * Errors: CFG_NO_COPY, CFG_LINK, CFG_DISK_FULL, CFG_READONLY (stage `settings`).
 */
async function restoreSettings({
  folder,
  locks,
}: Pick<SettingsFileOptions, 'folder' | 'locks'>): Promise<RestoredSettings | undefined> {
  return await locks.hold(profileLock, async () => {
    try {
      const reading = readSettingsFile(folder);
      if (reading.state === 'read' && reading.ignored.length === 0) return undefined;
      if (reading.state === 'read' && reading.isNewer) throw new PosternError('CFG_NEWER', { stage: 'settings' });
      const lastGood = readLastGood(folder);
      if (!lastGood) throw new PosternError('CFG_NO_COPY', { stage: 'settings' });
      const savedAs = await backUpIfPresent(folder);
      await writeSettingsFile(folder, lastGood.document);
      return {
        servers: lastGood.document.integrations.length,
        writtenAt: lastGood.writtenAt,
        ...(savedAs !== undefined && { savedAs }),
      };
    } catch (error) {
      throw toFileSystemError(error, 'settings');
    }
  });
}

async function backUpIfPresent(folder: string): Promise<string | undefined> {
  try {
    return await backUpSettings(folder, settingsPath(folder));
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

interface SettingsFileOptions {
  /** The profile folder. */
  readonly folder: string;
  readonly store: Pick<IntegrationStore, 'settings'>;
  readonly locks: Locks;
}

/** The settings file of a profile. Errors that are not about the profile are rethrown, not reported as a fault. */
export function openSettingsFile({ folder, store, locks }: SettingsFileOptions): SettingsFile {
  return {
    path: settingsPath(folder),
    async findFault() {
      try {
        await store.settings();
        return undefined;
      } catch (error) {
        if (!(error instanceof PosternError) || !hasTrait(error, 'profile')) throw error;
        const lastGood = hasTrait(error, 'settings-content') ? readLastGood(folder) : undefined;
        const { document, writtenAt = 0 } = lastGood ?? {};
        return { error, ...(document && { lastGood: { servers: document.integrations.length, writtenAt } }) };
      }
    },
    restore: () => restoreSettings({ folder, locks }),
  };
}
