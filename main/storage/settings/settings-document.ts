import type { Collection } from '../../../shared/collection.ts';
import type { Integration } from '../../../shared/integration.ts';
import type { PendingDeletion, RemovedCollection } from '../../../shared/pending-deletion.ts';
import type { AppRecord } from '../../../shared/app-record.ts';
import type { Settings } from '../../../shared/settings.ts';
import { comma, JsonTokens, openArray, openObject, quote, scalar } from '../../json-tokens.ts';
import {
  readCollections,
  readDeletions,
  readIntegrations,
  readApps,
  readRemovedCollections,
  readSettings,
  storeDeletion,
  storeIntegration,
} from './read-settings-parts.ts';
import type { InvalidPart } from './read-settings-parts.ts';

/** Settings and the integration list, as in `config.json`. */
export interface SettingsDocument {
  readonly version: number;
  readonly settings: Settings;
  readonly integrations: readonly Integration[];
  readonly apps: readonly AppRecord[];
  readonly collections: readonly Collection[];
  readonly pendingDeletions: readonly PendingDeletion[];
  readonly removedCollections: readonly RemovedCollection[];
  /** Invalid or unknown parts, exactly as in the file. Every write preserves them. */
  readonly unread?: UnreadValues;
}

interface UnreadValues {
  readonly settings: Readonly<Record<string, unknown>>;
  readonly integrations: readonly unknown[];
  readonly apps: readonly unknown[];
  readonly collections: readonly unknown[];
  /** Unknown top-level members. */
  readonly members: Readonly<Record<string, unknown>>;
}

export const settingsVersion = 1;

export const emptySettings: SettingsDocument = {
  version: settingsVersion,
  settings: {},
  integrations: [],
  apps: [],
  collections: [],
  pendingDeletions: [],
  removedCollections: [],
};

/** A part of the file that is ignored but preserved. */
export interface UnreadPart extends Omit<InvalidPart, 'path'> {
  /** Of its first invalid value. Only for the first parts, because finding each one scans the whole text. */
  readonly place?: Place;
}

/** Invalid parts that are reported one by one. */
export const reportedParts = 10;

/** Why the whole file is unusable. */
export interface SettingsFault {
  readonly reason: 'syntax' | 'shape' | 'empty' | 'large' | 'missing' | 'no-list' | 'before-release';
  readonly place?: Place;
}

export type SettingsReading =
  | {
      readonly state: 'read';
      readonly document: SettingsDocument;
      readonly unread: readonly UnreadPart[];
      /** Written by a newer version: shown as far as possible, but never written. */
      readonly newer: boolean;
      /** True if the file contains a list, even an empty one. */
      readonly hasList: boolean;
    }
  | { readonly state: 'unreadable'; readonly fault: SettingsFault };

/**
 * Validates the file: users edit, sync and truncate it. Missing parts get defaults; invalid parts are reported and
 * preserved. If the list or the settings have the wrong type, the whole file is rejected instead of guessed at.
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
  if (!parsed) return { state: 'unreadable', fault: { reason: 'syntax', ...withPlace(findJsonFault(text)) } };
  const { root } = parsed;
  if (!isObject(root)) return shape();
  if (isFromBeforeRelease(root)) return { state: 'unreadable', fault: { reason: 'before-release' } };
  const version = root['version'] ?? settingsVersion;
  if (!Number.isInteger(version) || (version as number) < 1) return shape('version');
  const newer = (version as number) > settingsVersion;
  const {
    version: _version,
    settings = {},
    integrations = [],
    apps = [],
    collections = [],
    pendingDeletions = [],
    removedCollections = [],
    ...members
  } = root;
  if (!isObject(settings) && !newer) return shape('settings');
  if (!Array.isArray(integrations) && !newer) return shape('integrations');
  if (!Array.isArray(apps) && !newer) return shape('apps');
  if (!Array.isArray(collections) && !newer) return shape('collections');
  const list = readIntegrations(Array.isArray(integrations) ? integrations : []);
  const known = readApps(Array.isArray(apps) ? apps : []);
  const chosen = readCollections(Array.isArray(collections) ? collections : []);
  const set = readSettings(isObject(settings) ? settings : {});
  const surplus = Object.keys(members).map((name): InvalidPart => ({ part: 'member', name, path: [name] }));
  const unread = [...list.invalid, ...known.invalid, ...chosen.invalid, ...set.invalid, ...surplus].map(
    ({ part, name, path }, index): UnreadPart => ({
      part,
      name,
      ...withPlace(index < reportedParts ? placeInJson(text, path) : undefined),
    }),
  );
  const left = {
    settings: set.unread,
    integrations: list.unread,
    apps: known.unread,
    collections: chosen.unread,
    members,
  };
  const fit = {
    version: settingsVersion,
    settings: set.settings,
    integrations: list.valid,
    apps: known.valid,
    collections: chosen.valid,
    pendingDeletions: readDeletions(pendingDeletions),
    removedCollections: readRemovedCollections(removedCollections),
  };
  const document = unread.length === 0 ? fit : { ...fit, unread: left };
  if (!canBeWritten(document)) {
    const [first] = [...list.invalid, ...known.invalid, ...chosen.invalid, ...set.invalid];
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
  const apps = [...written.apps, ...(unread?.apps ?? [])];
  const collections = [...written.collections, ...(unread?.collections ?? [])];
  const document = {
    version,
    settings: { ...unread?.settings, ...settings },
    integrations: [...integrations.map(storeIntegration), ...(unread?.integrations ?? [])],
    ...(apps.length > 0 && { apps }),
    ...(collections.length > 0 && { collections }),
    ...(pendingDeletions.length > 0 && { pendingDeletions: pendingDeletions.map(storeDeletion) }),
    ...(removedCollections.length > 0 && { removedCollections }),
    ...unread?.members,
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** False for a value that was readable, but is nested too deeply to be serialized again. */
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

function withPlace(place: Place | undefined): { place?: Place } {
  return place ? { place } : {};
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** True if the file has members that only unreleased builds wrote: they called AI apps programs. */
function isFromBeforeRelease({ programs, integrations }: Record<string, unknown>): boolean {
  const list: readonly unknown[] = Array.isArray(integrations) ? integrations : [];
  return programs !== undefined || list.some((entry) => isObject(entry) && Object.hasOwn(entry, 'era'));
}

/** A position in a text, counted from 1 as editors do. */
interface Place {
  readonly line: number;
  readonly column: number;
}

type Step = string | number;

/** Where `text` stops being JSON (RFC 8259); `undefined` if it is valid. `JSON.parse` does not always report it. */
export function findJsonFault(text: string): Place | undefined {
  const bytes = Buffer.from(text);
  const tokens = new JsonTokens(bytes);
  while (tokens.next(0));
  return tokens.fault < 0 ? undefined : placeAt(bytes, tokens.fault);
}

/** Where the value at `path` begins in valid JSON; if it does not exist, its closest existing ancestor. */
export function placeInJson(text: string, path: readonly Step[]): Place {
  const bytes = Buffer.from(text);
  const tokens = new JsonTokens(bytes);
  /** Path of the current token, by level from 1. */
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
