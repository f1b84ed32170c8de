import path from 'node:path';
import { stat } from 'node:fs/promises';
import { fileBytes } from '../../limits.ts';
import { readPlainFile } from '../../plain-file.ts';
import { rememberParsed } from '../files/remember-parsed.ts';
import { replaceFile } from '../files/replace-file.ts';
import { readSettingsDocument, renderSettingsDocument, type SettingsDocument } from './settings-document.ts';

/** A copy of what Postern itself wrote last, out of the way of whoever edits `config.json`. */
export interface LastGoodSettings {
  readonly document: SettingsDocument;
  /** Milliseconds since 1970 at which it was written. */
  readonly writtenAt: number;
}

function lastGoodPath(folder: string): string {
  return path.join(folder, 'config.last-good.json');
}

const parse = rememberParsed(readSettingsDocument);

/** `undefined` where there is none that can be used. */
export async function readLastGood(folder: string): Promise<LastGoodSettings | undefined> {
  const file = lastGoodPath(folder);
  try {
    const bytes = await readPlainFile(file, { limit: fileBytes.settings, follow: false });
    const reading = bytes && parse(bytes.toString('utf8'));
    if (reading?.state !== 'read' || reading.newer) return undefined;
    return { document: reading.document, writtenAt: (await stat(file)).mtimeMs };
  } catch {
    return undefined;
  }
}

export async function holdsServers(folder: string): Promise<boolean> {
  return ((await readLastGood(folder))?.document.integrations.length ?? 0) > 0;
}

/**
 * Under the profile lock, after `document` was written. For what is unread in it the copy keeps what it had before.
 * Never throws: a disk that has no room for a copy had room for the settings.
 */
export async function keepLastGood(folder: string, document: SettingsDocument): Promise<void> {
  try {
    const good = document.unread ? merge(document, (await readLastGood(folder))?.document) : document;
    await replaceFile(lastGoodPath(folder), Buffer.from(renderSettingsDocument(good)));
  } catch {
    // The older copy stays.
  }
}

function merge({ unread, ...document }: SettingsDocument, before: SettingsDocument | undefined): SettingsDocument {
  const names = Object.keys(unread?.settings ?? {});
  const settings = Object.entries(before?.settings ?? {}).filter(([name]) => names.includes(name));
  return {
    ...document,
    settings: { ...Object.fromEntries(settings), ...document.settings },
    integrations: withUnread(document.integrations, unread?.integrations, before?.integrations, idOf),
    programs: withUnread(document.programs, unread?.programs, before?.programs, idOf),
    collections: withUnread(document.collections, unread?.collections, before?.collections, nameOf),
  };
}

/** What is listed, and what the copy had of those that cannot be read now. */
function withUnread<Entry>(
  listed: readonly Entry[],
  unread: readonly unknown[] = [],
  before: readonly Entry[] = [],
  keyOf: (entry: Partial<Entry>) => unknown,
): readonly Entry[] {
  const known = new Set(listed.map(keyOf));
  const left = new Set(unread.map((entry) => keyOf(Object(entry) as Partial<Entry>)));
  return [...listed, ...before.filter((entry) => left.has(keyOf(entry)) && !known.has(keyOf(entry)))];
}

const idOf = ({ id }: { readonly id?: string }): unknown => id;
const nameOf = ({ name }: { readonly name?: string }): unknown => name;
