import { getNodeValue, parseTree } from 'jsonc-parser';
import type { Node, ParseError } from 'jsonc-parser';
import type { App } from '../table/app.ts';
import {
  parseOrThrow,
  beginsLine,
  cut,
  indentationAt,
  insert,
  lineEnd,
  lineStart,
  lineStop,
  ListFault,
  splice,
} from './entry-list.ts';
import type { EntryList, FileContent, Insertion, Span } from './entry-list.ts';

/** A list that is a member of the root object, in JSON with or without comments. */
export function jsonList({ list, format, trailingCommas }: Pick<App, 'list' | 'format' | 'trailingCommas'>): EntryList {
  const rules = { comments: format === 'jsonc', trailingCommas };

  function open(text: string) {
    const root = parseJsonTree(text, rules);
    if (root === undefined) return {};
    const [member, ...others] = membersOf(root).filter(({ name }) => name === list);
    const entries = member && membersOf(member.value);
    // With duplicate keys, we cannot know which one the app reads.
    const hasDuplicates = entries !== undefined && new Set(entries.map(({ name }) => name)).size < entries.length;
    if (others.length > 0 || hasDuplicates) throw new ListFault('layout');
    return { root, member, entries };
  }

  function find(text: string): { root: Node; member: Member; entryOf: (name: string) => Member } {
    const { root, member, entries = [] } = open(text);
    if (!root || !member) throw new ListFault('layout');
    const byName = new Map(entries.map((entry) => [entry.name, entry]));
    const entryOf = (name: string): Member => {
      const entry = byName.get(name);
      if (!entry) throw new ListFault('layout');
      return entry;
    };
    return { root, member, entryOf };
  }

  return {
    read(text): FileContent {
      const { root, entries } = open(text);
      const others = (root ? membersOf(root) : []).filter(({ name }) => name !== list);
      return parseOrThrow(() => ({
        rest: others.map(pairOf),
        entries: entries?.map(pairOf),
      }));
    },

    add(text, ...added) {
      const { root, member } = open(text);
      const end = lineEnd(text);
      if (!root) {
        const only = renderMember(list, Object.fromEntries(added), { indentation: '  ', unit: '  ', end });
        return { text: `${text}{${end}  ${only}${end}}${end}`, made: 'all' };
      }
      if (!member)
        return { text: insert(text, addMembers(text, root, [[list, Object.fromEntries(added)]])), made: 'list' };
      return { text: insert(text, addMembers(text, member.value, added)), made: 'entry' };
    },

    replace(text, ...replaced) {
      const { entryOf } = find(text);
      const [unit, end] = [indentUnit(text), lineEnd(text)];
      const splices = replaced.map(([name, entry]) => {
        const { value } = entryOf(name);
        const [from, to] = [value.offset, value.offset + value.length];
        const isOnOneLine = !/[\r\n]/.test(text.slice(from, to));
        const layout = { indentation: indentationAt(text, from), unit, end };
        return { from, to, text: isOnOneLine ? JSON.stringify(entry) : renderValue(entry, layout) };
      });
      return splice(text, splices);
    },

    spans(text, names) {
      const { entryOf } = find(text);
      return names.map(entryOf);
    },

    remove(text, names, made) {
      const { root, member, entryOf } = find(text);
      const shortened = cut(text, spansOfMembers(text, member.value, names.map(entryOf)));
      if (made === 'entry') return shortened;
      const reparsed = open(shortened);
      if (!reparsed.root || !reparsed.member || !isBare(shortened, reparsed.member.value)) return shortened;
      const bare = cut(shortened, spansOfMembers(shortened, reparsed.root, [reparsed.member]));
      const rest = parseJsonTree(bare, rules);
      if (made === 'list' || !rest || !isBare(bare, rest) || membersOf(root).length > 1) return bare;
      // We created the whole root object, including its line ending.
      return bare.slice(0, rest.offset) + bare.slice(rest.offset + rest.length).replace(/^\r?\n/, '');
    },
  };
}

