import type { Collection } from '../../../shared/collection.ts';
import type { Integration } from '../../../shared/integration.ts';
import type { PendingDeletion, RemovedCollection } from '../../../shared/pending-deletion.ts';
import type { ProgramRecord } from '../../../shared/program-record.ts';
import type { Settings } from '../../../shared/settings.ts';
import { comma, JsonTokens, openArray, openObject, quote, scalar } from '../../json-tokens.ts';
import {
  readCollections,
  readDeletions,
  readIntegrations,
  readPrograms,
  readRemovedCollections,
  readSettings,
  storeDeletion,
  storeIntegration,
} from './read-settings-parts.ts';
import type { RefusedPart } from './read-settings-parts.ts';

/** Settings and integration list as they stand in `config.json`. */
export interface SettingsDocument {
  readonly version: number;
  readonly settings: Settings;
  readonly integrations: readonly Integration[];
  readonly programs: readonly ProgramRecord[];
  readonly collections: readonly Collection[];
  readonly pendingDeletions: readonly PendingDeletion[];
  readonly removedCollections: readonly RemovedCollection[];
  /** What no schema knows, as it stands in the file: whoever wrote it there gets it back with every write. */
  readonly unread?: UnreadValues;
}

interface UnreadValues {
  readonly settings: Readonly<Record<string, unknown>>;
  readonly integrations: readonly unknown[];
  readonly programs: readonly unknown[];
  readonly collections: readonly unknown[];
  /** Beside these. */
  readonly members: Readonly<Record<string, unknown>>;
}

export const settingsVersion = 1;

export const emptySettings: SettingsDocument = {
  version: settingsVersion,
  settings: {},
  integrations: [],
  programs: [],
  collections: [],
  pendingDeletions: [],
  removedCollections: [],
};

/** Step `n` turns a document of version `n` into one of `n + 1`. Golden files of every shipped version stay tests. */
const migrations: Readonly<Record<number, (document: Record<string, unknown>) => Record<string, unknown>>> = {};

/** A part of the file that is left alone. */
export interface UnreadPart extends Omit<RefusedPart, 'path'> {
  /**
   * Of the first value in it that does not fit; of the first parts alone, since each is looked for in the whole text.
   */
  readonly place?: Place;
}

/** Parts that are told apart from one another. */
export const namedParts = 10;

/** Why nothing of the file can be used. */
export interface SettingsFault {
  readonly reason: 'syntax' | 'shape' | 'empty' | 'large' | 'missing' | 'no-list';
  readonly place?: Place;
}

export type SettingsReading =
  | {
      readonly state: 'read';
      readonly document: SettingsDocument;
      readonly unread: readonly UnreadPart[];
      /** Written by a newer version: what is understood is shown, nothing may be written. */
      readonly newer: boolean;
      /** The file has a list, be it empty. */
      readonly hasList: boolean;
    }
  | { readonly state: 'unreadable'; readonly fault: SettingsFault };

/**
 * Checks what a file holds: people edit it, synchronise it, cut it short. What is missing is filled up; a part that
 * does not fit is named and kept as it is; a text that gives no list or no settings is not guessed at.
 */
export function readSettingsDocument(written: string): SettingsReading {
  // Some editors write a byte order mark.
  const text = written.startsWith('\ufeff') ? written.slice(1) : written;
  if (text.trim() === '') return { state: 'unreadable', fault: { reason: 'empty' } };
  const shape = (...path: (string | number)[]): SettingsReading => ({
    state: 'unreadable',
    fault: { reason: 'shape', place: placeInJson(text, path) },
  });
  const parsed = parseJson(text);
  if (!parsed) return { state: 'unreadable', fault: { reason: 'syntax', ...placed(findJsonFault(text)) } };
  const { root } = parsed;
  if (!isObject(root)) return shape();
  const version = root['version'] ?? settingsVersion;
  if (!Number.isInteger(version) || (version as number) < 1) return shape('version');
  const newer = (version as number) > settingsVersion;
  const {
    version: _version,
    settings = {},
    integrations = [],
    programs = [],
    collections = [],
    pendingDeletions = [],
    removedCollections = [],
    ...members
  } = migrate(root, version as number);
  if (!isObject(settings) && !newer) return shape('settings');
  if (!Array.isArray(integrations) && !newer) return shape('integrations');
  if (!Array.isArray(programs) && !newer) return shape('programs');
  if (!Array.isArray(collections) && !newer) return shape('collections');
  const list = readIntegrations(Array.isArray(integrations) ? integrations : []);
  const known = readPrograms(Array.isArray(programs) ? programs : []);
  const chosen = readCollections(Array.isArray(collections) ? collections : []);
  const set = readSettings(isObject(settings) ? settings : {});
  const surplus = Object.keys(members).map((name): RefusedPart => ({ part: 'member', name, path: [name] }));
  const unread = [...list.refused, ...known.refused, ...chosen.refused, ...set.refused, ...surplus].map(
    ({ part, name, path }, index): UnreadPart => ({
      part,
      name,
      ...placed(index < namedParts ? placeInJson(text, path) : undefined),
    }),
  );
  const left = { settings: set.left, integrations: list.left, programs: known.left, collections: chosen.left, members };
  const fit = {
    version: settingsVersion,
    settings: set.settings,
    integrations: list.kept,
    programs: known.kept,
    collections: chosen.kept,
    pendingDeletions: readDeletions(pendingDeletions),
    removedCollections: readRemovedCollections(removedCollections),
  };
  const document = unread.length === 0 ? fit : { ...fit, unread: left };
  if (!canBeWritten(document)) {
    const [first] = [...list.refused, ...known.refused, ...chosen.refused, ...set.refused];
    return shape(...(first?.path ?? []));
  }
  return {
    state: 'read',
    document,
    unread,
    newer,
    hasList: Object.hasOwn(root, 'integrations'),
  };
}

