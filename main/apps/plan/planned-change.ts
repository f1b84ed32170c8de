import type { AppRecord } from '../../../shared/app-record.ts';
import type { AppChange } from '../../../shared/app-view.ts';
import { isObject } from '../../../shared/json-object.ts';
import type { PermissionLevel, ToolPreset } from '../../../shared/tool-permissions.ts';
import type { PosternError } from '../../errors/postern-error.ts';
import { AppFileFault } from '../../app-ports.ts';
import type { AppFile } from '../../app-ports.ts';
import { displayProgram } from '../../secret.ts';
import { withoutRules } from '../entry/entry-settings.ts';
import { withoutSecrets } from '../entry/our-entries.ts';
import type { EntrySecret } from '../entry/our-entries.ts';
import { readEntry, readPipeArguments } from '../entry/read-entry.ts';
import { changedLines } from '../list/changed-lines.ts';
import { readContent, snippet } from '../list/edit-file.ts';
import type { Edit } from '../list/edit-file.ts';
import { hiddenValue } from '../list/entry-list.ts';
import type { FileContent, CreatedScope } from '../list/entry-list.ts';
import type { AppDependencies } from '../app-dependencies.ts';
import type { LinkedServer } from '../records/app-records.ts';
import { expandPath } from '../table/app.ts';
import type { App } from '../table/app.ts';
import type { ExcludedEntries } from './excluded-entries.ts';

/** `file`: we write it. `command`: we run the app's own CLI. `paste`: the user pastes lines. */
export type ChangeMethod = 'file' | 'command' | 'paste';

interface CommandLine {
  /** Absolute. */
  readonly command: string;
  readonly args: readonly string[];
}

/** A change to the tool rules of one app for one server. */
interface PlannedRules {
  /** ID of the server. */
  readonly integration: string;
  readonly change: (level: PermissionLevel) => PermissionLevel;
  /** The entry whose tool lists they come from. */
  readonly source?: {
    readonly entry: string;
    readonly allowed?: readonly string[];
    readonly denied: readonly string[];
  };
  /** The rule that the user chose. */
  readonly preset?: ToolPreset;
}

/** Reverts the rules that a change has made. */
export function revertRules(ruleChanges: NonNullable<AppChange['rules']>): readonly PlannedRules[] {
  return ruleChanges.map(({ integration, ...made }) => ({ integration, change: (level) => withoutRules(level, made) }));
}

/** A change to one app's configuration, ready to be reviewed and applied. */
export interface PlannedChange {
  readonly app: App;
  /** The path is empty if only the user knows it. */
  readonly file: AppFile;
  readonly method: ChangeMethod;
  readonly edits: readonly Edit[];
  /** The whole file; `undefined` if it does not exist. */
  readonly before: string | undefined;
  /** The whole file afterwards, if we write it. */
  readonly after: string | undefined;
  readonly made: CreatedScope;
  readonly commands: readonly CommandLine[];
  readonly secret: EntrySecret;
  /** A secret would be written to a file that other users can read. */
  readonly isReadableByOthers: boolean;
  /** Restores entries that are not ours: their values are never shown, nor passed as command arguments. */
  readonly restores: boolean;
  /** Why Postern does not write the file; the user pastes the lines instead. */
  readonly fault?: PosternError;
  /** New entries that a setting of the app excludes. */
  readonly excludedBy?: ExcludedEntries;
  /** The file's byte order mark is removed too: many JSON parsers fail on it (RFC 8259 section 8.1). */
  readonly removesBom?: true;
  /** The lines to paste are pairs for a TOML inline table. */
  readonly isInline?: boolean;
  /** The edited entries, without the secrets of other entries. */
  readonly shown: { readonly before: string; readonly after: string };
  /** The secret is new because the old one is lost: entries with the old one stop working. */
  readonly replacesSecret?: true;
  /** The file already has all the lines to paste. */
  readonly isPasted?: boolean;
  /** The servers of the new entries. */
  readonly servers?: readonly LinkedServer[];
  readonly rules?: readonly PlannedRules[];
  /** Changes the app records. */
  readonly records: (records: readonly AppRecord[]) => readonly AppRecord[];
}

/** What the user should know about the app when an entry is added. */
export function noteOf({ app: { note }, edits }: Pick<PlannedChange, 'app' | 'edits'>): App['note'] {
  return edits.some(({ entry }) => entry !== undefined) ? note : undefined;
}

/** The edited entries before and after. `restores`: the new ones are not ours, so their values are hidden. */
export function showEdits(
  app: App,
  content: FileContent,
  edits: readonly Edit[],
  restores = false,
): PlannedChange['shown'] {
  const current = (content.entries ?? []).filter(([name]) => edits.some((edit) => edit.name === name));
  const written = (edit: Edit): string =>
    restores && edit.entry !== undefined ? withoutValues([edit.name, edit.entry]) : snippet(app, edit);
  return {
    before: current.map(withoutValues).join('\n'),
    after: edits
      .map(written)
      .filter((text) => text !== '')
      .join('\n'),
  };
}

