import type { Node } from 'jsonc-parser';
import { beginsLine, indentationAt, type Insertion, lineEnd } from '../text-edit.ts';
import { closingBrace, membersOf, readGap } from './json-tree.ts';

export interface JsonLayout {
  readonly indentation: string;
  /** Of one level. */
  readonly unit: string;
  readonly end: string;
}

/** A value over several lines, the first of which stands where it is put. */
export function renderValue(value: unknown, { indentation, unit, end }: JsonLayout): string {
  return JSON.stringify(value, undefined, unit).replaceAll('\n', `${end}${indentation}`);
}

export function renderMember(name: string, value: unknown, layout: JsonLayout): string {
  return `${JSON.stringify(name)}: ${renderValue(value, layout)}`;
}

/** How far one level is indented: as the line that is indented least. */
export function indentUnit(text: string): string {
  const indents = Array.from(text.matchAll(/^[ \t]+(?=[^\s*])/gmu), ([blanks]) => blanks);
  if (indents.some((blanks) => blanks.startsWith('\t'))) return '\t';
  const least = indents.reduce((shortest, blanks) => Math.min(shortest, blanks.length), 9);
  return ' '.repeat(least > 8 ? 2 : least);
}

/** What puts a member after the last one of `object`, in the habits of the text, and moves nothing. */
export function addMember(text: string, object: Node, name: string, value: unknown): readonly Insertion[] {
  const close = closingBrace(object);
  const last = membersOf(object).at(-1);
  const from = last ? last.to : object.offset + 1;
  const gap = readGap(text, from, close);
  const [end, unit] = [lineEnd(text), indentUnit(text)];
  const isOwnLine = last !== undefined && beginsLine(text, last.from);
  const breaks = /[\r\n]/.test(text.slice(from, close));
  const comma = last && gap.comma === undefined ? [{ at: last.to, text: ',' }] : [];
  const trailing = gap.comma === undefined ? '' : ',';
  if (last && !isOwnLine && !breaks)
    return [...comma, { at: gap.end, text: ` ${JSON.stringify(name)}: ${JSON.stringify(value)}${trailing}` }];
  const base = indentationAt(text, object.offset);
  const indentation = isOwnLine ? indentationAt(text, last.from) : `${base}${unit}`;
  const member = renderMember(name, value, { indentation, unit, end });
  const closes = /[\r\n]/.test(text.slice(gap.end, close)) || last ? '' : `${end}${base}`;
  return [...comma, { at: gap.end, text: `${end}${indentation}${member}${trailing}${closes}` }];
}
