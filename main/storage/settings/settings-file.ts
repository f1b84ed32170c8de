import path from 'node:path';
import { fileBytes } from '../../limits.ts';
import { readPlainFile } from '../../plain-file.ts';
import { errnoOf, toFileSystemError } from '../files/file-system-error.ts';
import { holdsServers, keepLastGood } from './last-good-settings.ts';
import { rememberParsed } from '../files/remember-parsed.ts';
import { replaceFile } from '../files/replace-file.ts';
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
 * Writes the file, whole or not at all, and then the last good copy. Under the profile lock.
 * Errors: CFG_LINK, CFG_DISK_FULL, CFG_READONLY (stage `settings`), the old file then being as it was.
 */
export async function writeSettingsFile(folder: string, document: SettingsDocument): Promise<void> {
  const file = settingsPath(folder);
  try {
    // A link is refused and not replaced: it leads to a file of somebody's own.
    await readText(file);
    await replaceFile(file, Buffer.from(renderSettingsDocument(document)));
  } catch (error) {
    throw toFileSystemError(error, 'settings').with({ stage: 'settings' });
  }
  await keepLastGood(folder, document);
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