/**
 * The changed lines of the file if we write it, otherwise `showEdits`. Shows the values of our entries only; of others
 * just the command and the URL.
 */
export function showChange(
  {
    app,
    before = '',
    after = '',
    edits,
    restores,
  }: Pick<PlannedChange, 'app' | 'before' | 'after' | 'edits' | 'restores'>,
  content: FileContent,
): PlannedChange['shown'] {
  const current = (content.entries ?? []).filter(([name]) => edits.some((edit) => edit.name === name));
  const known = new Map([
    ...current.flatMap(([name, value]) => [[name, name] as const, ...shownValues(value, hideValues(value))]),
    ...edits.flatMap(({ name, entry }) => [
      [name, name] as const,
      ...shownValues(entry, restores ? hideValues(entry) : entry),
    ]),
  ]);
  const names = edits.map(({ name }) => name);
  const lines = changedLines(app, { before, after }, names, (value) => known.get(value));
  return lines ?? showEdits(app, content, edits, restores);
}

function withoutValues([name, value]: readonly [string, unknown]): string {
  return `${JSON.stringify(name)}: ${JSON.stringify(hideValues(value))}`;
}

/** The CLI calls that make `edits`; `undefined` if the app's CLI is not on this computer. */
export async function planCommands(
  engine: Pick<AppDependencies, 'files' | 'host'>,
  { command: own }: App,
  content: FileContent,
  edits: readonly Edit[],
): Promise<readonly CommandLine[] | undefined> {
  if (!own) return undefined;
  const places = own.places.map((place) => expandPath(place, engine.host));
  const command = await engine.files.findCommand(own.name, places);
  if (command === undefined) return undefined;
  const line = (args: readonly string[], { name, entry }: Edit): CommandLine => ({
    command: command.command,
    args: [
      ...command.args,
      ...args.map((word) => (word === '{name}' ? name : word === '{entry}' ? JSON.stringify(entry) : word)),
    ],
  });
  return edits.flatMap((edit) => {
    const exists = (content.entries ?? []).some(([name]) => name === edit.name);
    return [...(exists ? [line(own.remove, edit)] : []), ...(edit.entry ? [line(own.add, edit)] : [])];
  });
}

/** Errors: APP_FILE_*. */
export async function readAppFile(
  { files }: Pick<AppDependencies, 'files'>,
  app: App,
  file: AppFile,
): Promise<{ readonly text: string | undefined; readonly content: FileContent }> {
  const text = await files.read(file);
  return { text, content: readContent(app, file.path, text) };
}

/** Treats a file that cannot be read as empty; planning the edit reports the fault. Rethrows other errors. */
export function unreadableAsEmpty(error: unknown): { readonly text: undefined; readonly content: FileContent } {
  if (!(error instanceof AppFileFault)) throw error;
  return { text: undefined, content: { rest: undefined, entries: undefined } };
}

const addressKeys = ['url', 'serverUrl', 'httpUrl', 'uri'];
const commandKeys = ['command', 'cmd'];
const kindKeys = ['type', 'name', 'source', 'transport'];

/**
 * An entry with all its keys, but only the values that say what it starts or points to. The command of our own pipe
 * holds no secret and is shown whole.
 */
export function hideValues(value: unknown): unknown {
  if (!isObject(value)) return hide(value);
  const isPipe = readPipeArguments(readEntry(value)) !== undefined;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      if (isPipe && (key === 'args' || commandKeys.includes(key))) return [key, inner];
      if (typeof inner === 'string' && addressKeys.includes(key)) return [key, withoutSecrets(inner)];
      if (commandKeys.includes(key)) return [key, hideArguments(inner)];
      return [key, typeof inner === 'string' && kindKeys.includes(key) ? inner : hide(inner)];
    }),
  );
}

/** Hides everything but the executable. */
function hideArguments(command: unknown): unknown {
  if (typeof command === 'string') return displayProgram(command);
  if (!Array.isArray(command)) return hide(command);
  return command.map((word, index) => (index === 0 && typeof word === 'string' ? displayProgram(word) : hide(word)));
}

/** Shows only the keys. */
function hide(value: unknown): unknown {
  if (typeof value === 'boolean' || value === null) return value;
  if (Array.isArray(value)) return value.map(hide);
  if (!isObject(value)) return hiddenValue;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, hide(inner)]));
}

/** Pairs of a string or number in `value` and what is shown for it; hidden ones are left out. */
function shownValues(value: unknown, shown: unknown): readonly (readonly [value: string, shown: string])[] {
  if (typeof value === 'string' || typeof value === 'number')
    return shown === hiddenValue ? [] : [[String(value), String(shown)]];
  if (typeof value !== 'object' || value === null || typeof shown !== 'object' || shown === null) return [];
  const members = shown as Readonly<Record<string, unknown>>;
  return Object.entries(value).flatMap(([key, inner]) => shownValues(inner, members[key]));
}
