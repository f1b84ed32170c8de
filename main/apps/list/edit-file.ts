import { isDeepStrictEqual } from 'node:util';
import { AppFileFault } from '../../app-ports.ts';
import type { App } from '../table/app.ts';
import { isSubsequence, ListFault } from './entry-list.ts';
import type { Entry, EntryList, FileContent, CreatedScope, NamedEntry } from './entry-list.ts';
import { jsonList } from './json-list.ts';
import { tomlList } from './toml-list.ts';
import { yamlList } from './yaml-list.ts';

/** The entry to write; `undefined` to remove it. */
export interface Edit {
  readonly name: string;
  readonly entry: Entry | undefined;
}

const formatNames: Readonly<Record<App['format'], string>> = {
  json: 'JSON',
  jsonc: 'JSON',
  toml: 'TOML',
  'yaml-map': 'YAML',
  'yaml-list': 'YAML',
};

/** Parses a file. Errors: APP_FILE_DAMAGED, APP_FILE_LAYOUT. */
export function readContent(app: App, path: string, text: string | undefined): FileContent {
  return withFaults(app, path, () => openList(app).read(text ?? ''));
}

/**
 * Applies all edits and verifies each. `made`: what our first entry had to create, which is removed with the last one.
 * Errors: APP_FILE_DAMAGED, APP_FILE_LAYOUT.
 */
export function editText(
  app: App,
  path: string,
  text: string,
  edits: readonly Edit[],
  made: CreatedScope = 'entry',
): { readonly text: string; readonly made: CreatedScope } {
  return withFaults(app, path, () => {
    const list = openList(app);
    let [edited, largest]: [string, CreatedScope] = [text, 'entry'];
    for (const group of groupEdits(list.read(text), edits)) {
      const step = editTogether(list, edited, group, made);
      if (step.made !== 'entry') largest = step.made;
      edited = step.text;
    }
    return { text: edited, made: largest };
  });
}

/** A whole file with only this entry, for the user to paste. */
export function snippet(app: App, { name, entry }: Edit): string {
  return entry === undefined ? '' : openList(app).add('', [name, entry]).text.trimEnd();
}

/** Consecutive edits of one kind, so that the file is parsed once for them. */
type EditGroup =
  | { readonly kind: 'add' | 'replace'; readonly entries: NamedEntry[] }
  | { readonly kind: 'remove'; readonly names: string[] };

function groupEdits({ entries = [] }: FileContent, edits: readonly Edit[]): readonly EditGroup[] {
  const existing = new Set(entries.map(([name]) => name));
  const groups: EditGroup[] = [];
  for (const { name, entry } of edits) {
    const last = groups.at(-1);
    if (entry === undefined) {
      if (!existing.delete(name)) continue;
      if (last?.kind === 'remove') last.names.push(name);
      else groups.push({ kind: 'remove', names: [name] });
      continue;
    }
    const kind = existing.has(name) ? 'replace' : 'add';
    existing.add(name);
    const fitsLastGroup = last?.kind === kind && last.entries.every(([known]) => known !== name);
    if (fitsLastGroup) last.entries.push([name, entry]);
    else groups.push({ kind, entries: [[name, entry]] });
  }
  return groups;
}

function editTogether(
  list: EntryList,
  before: string,
  group: EditGroup,
  made: CreatedScope,
): ReturnType<EntryList['add']> {
  switch (group.kind) {
    case 'remove': {
      const after = list.remove(before, group.names, made);
      verifyRemoval(list, { before, after }, ...group.names);
      return { text: after, made: 'entry' };
    }
    case 'replace': {
      const after = list.replace(before, ...group.entries);
      verifyReplacement(list, { before, after }, ...group.entries);
      return { text: after, made: 'entry' };
    }
    case 'add': {
      const added = list.add(before, ...group.entries);
      verifyAddition(list, { before, after: added.text }, ...group.entries);
      return added;
    }
  }
}

function withFaults<Result>(app: App, path: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof ListFault)) throw error;
    throw new AppFileFault(error.kind, { file: path, format: formatNames[app.format] });
  }
}

interface Change {
  readonly before: string;
  readonly after: string;
}

/**
 * Runs before anything is written: the new text must be valid, mean the same except for our entries, and contain every
 * character of the old one in order. Errors: `layout` if a splice has damaged the text.
 */
export function verifyAddition(list: EntryList, { before, after }: Change, ...entries: readonly NamedEntry[]): void {
  const [old, added] = [list.read(before), readEdited(list, after)];
  if (!containsOnce(added, entries) || !meansTheSame(old, added, namesOf(entries)) || !isSubsequence(before, after))
    throw new ListFault('layout');
}

/** The same for replaced entries: with equal placeholder values, both texts must be identical. */
export function verifyReplacement(list: EntryList, { before, after }: Change, ...entries: readonly NamedEntry[]): void {
  const [old, replaced] = [list.read(before), readEdited(list, after)];
  const blanked = (text: string): string => list.replace(text, ...entries.map(([name]) => [name, {}] as const));
  if (
    !containsOnce(replaced, entries) ||
    !meansTheSame(old, replaced, namesOf(entries)) ||
    blanked(before) !== blanked(after)
  )
    throw new ListFault('layout');
}

/** The same for removed entries. */
export function verifyRemoval(list: EntryList, { before, after }: Change, ...names: readonly string[]): void {
  const [old, remaining, removed] = [list.read(before), readEdited(list, after), new Set(names)];
  const areRemoved = (remaining.entries ?? []).every(([known]) => !removed.has(known));
  if (!areRemoved || !meansTheSame(old, remaining, removed) || !isSubsequence(after, before))
    throw new ListFault('layout');
}

function readEdited(list: EntryList, text: string): FileContent {
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

/** Each entry occurs once, with the right value. */
function containsOnce({ entries: all = [] }: FileContent, entries: readonly NamedEntry[]): boolean {
  const found = Map.groupBy(all, ([name]) => name);
  return entries.every(([name, entry]) => {
    const [first, ...others] = found.get(name) ?? [];
    return others.length === 0 && isDeepStrictEqual(toPlainData(first?.[1]), toPlainData(entry));
  });
}

/** Drops the prototypes that parsers set, for comparing. */
export function toPlainData(value: unknown): unknown {
  return value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as unknown);
}

/** The text is spliced, never printed from a tree; parsers only locate and verify. */
export function openList(app: App): EntryList {
  switch (app.format) {
    case 'json':
    case 'jsonc':
      return jsonList(app);
    case 'toml':
      return tomlList(app.list);
    case 'yaml-map':
    case 'yaml-list':
      return yamlList(app);
  }
}
