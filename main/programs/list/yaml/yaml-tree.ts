import { Composer, isMap, isScalar, isSeq, Parser } from 'yaml';
import type { CST, ParsedNode, YAMLMap, YAMLSeq } from 'yaml';
import { programYamlMarks } from '../../../limits.ts';
import { asDamage, ListFault } from '../list-fault.ts';
import { lineStart, nextLine, type Span } from '../text-edit.ts';

export type Collection = YAMLMap.Parsed | YAMLSeq.Parsed;

/** What holds the entries; `value` is `undefined` where nothing stands behind its key. */
export interface YamlHolder {
  readonly key: Span;
  readonly value: Collection | undefined;
}

export interface YamlTree {
  readonly root: YAMLMap.Parsed | undefined;
  readonly content: Readonly<Record<string, unknown>>;
  readonly holder: YamlHolder | undefined;
}

/** What may begin or end a value or its properties; long texts and comments have few of them. */
const mark = /[\n,:[\]{}"'!&*]|[-?][ \t]/;

/** A text with one document. Errors: damaged; layout for what is no map at the top, or no collection in it. */
export function parseYamlTree(text: string, list: string): YamlTree {
  if (text.split(mark, programYamlMarks + 1).length > programYamlMarks) throw new ListFault('layout');
  return asDamage(() => {
    // Its own look for equal keys compares each with each.
    const composer = new Composer({ prettyErrors: false, uniqueKeys: false });
    const [document, more] = composer.compose(soundTokens(text), true, text.length);
    if (!document || more || document.errors.length > 0) throw new ListFault('damaged');
    const root = document.contents;
    if (root === null || isNothing(root)) return { root: undefined, content: {}, holder: undefined };
    if (!isMap(root)) throw new ListFault('layout');
    refuseEqualKeys(root);
    // The library bounds how much anchors may grow.
    const content = document.toJS({ maxAliasCount: 100 }) as Record<string, unknown>;
    const pair = root.items.find(({ key }) => isScalar(key) && key.value === list);
    return { root, content, holder: pair && readHolder(pair.key, pair.value) };
  });
}

/** The library would go on, and keep a kilobyte for each fault. */
function* soundTokens(text: string): Generator<CST.Token> {
  for (const token of new Parser().parse(text)) {
    if (token.type === 'error') throw new ListFault('damaged');
    yield token;
  }
}

function refuseEqualKeys({ items }: YAMLMap.Parsed): void {
  const keys = items.map(({ key }) => (isScalar(key) ? String(key.value) : key));
  if (new Set(keys).size < keys.length) throw new ListFault('damaged');
}

function readHolder(key: ParsedNode, value: ParsedNode | null): YamlHolder {
  if (value === null || isNothing(value)) return { key: spanOf(key), value: undefined };
  if (!isMap(value) && !isSeq(value)) throw new ListFault('layout');
  if (isMap(value)) refuseEqualKeys(value);
  return { key: spanOf(key), value };
}

function isNothing(node: ParsedNode): boolean {
  return isScalar(node) && node.value === null && node.range[1] === node.range[0];
}

/** Where each member of a collection stands, of a map from its key on. */
export function memberSpans(collection: Collection): readonly Span[] {
  if (isSeq(collection)) return collection.items.map(spanOf);
  return collection.items.map(({ key, value }) => ({
    from: spanOf(key).from,
    to: Math.max(spanOf(key).to, value ? spanOf(value).to : 0),
  }));
}

/** A node without the comment and the line end behind it. */
function spanOf({ range }: ParsedNode): Span {
  return { from: range[0], to: range[1] };
}

/** The lines that a member of a block collection has for itself. */
export function linesOf(text: string, { from, to }: Span): Span {
  // A block of text ends after its line end.
  const isEnded = to > from && text[to - 1] === '\n';
  return { from: lineStart(text, from), to: isEnded ? to : nextLine(text, to) };
}
