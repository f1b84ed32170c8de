import type { KeyboardEvent } from 'react';
import { targetOfKey } from '../parts/target-of-key.ts';
import { arrangeSidebar } from './arrange-sidebar.ts';
import { findByLetters, type Row } from './arrange-rows.ts';
import type { RowChoice } from './use-row-choice.ts';
import { rename } from './use-server-menu.tsx';

export interface KeyPlace {
  readonly rows: readonly Row[];
  readonly choice: RowChoice;
  readonly isMac: boolean;
  /** Rows in sight. */
  readonly page: number;
  /** Typed within the last second, to find a name by. */
  readonly letters: { text: string; at: number };
  readonly openMenu: () => void;
  readonly nameGroup: (group: string) => void;
  readonly remove: (ids: readonly string[]) => void;
}

/** Milliseconds: what is typed later begins a new name. */
const typing = 1_000;

/** What a key does in the list; true: it has done something. */
export function pressKey(event: KeyboardEvent, place: KeyPlace): boolean {
  const { rows, choice, isMac, page, openMenu } = place;
  const row = rows[choice.active];
  const { key, shiftKey } = event;
  const isCommand = isMac ? event.metaKey : event.ctrlKey;
  if (key === 'ContextMenu' || (key === 'F10' && shiftKey)) return done(openMenu());
  if (key === 'Escape' && choice.several.length > 0) return done(choice.reset());
  if (isCommand && key.toLowerCase() === 'a') return done(choice.all());
  if (isCommand && key === ' ') return done(choice.toggle(choice.active));
  if (key === 'F2' && row) return done(row.kind === 'group' ? place.nameGroup(row.group) : rename(row.server.id));
  if (isDelete(key, isMac)) return remove(place, row);
  if (row && foldByKey(event, place, row)) return true;
  if (key === 'Enter' && row) return done(choice.go(choice.active));
  const target = targetOfKey(key, choice.active, page, rows.length) ?? byLetters(event, place);
  if (target === undefined || !rows[target]) return false;
  if (shiftKey && key.length > 1) choice.extend(target);
  else if (isCommand) choice.step(target);
  else choice.go(target);
  return true;
}

const done = (_nothing: void): true => true;

/** The key that says so on a Mac's keyboard sends another. */
const isDelete = (key: string, isMac: boolean): boolean => key === 'Delete' || (isMac && key === 'Backspace');

/** Main asks first, and it can be undone for some seconds. */
function remove({ choice, remove: removeAll }: KeyPlace, row: Row | undefined): boolean {
  if (choice.several.length > 0) return done(removeAll(choice.several.map(({ id }) => id)));
  if (row?.kind !== 'server') return false;
  return done(removeAll([row.server.id]));
}

/** The keys of a tree (ARIA APG): → unfolds or goes in, ← folds or goes to the group, Enter and Space turn it. */
function foldByKey({ key }: KeyboardEvent, { rows, choice }: KeyPlace, row: Row): boolean {
  if (row.kind === 'server') {
    if (key !== 'ArrowLeft' || row.group === undefined) return false;
    return done(choice.go(rows.findIndex((each) => each.kind === 'group' && each.group === row.group)));
  }
  const isTurn = key === 'Enter' || key === ' ';
  if (isTurn || key === (row.isFolded ? 'ArrowRight' : 'ArrowLeft')) {
    return done(arrangeSidebar({ do: 'fold', group: row.group, isFolded: !row.isFolded }));
  }
  return key === 'ArrowRight' ? done(choice.go(choice.active + 1)) : false;
}

function byLetters({ key, ctrlKey, metaKey, altKey, timeStamp }: KeyboardEvent, place: KeyPlace): number | undefined {
  if (key.length !== 1 || ctrlKey || metaKey || altKey) return undefined;
  const { rows, choice, letters } = place;
  const before = timeStamp - letters.at < typing ? letters.text : '';
  if (key === ' ' && before === '') return undefined;
  letters.at = timeStamp;
  // The same letter again goes on to the next of those names.
  letters.text = before === key ? key : before + key;
  const found = findByLetters(rows, letters.text, choice.active);
  return found === -1 ? undefined : found;
}
