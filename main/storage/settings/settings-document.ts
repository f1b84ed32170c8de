import type { Collection } from '../../../shared/collection.ts';
import type { Integration } from '../../../shared/integration.ts';
import type { PendingDeletion, RemovedCollection } from '../../../shared/pending-deletion.ts';
import type { AppRecord } from '../../../shared/app-record.ts';
import { isObject } from '../../../shared/json-object.ts';
import type { Settings } from '../../../shared/settings.ts';
import { comma, JsonTokens, openArray, openObject, quote, scalar } from '../../json-tokens.ts';
import {
  readCollections,
  readDeletions,
  readIntegrations,
  readApps,
  readRemovedCollections,
  readSettings,
  toStoredDeletion,
  toStoredIntegration,
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
  readonly ignored?: IgnoredValues;
}

interface IgnoredValues {
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
interface IgnoredPart extends Omit<InvalidPart, 'path'> {
  /** Where its first invalid value is. Only for the first parts, because finding each one scans the whole text. */
  readonly position?: TextPosition;
}

/** At most this many invalid parts are reported one by one. */
export const maxReportedParts = 10;

/** Why the whole file is unusable. */
export interface SettingsFault {
  readonly reason: 'syntax' | 'shape' | 'empty' | 'large' | 'missing' | 'no-list' | 'before-release';
  readonly position?: TextPosition;
}

export type SettingsReading =
  | {
      readonly state: 'read';
      readonly document: SettingsDocument;
      readonly ignored: readonly IgnoredPart[];
      /** Written by a newer version: shown as far as possible, but never written. */
      readonly isNewer: boolean;
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
  const wrongShape = (...path: (string | number)[]): SettingsReading => ({
    state: 'unreadable',
    fault: { reason: 'shape', position: positionInJson(text, path) },
  });
  const parsed = parseJson(text);
  if (!parsed) return { state: 'unreadable', fault: { reason: 'syntax', ...withPosition(findJsonFault(text)) } };
  const { root } = parsed;
  if (!isObject(root)) return wrongShape();
  if (isFromBeforeRelease(root)) return { state: 'unreadable', fault: { reason: 'before-release' } };
  const version = root['version'] ?? settingsVersion;
  if (!Number.isInteger(version) || (version as number) < 1) return wrongShape('version');
  const isNewer = (version as number) > settingsVersion;
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
  if (!isObject(settings) && !isNewer) return wrongShape('settings');
  if (!Array.isArray(integrations) && !isNewer) return wrongShape('integrations');
  if (!Array.isArray(apps) && !isNewer) return wrongShape('apps');
  if (!Array.isArray(collections) && !isNewer) return wrongShape('collections');
  const integrationList = readIntegrations(Array.isArray(integrations) ? integrations : []);
  const appList = readApps(Array.isArray(apps) ? apps : []);
  const collectionList = readCollections(Array.isArray(collections) ? collections : []);
  const settingsRead = readSettings(isObject(settings) ? settings : {});
  const unknownMembers = Object.keys(members).map((name): InvalidPart => ({ part: 'member', name, path: [name] }));
  const ignored = [
    ...integrationList.invalid,
    ...appList.invalid,
    ...collectionList.invalid,
    ...settingsRead.invalid,
    ...unknownMembers,
  ].map(({ part, name, path }, index): IgnoredPart => ({
    part,
    name,
    ...withPosition(index < maxReportedParts ? positionInJson(text, path) : undefined),
  }));
  const ignoredValues = {
    settings: settingsRead.ignored,
    integrations: integrationList.ignored,
    apps: appList.ignored,
    collections: collectionList.ignored,
    members,
  };
  const valid = {
    version: settingsVersion,
    settings: settingsRead.settings,
    integrations: integrationList.valid,
    apps: appList.valid,
    collections: collectionList.valid,
    pendingDeletions: readDeletions(pendingDeletions),
    removedCollections: readRemovedCollections(removedCollections),
  };
  const document = ignored.length === 0 ? valid : { ...valid, ignored: ignoredValues };
  if (!canBeWritten(document)) {
    const [first] = [
      ...integrationList.invalid,
      ...appList.invalid,
      ...collectionList.invalid,
      ...settingsRead.invalid,
    ];
    return wrongShape(...(first?.path ?? []));
  }
  return {
    state: 'read',
    document,
    ignored,
    isNewer,
    hasList: Object.hasOwn(root, 'integrations'),
  };
}

export function renderSettingsDocument(written: SettingsDocument): string {
  const { version, settings, integrations, pendingDeletions, removedCollections, ignored } = written;
  const apps = [...written.apps, ...(ignored?.apps ?? [])];
  const collections = [...written.collections, ...(ignored?.collections ?? [])];
  const document = {
    version,
    settings: { ...ignored?.settings, ...settings },
    integrations: [...integrations.map(toStoredIntegration), ...(ignored?.integrations ?? [])],
    ...(apps.length > 0 && { apps }),
    ...(collections.length > 0 && { collections }),
    ...(pendingDeletions.length > 0 && { pendingDeletions: pendingDeletions.map(toStoredDeletion) }),
    ...(removedCollections.length > 0 && { removedCollections }),
    ...ignored?.members,
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** False for a value that was readable, but is nested too deeply to be serialized again. */
function canBeWritten(document: SettingsDocument): boolean {
  try {
    return !document.ignored || renderSettingsDocument(document) !== '';
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

function withPosition(position: TextPosition | undefined): { position?: TextPosition } {
  return position ? { position } : {};
}

/** True if the file has members that only unreleased builds wrote. */
function isFromBeforeRelease({ programs, integrations }: Record<string, unknown>): boolean {
  const list: readonly unknown[] = Array.isArray(integrations) ? integrations : [];
  const isOld = (entry: unknown): boolean =>
    isObject(entry) && (Object.hasOwn(entry, 'era') || Object.hasOwn(entry, 'person'));
  return programs !== undefined || list.some(isOld);
}

/** A position in a text, counted from 1 as editors do. */
interface TextPosition {
  readonly line: number;
  readonly column: number;
}

type Step = string | number;

/** Where `text` stops being JSON (RFC 8259); `undefined` if it is valid. `JSON.parse` does not always report it. */
export function findJsonFault(text: string): TextPosition | undefined {
  const bytes = Buffer.from(text);
  const tokens = new JsonTokens(bytes);
  while (tokens.next(0));
  return tokens.fault < 0 ? undefined : positionAt(bytes, tokens.fault);
}

/** Where the value at `path` begins in valid JSON; if it does not exist, its closest existing ancestor. */
export function positionInJson(text: string, path: readonly Step[]): TextPosition {
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
  return positionAt(bytes, found);
}

function positionAt(bytes: Buffer, at: number): TextPosition {
  const before = bytes.toString('utf8', 0, at);
  return { line: before.split('\n').length, column: before.length - before.lastIndexOf('\n') };
}
