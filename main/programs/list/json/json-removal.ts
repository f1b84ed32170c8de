import type { Node } from 'jsonc-parser';
import { beginsLine, lineStart, type Span } from '../text-edit.ts';
import { closingBrace, type Member, membersOf, readGap } from './json-tree.ts';

/** What takes a member out of `object`: itself, the comma that goes with it, and the line that it had for itself. */
export function spansOfMember(text: string, object: Node, member: Member): readonly Span[] {
  const members = membersOf(object);
  const place = members.findIndex(({ from }) => from === member.from);
  const [before, after] = [members[place - 1], members[place + 1]];
  const isInline = !beginsLine(text, member.from);
  const start = isInline ? beforeBlanks(text, member.from) : endOfLineBefore(text, member.from);
  const following = readGap(text, member.to, after?.from ?? closingBrace(object)).comma;
  if (after && following !== undefined) {
    // On one line the blanks behind the comma go instead of those before.
    if (isInline) return [member, { from: following, to: afterBlanks(text, following + 1) }];
    return [
      { from: start, to: member.to },
      { from: following, to: following + 1 },
    ];
  }
  const itself = { from: Math.max(start, before?.to ?? object.offset + 1), to: member.to };
  if (following !== undefined) return [itself, { from: following, to: following + 1 }];
  if (!before) return [itself, ...whiteSpaceOf(text, object, itself)];
  const comma = readGap(text, before.to, member.from).comma ?? before.to;
  return [{ from: comma, to: comma + 1 }, itself];
}

/** What is left of an object that had nothing else in it. */
function whiteSpaceOf(text: string, object: Node, { from, to }: Span): readonly Span[] {
  const inner = { from: object.offset + 1, to: closingBrace(object) };
  const left = text.slice(inner.from, from) + text.slice(to, inner.to);
  return left.trim() === '' ? [inner] : [];
}

/** Where the line end stands that begins the line of `at`; without one, the beginning. */
function endOfLineBefore(text: string, at: number): number {
  const start = lineStart(text, at);
  if (start === 0) return at;
  return text.startsWith('\r\n', start - 2) ? start - 2 : start - 1;
}

function afterBlanks(text: string, at: number): number {
  let end = at;
  while (text[end] === ' ' || text[end] === '\t') end += 1;
  return end;
}

function beforeBlanks(text: string, at: number): number {
  let start = at;
  while (text[start - 1] === ' ' || text[start - 1] === '\t') start -= 1;
  return start;
}
