import { chmod, copyFile, link, lstat, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { fileBytes } from '../limits.ts';
import { readPlainFile } from '../plain-file.ts';
import { PosternError } from '../postern-error.ts';
import { errnoOf, toFileSystemError } from './file-system-error.ts';
import { rememberParsed } from './remember-parsed.ts';
import { removeTemporaryFiles, syncFolder } from './replace-file.ts';
import {
  emptySettings,
  readSettingsDocument,
  renderSettingsDocument,
  type SettingsDocument,
  type SettingsReading,
} from './settings-document.ts';
import { unusedCopyName } from './unused-copy-name.ts';

const parseSettings = rememberParsed(readSettingsDocument);

export function settingsPath(folder: string): string {
  return path.join(folder, 'config.json');
}

/** The file as it is now; no file is the empty document. Errors: CFG_READONLY when it may not be read. */
export async function readSettingsFile(folder: string): Promise<SettingsReading> {
  const text = await readText(settingsPath(folder));
  if (text === undefined) return { document: emptySettings, damage: 'none', newer: false, hidden: 0 };
  return parseSettings(text);
}

/**
 * Writes the file through `conf`, the base of electron-store, under the profile lock. On a nearly full disk `conf`
 * reports success and leaves a file that was cut short: a hard link keeps the old one until the new one has been read
 * back. Errors: CFG_DISK_FULL, CFG_READONLY (stage `settings`), the old file then being as it was.
 */
export async function writeSettingsFile(folder: string, document: SettingsDocument): Promise<void> {
  const file = settingsPath(folder);
  const kept = `${file}.kept`;
  const { default: Conf } = await import('conf');
  const text = renderSettingsDocument(document);
  try {
    await recoverSettingsFile(folder);
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
  } catch (error) {
    throw toFileSystemError(error, 'settings');
  }
}

/** After a crash in the middle of a write: the kept file comes back if the new one is not whole. Under the lock. */
export async function recoverSettingsFile(folder: string): Promise<void> {
  const file = settingsPath(folder);
  const kept = `${file}.kept`;
  await removeTemporaryFiles(file);
  const old = await readText(kept);
  if (old === undefined) return;
  const current = await readText(file);
  const broken = current === undefined || readSettingsDocument(current).damage === 'all';
  await (broken && readSettingsDocument(old).damage !== 'all' ? rename(kept, file) : rm(kept, { force: true }));
}

/** Keeps a copy of a damaged file for the person; answers its name. */
export async function copyDamagedSettings(folder: string): Promise<string> {
  const name = await unusedCopyName(folder, 'config', '.json');
  await copyFile(settingsPath(folder), path.join(folder, name));
  await chmod(path.join(folder, name), 0o600);
  return name;
}

async function keep(file: string, kept: string): Promise<boolean> {
  try {
    // Of a link (people keep settings among their dotfiles) a hard link would be no copy.
    if ((await lstat(file)).isSymbolicLink()) await copyFile(file, kept);
    else await link(file, kept);
    return true;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return false;
    // A file system without hard links.
    if (!['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK'].includes(errnoOf(error) ?? '')) throw error;
    await copyFile(file, kept);
    return true;
  }
}

async function readText(file: string): Promise<string | undefined> {
  try {
    // People keep settings among their dotfiles. What is far beyond anything that we write is judged as damaged, not read.
    const bytes = await readPlainFile(file, { limit: fileBytes.settings, follow: true });
    return bytes?.toString('utf8') ?? '';
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw toFileSystemError(error, 'settings');
  }
}