function pairOf({ name, value }: Member): readonly [string, unknown] {
  return [name, valueOf(value)];
}

/** Contains neither a member nor a comment. */
function isBare(text: string, node: Node): boolean {
  return text.slice(node.offset + 1, node.offset + node.length - 1).trim() === '';
}

interface JsonLayout {
  readonly indentation: string;
  /** Indentation of one level. */
  readonly unit: string;
  readonly end: string;
}

/** Multi-line; the first line is not indented. */
function renderValue(value: unknown, { indentation, unit, end }: JsonLayout): string {
  return JSON.stringify(value, undefined, unit).replaceAll('\n', `${end}${indentation}`);
}

function renderMember(name: string, value: unknown, layout: JsonLayout): string {
  return `${JSON.stringify(name)}: ${renderValue(value, layout)}`;
}

/** Indentation of one level: that of the least indented line. */
function indentUnit(text: string): string {
  const indents = Array.from(text.matchAll(/^[ \t]+(?=[^\s*])/gmu), ([blanks]) => blanks);
  if (indents.some((blanks) => blanks.startsWith('\t'))) return '\t';
  const least = indents.reduce((shortest, blanks) => Math.min(shortest, blanks.length), 9);
  return ' '.repeat(least > 8 ? 2 : least);
}

/** Appends members to `object` in the style of the text, without moving anything. */
function addMembers(
  text: string,
  object: Node,
  members: readonly (readonly [name: string, value: unknown])[],
): readonly Insertion[] {
  const close = closingBrace(object);
  const last = membersOf(object).at(-1);
  const from = last ? last.to : object.offset + 1;
  const gap = readGap(text, from, close);
  const [end, unit] = [lineEnd(text), indentUnit(text)];
  const isOwnLine = last !== undefined && beginsLine(text, last.from);
  const breaks = /[\r\n]/.test(text.slice(from, close));
  const comma = last && gap.comma === undefined ? [{ at: last.to, text: ',' }] : [];
  const trailing = gap.comma === undefined ? '' : ',';
  if (last && !isOwnLine && !breaks) {
    const inline = members.map(([name, value]) => ` ${JSON.stringify(name)}: ${JSON.stringify(value)}`);
    return [...comma, { at: gap.end, text: `${inline.join(',')}${trailing}` }];
  }
  const base = indentationAt(text, object.offset);
  const indentation = isOwnLine ? indentationAt(text, last.from) : `${base}${unit}`;
  const lines = members.map(
    ([name, value]) => `${end}${indentation}${renderMember(name, value, { indentation, unit, end })}`,
  );
  const closes = /[\r\n]/.test(text.slice(gap.end, close)) || last ? '' : `${end}${base}`;
  return [...comma, { at: gap.end, text: `${lines.join(',')}${trailing}${closes}` }];
}

/** Spans to cut to remove members: the members, their commas, and the lines they had to themselves. */
function spansOfMembers(text: string, object: Node, removed: readonly Member[]): readonly Span[] {
  const members = membersOf(object);
  const places = new Set(removed.map(({ from }) => from));
  const lastLeft = members.findLastIndex(({ from }) => !places.has(from));
  const last = members.at(-1);
  const endsInComma = last !== undefined && readGap(text, last.to, closingBrace(object)).comma !== undefined;
  const spans = members.flatMap((member, place): readonly Span[] => {
    if (!places.has(member.from)) return [];
    const [before, after] = [members[place - 1], members[place + 1]];
    const isInline = !hasOwnLine(text, member);
    const start = isInline ? beforeBlanks(text, member.from) : endOfLineBefore(text, member.from);
    const following = readGap(text, member.to, after?.from ?? closingBrace(object)).comma;
    if (place < lastLeft && following !== undefined) {
      // Inline, remove the blanks after the comma rather than those before the member.
      if (isInline) return [member, { from: following, to: afterBlanks(text, following + 1) }];
      return [
        { from: start, to: member.to },
        { from: following, to: following + 1 },
      ];
    }
    const memberSpan = { from: Math.max(start, before?.to ?? object.offset + 1), to: member.to };
    if (endsInComma && following !== undefined) return [memberSpan, { from: following, to: following + 1 }];
    if (!before) return [memberSpan];
    const comma = readGap(text, before.to, member.from).comma ?? before.to;
    return [{ from: comma, to: comma + 1 }, memberSpan];
  });
  if (lastLeft !== -1 || endsInComma) return spans;
  // Nothing but white space would be left in the object: remove that too.
  const inner = { from: object.offset + 1, to: closingBrace(object) };
  const outside = [
    { from: 0, to: inner.from },
    { from: inner.to, to: text.length },
  ];
  return cut(text, [...outside, ...spans]).trim() === '' ? [inner] : spans;
}

