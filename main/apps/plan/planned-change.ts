import type { ProgramRecord } from '../../../shared/program-record.ts';
import type { ProgramChange } from '../../../shared/program-view.ts';
import type { PermissionLevel } from '../../../shared/tool-permissions.ts';
import type { PosternError } from '../../errors/postern-error.ts';
import { ProgramFileFault } from '../../program-ports.ts';
import type { ProgramFile } from '../../program-ports.ts';
import { shownProgram } from '../../secret.ts';
import { withoutRules } from '../entry/entry-decisions.ts';
import { withoutSecrets } from '../entry/our-entries.ts';
import type { EntrySecret } from '../entry/our-entries.ts';
import { readEntry, readPipeWords } from '../entry/read-entry.ts';
import { changedLines } from '../list/changed-lines.ts';
import { readContent, snippet } from '../list/edit-file.ts';
import type { Edit } from '../list/edit-file.ts';
import { hiddenValue } from '../list/entry-list.ts';
import type { FileContent, Making } from '../list/entry-list.ts';
import type { ProgramEngine } from '../program-engine.ts';
import type { EnteredServer } from '../records/program-records.ts';
import { pathHere } from '../table/program.ts';
import type { Program } from '../table/program.ts';
import type { KeptOut } from './kept-out.ts';

/** `file`: we write it. `command`: the program's own one is run. `paste`: a person puts the lines there. */
export type Way = 'file' | 'command' | 'paste';

interface CommandLine {
  /** Absolute. */
  readonly command: string;
  readonly args: readonly string[];
}

/** What becomes of the rules that one program has for one server. */
interface PlannedRules {
  /** Its id. */
  readonly integration: string;
  readonly change: (level: PermissionLevel) => PermissionLevel;
  /** The entry that they come from; absent: they go. */
  readonly of?: { readonly entry: string; readonly allowed?: readonly string[]; readonly denied: readonly string[] };
}

/** What takes back rules that a change has made. */
export function rulesBack(ruled: NonNullable<ProgramChange['rules']>): readonly PlannedRules[] {
  return ruled.map(({ integration, ...made }) => ({ integration, change: (level) => withoutRules(level, made) }));
}

/** A change of one program's configuration, ready to be shown and made. */
export interface PlannedChange {
  readonly program: Program;
  /** Without a path where only the person knows it. */
  readonly file: ProgramFile;
  readonly way: Way;
  readonly edits: readonly Edit[];
  /** The whole file; `undefined`: there is none. */
  readonly before: string | undefined;
  /** The same after it, where we write it. */
  readonly after: string | undefined;
  readonly made: Making;
  readonly commands: readonly CommandLine[];
  readonly secret: EntrySecret;
  /** A secret comes into a file that others than its owner may read. */
  readonly isReadByOthers: boolean;
  /** Brings back what somebody else wrote: its values are shown nowhere, and stand in no argument of a command. */
  readonly restores: boolean;
  /** Why its file is left alone, where Postern would have written it: a person pastes the lines instead. */
  readonly fault?: PosternError;
  /** Entries that come, and that a setting of the app leaves out. */
  readonly keptOut?: KeptOut;
  /** The byte order mark of its file goes too: many a JSON parser fails on it (RFC 8259 section 8.1). */
  readonly takesMark?: true;
  /** The lines to paste are pairs for the braces that the list stands in. */
  readonly isInline?: boolean;
  /** The entries in question, of others' no secret. */
  readonly shown: { readonly before: string; readonly after: string };
  /** Their secret is new, since the earlier one is lost: entries that hold the old one are useless. */
  readonly endsSecret?: true;
  /** The file has all of the lines to paste already. */
  readonly isPasted?: boolean;
  /** What the entries that come lead to. */
  readonly servers?: readonly EnteredServer[];
  readonly rules?: readonly PlannedRules[];
  /** What becomes of the records of programs. */
  readonly records: (records: readonly ProgramRecord[]) => readonly ProgramRecord[];
}

/** What a person has to know of the program where an entry comes. */
export function noteOf({ program: { note }, edits }: Pick<PlannedChange, 'program' | 'edits'>): Program['note'] {
  return edits.some(({ entry }) => entry !== undefined) ? note : undefined;
}

/**
 * The entries in question as they stand, and as they will; `restores`: in which those that come are somebody else's.
 */
export function showEdits(
  program: Program,
  content: FileContent,
  edits: readonly Edit[],
  restores = false,
): PlannedChange['shown'] {
  const standing = (content.entries ?? []).filter(([name]) => edits.some((edit) => edit.name === name));
  const written = (edit: Edit): string =>
    restores && edit.entry !== undefined ? withoutValues([edit.name, edit.entry]) : snippet(program, edit);
  return {
    before: standing.map(withoutValues).join('\n'),
    after: edits
      .map(written)
      .filter((text) => text !== '')
      .join('\n'),
  };
}

