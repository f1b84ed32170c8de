import { getNodeValue, parseTree } from 'jsonc-parser';
import type { Node, ParseError } from 'jsonc-parser';
import { asDamage, ListFault } from '../list-fault.ts';

export interface JsonRules {
  readonly comments: boolean;
  readonly trailingCommas: boolean;
}

/** A member of an object, with its place. */
export interface Member {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly value: Node;
}

/** The root of a text, whose mark at the beginning counts as white space; `undefined` for one without any value. */
export function parseJsonTree(text: string, rules: JsonRules): Node | undefined {
  // One character for one: places stay.
  const bare = text.startsWith('\ufeff') ? ` ${text.slice(1)}` : text;
  const errors: ParseError[] = [];
  const options = { allowTrailingComma: rules.trailingCommas, disallowComments: !rules.comments };
  // The parser calls itself for each level, and so does whoever reads its tree.
  return asDamage(() => {
    const tree = parseTree(bare, errors, { ...options, allowEmptyContent: true });
    if (errors.length > 0) throw new ListFault('damaged');
    if (tree && !rules.comments) JSON.parse(bare);
    return tree;
  });
}

/** Members of an object in the order of the text. Errors: layout, for what is no object. */
export function membersOf(node: Node): readonly Member[] {
  if (node.type !== 'object') throw new ListFault('layout');
  return (node.children ?? []).map((property): Member => {
    const [key, value] = property.children ?? [];
    if (!key || !value) throw new ListFault('damaged');
    return { name: String(key.value), from: property.offset, to: property.offset + property.length, value };
  });
}

/** The value of a node, as JSON.parse would have it. */
export function valueOf(node: Node): unknown {
  return getNodeValue(node);
}

/** The place of the brace that ends an object. */
export function closingBrace(node: Node): number {
  return node.offset + node.length - 1;
}

/** What stands between two values: white space, comments, at most one comma. */
export interface Gap {
  readonly comma?: number;
  /** After the last comment or comma; where there is none, the beginning. */
  readonly end: number;
}

export function readGap(text: string, from: number, to: number): Gap {
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
