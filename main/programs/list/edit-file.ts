import { isDeepStrictEqual } from 'node:util';
import { ProgramFileFault } from '../../program-ports.ts';
import type { Program } from '../table/program.ts';
import { ListFault } from './entry-list.ts';
import type { Entry, EntryList, FileContent, Making } from './entry-list.ts';
import { jsonList } from './json-list.ts';
import { isWithin } from './text-edit.ts';
import { tomlList } from './toml-list.ts';
import { yamlList } from './yaml-list.ts';

/** The entry to write under its name; `undefined`: it is to go. */
export interface Edit {
  readonly name: string;
  readonly entry: Entry | undefined;
}

const formatNames: Readonly<Record<Program['format'], string>> = {
  json: 'JSON',
  jsonc: 'JSON',
  toml: 'TOML',
  'yaml-map': 'YAML',
  'yaml-list': 'YAML',
};

/** What a file holds. Errors: PROGRAM_FILE_DAMAGED, PROGRAM_FILE_LAYOUT. */
export function readContent(program: Program, path: string, text: string | undefined): FileContent {
  return withFaults(program, path, () => openList(program).read(text ?? ''));
}

/**
 * The text with all edits made, each proved. `made`: what our first entry had made there, and goes with the last one.
 * Errors: PROGRAM_FILE_DAMAGED, PROGRAM_FILE_LAYOUT.
 */
export function editText(
  program: Program,
  path: string,
  text: string,
  edits: readonly Edit[],
  made: Making = 'entry',
): { readonly text: string; readonly made: Making } {
  return withFaults(program, path, () => {
    const list = openList(program);
    let [edited, most]: [string, Making] = [text, 'entry'];
    for (const edit of edits) {
      const step = editOnce(list, edited, edit, made);
      if (step.made !== 'entry') most = step.made;
      edited = step.text;
    }
    return { text: edited, made: most };
  });
}

/** A whole file with one entry and nothing else, for a person to paste. */
export function snippet(program: Program, { name, entry }: Edit): string {
  return entry === undefined ? '' : openList(program).add('', name, entry).text.trimEnd();
}

function editOnce(list: EntryList, before: string, { name, entry }: Edit, made: Making) {
  const isThere = (list.read(before).entries ?? []).some(([known]) => known === name);
  if (entry === undefined) {
    if (!isThere) return { text: before, made: 'entry' as const };
    const after = list.remove(before, name, made);
    proveRemoval(list, { before, after, name });
    return { text: after, made: 'entry' as const };
  }
  if (isThere) {
    const after = list.replace(before, name, entry);
    proveReplacement(list, { before, after, name }, entry);
    return { text: after, made: 'entry' as const };
  }
  const added = list.add(before, name, entry);
  proveAddition(list, { before, after: added.text, name }, entry);
  return added;
}

function withFaults<Result>(program: Program, path: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof ListFault)) throw error;
    throw new ProgramFileFault(error.kind, { file: path, format: formatNames[program.format] });
  }
}

interface Change {
  readonly before: string;
  readonly after: string;
  readonly name: string;
}

/**
 * Before anything is written: the new text is valid, means the same but for our entry, and has every character of the
 * old one, in order. Errors: `layout`, where a splice did what it must not.
 */
export function proveAddition(list: EntryList, { before, after, name }: Change, entry: Entry): void {
  const [old, added] = [list.read(before), readResult(list, after)];
  const isThere = isDeepStrictEqual(valueOf(added, name), plain(entry));
  if (!isThere || !meansTheSame(old, added, name) || !isWithin(before, after)) throw new ListFault('layout');
}

/** The same for an entry whose value alone changes. */
export function proveReplacement(list: EntryList, { before, after, name }: Change, entry: Entry): void {
  const [old, replaced] = [list.read(before), readResult(list, after)];
  const isThere = isDeepStrictEqual(valueOf(replaced, name), plain(entry));
  const around = (text: string): string => list.remove(text, name, 'entry');
  if (!isThere || !meansTheSame(old, replaced, name) || around(before) !== around(after)) throw new ListFault('layout');
}

/** The same for an entry that goes. */
export function proveRemoval(list: EntryList, { before, after, name }: Change): void {
  const [old, left] = [list.read(before), readResult(list, after)];
  const isGone = (left.entries ?? []).every(([known]) => known !== name);
  if (!isGone || !meansTheSame(old, left, name) || !isWithin(after, before)) throw new ListFault('layout');
}

function readResult(list: EntryList, text: string): FileContent {
  try {
    return list.read(text);
  } catch (error) {
    throw new ListFault('layout', error);
  }
}

function meansTheSame(before: FileContent, after: FileContent, name: string): boolean {
  const others = ({ entries = [] }: FileContent) => entries.filter(([known]) => known !== name);
  return isDeepStrictEqual(before.rest, after.rest) && isDeepStrictEqual(others(before), others(after));
}

function valueOf({ entries = [] }: FileContent, name: string): unknown {
  const found = entries.filter(([known]) => known === name);
  return found.length === 1 ? plain(found[0]?.[1]) : undefined;
}

/** Without the prototypes that parsers choose. */
export function plain(value: unknown): unknown {
  return value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as unknown);
}

/** The list of `program`. Its text is spliced: parsers give places and proofs alone. */
export function openList(program: Program): EntryList {
  switch (program.format) {
    case 'json':
    case 'jsonc':
      return jsonList(program);
    case 'toml':
      return tomlList(program.list);
    case 'yaml-map':
    case 'yaml-list':
      return yamlList(program);
  }
}