/**
 * The lines of the file that go and come, where we write it; else as `showEdits`. Of values only those of our entries are
 * shown, and what starts or leads to another one.
 */
export function showChange(
  {
    program,
    before = '',
    after = '',
    edits,
    restores,
  }: Pick<PlannedChange, 'program' | 'before' | 'after' | 'edits' | 'restores'>,
  content: FileContent,
): PlannedChange['shown'] {
  const standing = (content.entries ?? []).filter(([name]) => edits.some((edit) => edit.name === name));
  const known = new Map([
    ...standing.flatMap(([name, value]) => [[name, name] as const, ...shownValues(value, hideValues(value))]),
    ...edits.flatMap(({ name, entry }) => [
      [name, name] as const,
      ...shownValues(entry, restores ? hideValues(entry) : entry),
    ]),
  ]);
  const names = edits.map(({ name }) => name);
  const lines = changedLines(program, { before, after }, names, (value) => known.get(value));
  return lines ?? showEdits(program, content, edits, restores);
}

function withoutValues([name, value]: readonly [string, unknown]): string {
  return `${JSON.stringify(name)}: ${JSON.stringify(hideValues(value))}`;
}

/** The commands that make `edits`; `undefined` where the program's own one is not on this computer. */
export async function planCommands(
  engine: Pick<ProgramEngine, 'files' | 'surroundings'>,
  { command: own }: Program,
  content: FileContent,
  edits: readonly Edit[],
): Promise<readonly CommandLine[] | undefined> {
  if (!own) return undefined;
  const places = own.places.map((place) => pathHere(place, engine.surroundings));
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
    const isThere = (content.entries ?? []).some(([name]) => name === edit.name);
    return [...(isThere ? [line(own.remove, edit)] : []), ...(edit.entry ? [line(own.add, edit)] : [])];
  });
}

/** The file of a program as it is. Errors: PROGRAM_FILE_*. */
export async function readFile(
  { files }: Pick<ProgramEngine, 'files'>,
  program: Program,
  file: ProgramFile,
): Promise<{ readonly text: string | undefined; readonly content: FileContent }> {
  const text = await files.read(file);
  return { text, content: readContent(program, file.path, text) };
}

/** Nothing that can be read, where its fault is one of the file: what is planned of it says so. */
export function orNothing(error: unknown): { readonly text: undefined; readonly content: FileContent } {
  if (!(error instanceof ProgramFileFault)) throw error;
  return { text: undefined, content: { rest: undefined, entries: undefined } };
}

const addressKeys = ['url', 'serverUrl', 'httpUrl', 'uri'];
const commandKeys = ['command', 'cmd'];
const kindKeys = ['type', 'name', 'source', 'transport'];

/**
 * An entry with the keys that it has in its file. Of its values only what starts it and where it leads is shown; what
 * starts a pipe of Postern holds no secret, and is shown whole.
 */
export function hideValues(value: unknown): unknown {
  if (!isTable(value)) return hide(value);
  const isPipe = readPipeWords(readEntry(value)) !== undefined;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      if (isPipe && (key === 'args' || commandKeys.includes(key))) return [key, inner];
      if (typeof inner === 'string' && addressKeys.includes(key)) return [key, withoutSecrets(inner)];
      if (commandKeys.includes(key)) return [key, hideArguments(inner)];
      return [key, typeof inner === 'string' && kindKeys.includes(key) ? inner : hide(inner)];
    }),
  );
}

/** Of a command all but the program that it starts. */
function hideArguments(command: unknown): unknown {
  if (typeof command === 'string') return shownProgram(command);
  if (!Array.isArray(command)) return hide(command);
  return command.map((word, index) => (index === 0 && typeof word === 'string' ? shownProgram(word) : hide(word)));
}

/** Its keys alone. */
function hide(value: unknown): unknown {
  if (typeof value === 'boolean' || value === null) return value;
  if (Array.isArray(value)) return value.map(hide);
  if (!isTable(value)) return hiddenValue;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, hide(inner)]));
}

function isTable(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** By each text and number of `value`, what of it is shown; nothing for one that is not. */
function shownValues(value: unknown, shown: unknown): readonly (readonly [value: string, shown: string])[] {
  if (typeof value === 'string' || typeof value === 'number')
    return shown === hiddenValue ? [] : [[String(value), String(shown)]];
  if (typeof value !== 'object' || value === null || typeof shown !== 'object' || shown === null) return [];
  const members = shown as Readonly<Record<string, unknown>>;
  return Object.entries(value).flatMap(([key, inner]) => shownValues(inner, members[key]));
}
