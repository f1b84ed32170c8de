import { copyFile, link, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { fileBytes } from '../../limits.ts';
import { readPlainFile } from '../../plain-file.ts';
import { PosternError } from '../../postern-error.ts';
import { copySettingsAside } from '../files/copy-aside.ts';
import { errnoOf, toFileSystemError } from '../files/file-system-error.ts';
import { holdsServers, keepLastGood } from './last-good-settings.ts';
import { loadConf } from './load-conf.ts';
import { rememberParsed } from '../files/remember-parsed.ts';
import { removeTemporaryFiles, syncFolder } from '../files/replace-file.ts';
import {
  emptySettings,
  readSettingsDocument,
  renderSettingsDocument,
  type SettingsDocument,
  type SettingsReading,
} from './settings-document.ts';

const parseSettings = rememberParsed(readSettingsDocument);

export function settingsPath(folder: string): string {
  return path.join(folder, 'config.json');
}

/**
 * The file as it is now. Without one, or without a list in it, the list is empty; where the last good copy knows of
 * servers, the list has got lost instead. Errors: CFG_LINK, CFG_READONLY when it may not be read.
 */
export async function readSettingsFile(folder: string): Promise<SettingsReading> {
  const text = await readText(settingsPath(folder));
  if (text === 'large') return { state: 'unreadable', fault: { reason: 'large' } };
  const reading = text === undefined ? nothingThere : parseSettings(text);
  if (reading.state === 'unreadable' || reading.hasList || reading.newer || !(await holdsServers(folder)))
    return reading;
  return { state: 'unreadable', fault: { reason: text === undefined ? 'missing' : 'no-list' } };
}

const nothingThere: SettingsReading = {
  state: 'read',
  document: emptySettings,
  unread: [],
  newer: false,
  hasList: false,
};

/**
 * Writes the file through `conf`, the base of electron-store, under the profile lock, and then the last good copy. On a
 * nearly full disk `conf` reports success and leaves a file that was cut short: a hard link keeps the old one until the
 * new one has been read back.
 * Errors: CFG_LINK, CFG_DISK_FULL, CFG_READONLY (stage `settings`), the old file then being as it was.
 */
export async function writeSettingsFile(folder: string, document: SettingsDocument): Promise<void> {
  const file = settingsPath(folder);
  const kept = `${file}.kept`;
  const Conf = await loadConf();
  const text = renderSettingsDocument(document);
  try {
    await recoverSettingsFile(folder);
    // `conf` would write to what a link names.
    await readText(file);
    const had = await keep(file, kept);
    try {
      // It must neither read nor judge what is there: `readSettingsDocument` has done so.
      const conf = new Conf({
        cwd: folder,
        configName: 'config',
        projectName: 'postern',
        configFileMode: 0o600,
        accessPropertiesByDotNotation: false,
        deserialize: () => ({}),
        serialize: () => text,
      });
      conf.store = { ...document };
      if ((await readFile(file, 'utf8')) !== text) throw new PosternError('CFG_DISK_FULL', { stage: 'settings' });
      await syncFolder(folder);
    } catch (error) {
      await (had ? rename(kept, file) : rm(file, { force: true }));
      throw error;
    }
    await rm(kept, { force: true });
    await keepLastGood(folder, document);
  } catch (error) {
    throw toFileSystemError(error, 'settings');
  }
}

/**
 * After a crash in the middle of a write: the kept file comes back if the new one is not whole, of which a copy stays,
 * since a person may have written it meanwhile. Under the lock.
 */
export async function recoverSettingsFile(folder: string): Promise<void> {
  const file = settingsPath(folder);
  const kept = `${file}.kept`;
  await removeTemporaryFiles(file);
  const old = await readText(kept);
  if (old === undefined) return;
  const current = await readText(file);
  if (isReadable(current) || !isReadable(old)) return await rm(kept, { force: true });
  if (current !== undefined) await copySettingsAside(folder, file);
  await rename(kept, file);
}

function isReadable(text: string | undefined): boolean {
  return text !== undefined && text !== 'large' && parseSettings(text).state === 'read';
}

async function keep(file: string, kept: string): Promise<boolean> {
  try {
    await link(file, kept);
    return true;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return false;
    // A file system without hard links.
    if (!['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK'].includes(errnoOf(error) ?? '')) throw error;
    await copyFile(file, kept);
    return true;
  }
}

/** `large`: far beyond anything that we write, and so not read. */
async function readText(file: string): Promise<string | undefined> {
  try {
    const bytes = await readPlainFile(file, { limit: fileBytes.settings, follow: false });
    return bytes?.toString('utf8') ?? 'large';
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw toFileSystemError(error, 'settings');
  }
}
