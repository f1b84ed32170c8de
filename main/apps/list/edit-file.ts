import { isDeepStrictEqual } from 'node:util';
import { ProgramFileFault } from '../../program-ports.ts';
import type { Program } from '../table/program.ts';
import { isWithin, ListFault } from './entry-list.ts';
import type { Entry, EntryList, FileContent, Making, NamedEntry } from './entry-list.ts';
import { jsonList } from './json-list.ts';
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
    for (const group of groupEdits(list.read(text), edits)) {
      const step = editTogether(list, edited, group, made);
      if (step.made !== 'entry') most = step.made;
      edited = step.text;
    }
    return { text: edited, made: most };
  });
}

/** A whole file with one entry and nothing else, for a person to paste. */
export function snippet(program: Program, { name, entry }: Edit): string {
  return entry === undefined ? '' : openList(program).add('', [name, entry]).text.trimEnd();
}

/** Edits of one kind in a row, which the file is read once for. */
type EditGroup =
  | { readonly kind: 'add' | 'replace'; readonly entries: NamedEntry[] }
  | { readonly kind: 'remove'; readonly names: string[] };

function groupEdits({ entries = [] }: FileContent, edits: readonly Edit[]): readonly EditGroup[] {
  const there = new Set(entries.map(([name]) => name));
  const groups: EditGroup[] = [];
  for (const { name, entry } of edits) {
    const last = groups.at(-1);
    if (entry === undefined) {
      if (!there.delete(name)) continue;
      if (last?.kind === 'remove') last.names.push(name);
      else groups.push({ kind: 'remove', names: [name] });
      continue;
    }
    const kind = there.has(name) ? 'replace' : 'add';
    there.add(name);
    const isFresh = last?.kind === kind && last.entries.every(([known]) => known !== name);
    if (isFresh) last.entries.push([name, entry]);
    else groups.push({ kind, entries: [[name, entry]] });
  }
  return groups;
}

function editTogether(list: EntryList, before: string, group: EditGroup, made: Making): ReturnType<EntryList['add']> {
  switch (group.kind) {
    case 'remove': {
      const after = list.remove(before, group.names, made);
      proveRemoval(list, { before, after }, ...group.names);
      return { text: after, made: 'entry' };
    }
    case 'replace': {
      const after = list.replace(before, ...group.entries);
      proveReplacement(list, { before, after }, ...group.entries);
      return { text: after, made: 'entry' };
    }
    case 'add': {
      const added = list.add(before, ...group.entries);
      proveAddition(list, { before, after: added.text }, ...group.entries);
      return added;
    }
  }
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
}

/**
 * Before anything is written: the new text is valid, means the same but for our entries, and has every character of the
 * old one, in order. Errors: `layout`, where a splice did what it must not.
 */
export function proveAddition(list: EntryList, { before, after }: Change, ...entries: readonly NamedEntry[]): void {
  const [old, added] = [list.read(before), readResult(list, after)];
  if (!areThere(added, entries) || !meansTheSame(old, added, namesOf(entries)) || !isWithin(before, after))
    throw new ListFault('layout');
}

/** The same for entries whose values alone change: with others in their places both texts are one. */
export function proveReplacement(list: EntryList, { before, after }: Change, ...entries: readonly NamedEntry[]): void {
  const [old, replaced] = [list.read(before), readResult(list, after)];
  const around = (text: string): string => list.replace(text, ...entries.map(([name]) => [name, {}] as const));
  if (
    !areThere(replaced, entries) ||
    !meansTheSame(old, replaced, namesOf(entries)) ||
    around(before) !== around(after)
  )
    throw new ListFault('layout');
}

/** The same for entries that go. */
export function proveRemoval(list: EntryList, { before, after }: Change, ...names: readonly string[]): void {
  const [old, left, gone] = [list.read(before), readResult(list, after), new Set(names)];
  const areGone = (left.entries ?? []).every(([known]) => !gone.has(known));
  if (!areGone || !meansTheSame(old, left, gone) || !isWithin(after, before)) throw new ListFault('layout');
}

function readResult(list: EntryList, text: string): FileContent {
  try {
    return list.read(text);
  } catch (error) {
    throw new ListFault('layout', error);
  }
}

function meansTheSame(before: FileContent, after: FileContent, names: ReadonlySet<string>): boolean {
  const others = ({ entries = [] }: FileContent) => entries.filter(([known]) => !names.has(known));
  return isDeepStrictEqual(before.rest, after.rest) && isDeepStrictEqual(others(before), others(after));
}

function namesOf(entries: readonly NamedEntry[]): ReadonlySet<string> {
  return new Set(entries.map(([name]) => name));
}

/** Each once, with its value. */
function areThere({ entries: all = [] }: FileContent, entries: readonly NamedEntry[]): boolean {
  const found = Map.groupBy(all, ([name]) => name);
  return entries.every(([name, entry]) => {
    const [first, ...others] = found.get(name) ?? [];
    return others.length === 0 && isDeepStrictEqual(plain(first?.[1]), plain(entry));
  });
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