/** Whether no other value shares its lines, and no comment continues on the next one. */
function hasOwnLine(text: string, { from, to }: Member): boolean {
  const rest = text.slice(to, lineStop(text, to));
  return beginsLine(text, from) && /^(?:[\s,]|\/\*(?:(?!\*\/).)*\*\/)*(?:\/\/.*)?$/u.test(rest);
}

/** Offset of the line ending before the line of `at`; `at` itself in the first line. */
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

interface JsonRules {
  readonly comments: boolean;
  readonly trailingCommas: boolean;
}

/** A member of an object, with its span. */
interface Member {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly value: Node;
}

/** The root of a text; `undefined` if there is no value. A byte order mark counts as white space. */
export function parseJsonTree(text: string, rules: JsonRules): Node | undefined {
  // Replaced by a single character, so that offsets stay the same.
  const bare = text.startsWith('\ufeff') ? ` ${text.slice(1)}` : text;
  const errors: ParseError[] = [];
  const options = { allowTrailingComma: rules.trailingCommas, disallowComments: !rules.comments };
  // The parser is recursive, and so is reading its tree: both may overflow the stack.
  return parseOrThrow(() => {
    const tree = parseTree(bare, errors, { ...options, allowEmptyContent: true });
    if (errors.length > 0) throw new ListFault('damaged');
    if (tree && !rules.comments) JSON.parse(bare);
    return tree;
  });
}

/** Members in text order. Errors: `layout` if the node is not an object. */
function membersOf(node: Node): readonly Member[] {
  if (node.type !== 'object') throw new ListFault('layout');
  return (node.children ?? []).map((property): Member => {
    const [key, value] = property.children ?? [];
    if (!key || !value) throw new ListFault('damaged');
    return { name: String(key.value), from: property.offset, to: property.offset + property.length, value };
  });
}

/** The value of a node, as JSON.parse would return it. */
export function valueOf(node: Node): unknown {
  return getNodeValue(node);
}

/** Offset of the closing brace. */
function closingBrace(node: Node): number {
  return node.offset + node.length - 1;
}

/** The text between two values: white space, comments, at most one comma. */
interface Gap {
  readonly comma?: number;
  /** Offset after the last comment or comma; the start if there is none. */
  readonly end: number;
}

function readGap(text: string, from: number, to: number): Gap {
  let comma: number | undefined;
  let end = from;
  for (let at = from; at < to;) {
    if (text.startsWith('//', at)) at = end = endOfLine(text, at, to);
    else if (text.startsWith('/*', at)) at = end = Math.min(text.indexOf('*/', at + 2) + 2 || to, to);
    else {
      if (text[at] === ',') [comma, end] = [at, at + 1];
      at += 1;
    }
  }
  return { end, ...(comma !== undefined && { comma }) };
}

function endOfLine(text: string, from: number, to: number): number {
  for (let at = from; at < to; at += 1) if (text[at] === '\n' || text[at] === '\r') return at;
  return to;
}