export function renderSettingsDocument(written: SettingsDocument): string {
  const { version, settings, integrations, pendingDeletions, removedCollections, unread } = written;
  const programs = [...written.programs, ...(unread?.programs ?? [])];
  const collections = [...written.collections, ...(unread?.collections ?? [])];
  const document = {
    version,
    settings: { ...unread?.settings, ...settings },
    integrations: [...integrations.map(storeIntegration), ...(unread?.integrations ?? [])],
    ...(programs.length > 0 && { programs }),
    ...(collections.length > 0 && { collections }),
    ...(pendingDeletions.length > 0 && { pendingDeletions: pendingDeletions.map(storeDeletion) }),
    ...(removedCollections.length > 0 && { removedCollections }),
    ...unread?.members,
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** False for a value that can be read, but is nested too deeply to be written again. */
function canBeWritten(document: SettingsDocument): boolean {
  try {
    return !document.unread || renderSettingsDocument(document) !== '';
  } catch {
    return false;
  }
}

function parseJson(text: string): { root: unknown } | undefined {
  try {
    return { root: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

function placed(place: Place | undefined): { place?: Place } {
  return place ? { place } : {};
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function migrate(root: Record<string, unknown>, version: number): Record<string, unknown> {
  let document = root;
  for (let from = version; from < settingsVersion; from += 1) document = migrations[from]?.(document) ?? document;
  return document;
}

/** Where something stands in a text, both from 1, as editors count. */
interface Place {
  readonly line: number;
  readonly column: number;
}

type Step = string | number;

/** Where `text` stops being JSON (RFC 8259); `undefined` where it is JSON. `JSON.parse` does not always say. */
export function findJsonFault(text: string): Place | undefined {
  const bytes = Buffer.from(text);
  const tokens = new JsonTokens(bytes);
  while (tokens.next(0));
  return tokens.fault < 0 ? undefined : placeAt(bytes, tokens.fault);
}

/** Where the value at `path` begins in a text that is JSON; of what is not there, the value around it. */
export function placeInJson(text: string, path: readonly Step[]): Place {
  const bytes = Buffer.from(text);
  const tokens = new JsonTokens(bytes);
  /** Where the text is, by level from 1. */
  const steps: Step[] = [];
  let found = 0;
  let deepest = -1;
  while (tokens.next(path.length + 1)) {
    const { kind, depth, start } = tokens;
    const isContainer = kind === openObject || kind === openArray;
    const around = isContainer ? depth - 1 : depth;
    const step = steps[depth];
    if (kind === quote && tokens.isName) steps[depth] = tokens.text(Infinity);
    else if (kind === comma && typeof step === 'number') steps[depth] = step + 1;
    else if ((isContainer || kind === quote || kind === scalar) && around > deepest && around <= path.length) {
      if (path.slice(0, around).every((each, index) => each === steps[index + 1])) [found, deepest] = [start, around];
    }
    if (isContainer) steps[depth] = kind === openArray ? 0 : '';
  }
  return placeAt(bytes, found);
}

function placeAt(bytes: Buffer, at: number): Place {
  const before = bytes.toString('utf8', 0, at);
  return { line: before.split('\n').length, column: before.length - before.lastIndexOf('\n') };
}
