import { isDeepStrictEqual } from 'node:util';
import type { Entry, EntryList, FileContent } from './entry-list.ts';
import { ListFault } from './list-fault.ts';
import { isWithin } from './text-edit.ts';

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
