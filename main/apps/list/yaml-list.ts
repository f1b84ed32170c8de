import { Composer, isMap, isScalar, isSeq, Parser } from 'yaml';
import type { CST, ParsedNode, YAMLMap, YAMLSeq } from 'yaml';
import { appYamlIndicators } from '../../limits.ts';
import type { App } from '../table/app.ts';
import { parseOrThrow, cut, indentationAt, lineEnd, lineStart, ListFault, nextLine, splice } from './entry-list.ts';
import type { Entry, EntryList, FileContent, NamedEntry, Span } from './entry-list.ts';

/** Reads and edits an app's server list in YAML, under the root map: a map by name or a sequence of named maps. */
export function yamlList({ list, format }: Pick<App, 'list' | 'format'>): EntryList {
  const byName = format === 'yaml-map';

  function open(text: string): YamlTree & { readonly collection: Collection | undefined } {
    const tree = parseYamlTree(text, list);
    const collection = tree.holder?.value;
    if (collection && isMap(collection) !== byName) throw new ListFault('layout');
    return { ...tree, collection };
  }

  function entriesOf({ content, holder }: YamlTree): FileContent['entries'] {
    const value = content[list];
    if (Array.isArray(value))
      return value.map((entry: unknown, index) => [nameOf(entry) ?? String(index + 1), entry] as const);
    return holder && Object.entries(Object(value ?? {}) as object);
  }

  function find(text: string): {
    collection: Collection;
    spans: readonly Span[];
    placeOf: (name: string) => number;
  } {
    const tree = open(text);
    if (!tree.collection) throw new ListFault('layout');
    const places = Map.groupBy((entriesOf(tree) ?? []).entries(), ([, [name]]) => name);
    const placeOf = (name: string): number => {
      const [first, ...others] = places.get(name) ?? [];
      if (!first || others.length > 0) throw new ListFault('layout');
      return first[0];
    };
    return { collection: tree.collection, spans: memberSpans(tree.collection), placeOf };
  }

  function renderLines(name: string, entry: Entry, indentation: string, end: string): string {
    return byName ? renderMapMember(name, entry, { indentation, end }) : renderListMember(entry, { indentation, end });
  }

  const renderFlow = (name: string, entry: Entry): string => renderFlowMember(byName ? name : undefined, entry);

  const renderAll = (entries: readonly NamedEntry[], indentation: string, end: string): string =>
    entries.map(([name, entry]) => renderLines(name, entry, indentation, end)).join('');

  function addToCollection(text: string, collection: Collection, added: readonly NamedEntry[]): string {
    const last = memberSpans(collection).at(-1);
    if (collection.flow === true) {
      const at = last?.to ?? collection.range[0] + 1;
      return `${text.slice(0, at)}${last ? ', ' : ''}${added.map(([name, entry]) => renderFlow(name, entry)).join(', ')}${text.slice(at)}`;
    }
    if (!last) throw new ListFault('layout');
    const lines = renderAll(added, indentationOf(text, collection), lineEnd(text));
    return putLines(text, linesOf(text, last).to, lines);
  }

  return {
    read(text) {
      const tree = open(text);
      const { [list]: _list, ...rest } = tree.content;
      return { rest, entries: entriesOf(tree) };
    },

    add(text, ...added) {
      const { root, holder, collection } = open(text);
      const end = lineEnd(text);
      if (root?.flow === true) throw new ListFault('layout');
      if (collection) return { text: addToCollection(text, collection, added), made: 'entry' };
      if (holder) {
        const lines = renderAll(added, `${indentationAt(text, holder.key.from)}  `, end);
        return { text: putLines(text, nextLine(text, holder.key.to), lines), made: 'entry' };
      }
      const base = root ? indentationOf(text, root) : '';
      const lines = `${base}${list}:${end}${renderAll(added, `${base}  `, end)}`;
      return { text: putLines(text, text.length, lines), made: text.trim() === '' ? 'all' : 'list' };
    },

    replace(text, ...replaced) {
      const { collection, spans, placeOf } = find(text);
      const end = lineEnd(text);
      const splices = replaced.map(([name, entry]) => {
        const span = spanAt(spans, placeOf(name));
        if (collection.flow === true) return { ...span, text: renderFlow(name, entry) };
        const lines = linesOf(text, span);
        const rendered = renderLines(name, entry, indentationOf(text, collection), end);
        const isLast = text[lines.to - 1] !== '\n';
        return { ...lines, text: isLast ? rendered.trimEnd() : rendered };
      });
      return splice(text, splices);
    },

    spans(text, names) {
      const { spans, placeOf } = find(text);
      return names.map((name) => spanAt(spans, placeOf(name)));
    },

    remove(text, names, made) {
      const { collection, spans, placeOf } = find(text);
      const places = new Set(names.map(placeOf));
      if (collection.flow === true) {
        const firstLeft = spans.find((_, place) => !places.has(place));
        const pieces = Array.from(places, (place) => {
          const [before, span] = [spans[place - 1], spanAt(spans, place)];
          return before ? { from: before.to, to: span.to } : { from: span.from, to: firstLeft?.from ?? span.to };
        });
        return cut(text, pieces);
      }
      const shortened = cut(
        text,
        Array.from(places, (place) => linesOf(text, spanAt(spans, place))),
      );
      const { holder } = open(shortened);
      return made === 'entry' || !holder || holder.value ? shortened : cut(shortened, [linesOf(shortened, holder.key)]);
    },
  };
}

function spanAt(spans: readonly Span[], place: number): Span {
  const span = spans[place];
  if (!span) throw new ListFault('layout');
  return span;
}

/** Indentation of the members of a block collection. */
function indentationOf(text: string, collection: Collection): string {
  const before = text.slice(lineStart(text, collection.range[0]), collection.range[0]).replace('\ufeff', '');
  if (before.trim() !== '') throw new ListFault('layout');
  return before;
}

/** Inserts whole lines at `at`: the start of a line, or the end of a text without a final line ending. */
function putLines(text: string, at: number, lines: string): string {
  const endsWithNewline = at === 0 || text[at - 1] === '\n' || text.slice(0, at) === '\ufeff';
  const end = lineEnd(text);
  const put = endsWithNewline ? lines : `${end}${lines.slice(0, -end.length)}`;
  return text.slice(0, at) + put + text.slice(at);
}

function nameOf(entry: unknown): string | undefined {
  const name: unknown = (Object(entry) as { name?: unknown }).name;
  return typeof name === 'string' ? name : undefined;
}

interface YamlLayout {
  readonly indentation: string;
  readonly end: string;
}

/** A member of a block map. */
function renderMapMember(name: string, entry: Entry, { indentation, end }: YamlLayout): string {
  const fields = Object.entries(entry).map(([key, value]) => `${indentation}  ${renderField(key, value)}`);
  return [`${indentation}${renderKey(name)}:`, ...fields].map((line) => `${line}${end}`).join('');
}

/** A member of a block list. */
function renderListMember(entry: Entry, { indentation, end }: YamlLayout): string {
  return Object.entries(entry)
    .map(([key, value], index) => `${indentation}${index === 0 ? '- ' : '  '}${renderField(key, value)}${end}`)
    .join('');
}

/** A member of a flow collection, where JSON is valid YAML. */
function renderFlowMember(name: string | undefined, entry: Entry): string {
  return name === undefined ? JSON.stringify(entry) : `${JSON.stringify(name)}: ${JSON.stringify(entry)}`;
}

function renderField(key: string, value: unknown): string {
  return `${renderKey(key)}: ${JSON.stringify(value)}`;
}

/** Unquoted if it is a plain string in every version of YAML. */
function renderKey(key: string): string {
  const isWord = /^[a-z][A-Za-z0-9_-]*$/.test(key) && !/^(?:y|n|yes|no|on|off|true|false|null)$/.test(key);
  return isWord ? key : JSON.stringify(key);
}

type Collection = YAMLMap.Parsed | YAMLSeq.Parsed;

/** The pair that holds the entries; `value` is `undefined` if the key has no value. */
interface YamlHolder {
  readonly key: Span;
  readonly value: Collection | undefined;
}

interface YamlTree {
  readonly root: YAMLMap.Parsed | undefined;
  readonly content: Readonly<Record<string, unknown>>;
  readonly holder: YamlHolder | undefined;
}

/** Characters that may start or end a value or its properties; bounds the work. Long strings and comments have few. */
const syntaxMark = /[\n,:[\]{}"'!&*]|[-?][ \t]/;

/** Parses a single document. Errors: `damaged`; `layout` if the root is not a map or the list is not a collection. */
function parseYamlTree(text: string, list: string): YamlTree {
  if (text.split(syntaxMark, appYamlIndicators + 1).length > appYamlIndicators) throw new ListFault('layout');
  return parseOrThrow(() => {
    // The library's own duplicate key check is quadratic.
    const composer = new Composer({ prettyErrors: false, uniqueKeys: false });
    const [document, more] = composer.compose(validTokens(text), true, text.length);
    if (!document || more || document.errors.length > 0) throw new ListFault('damaged');
    const root = document.contents;
    if (root === null || isEmptyNode(root)) return { root: undefined, content: {}, holder: undefined };
    if (!isMap(root)) throw new ListFault('layout');
    refuseDuplicateKeys(root);
    // Bounds alias expansion ("billion laughs").
    const content = document.toJS({ maxAliasCount: 100 }) as Record<string, unknown>;
    const pair = root.items.find(({ key }) => isScalar(key) && key.value === list);
    return { root, content, holder: pair && readHolder(pair.key, pair.value) };
  });
}

/** Stops at the first error: the library would continue, and store a kilobyte per error. */
function* validTokens(text: string): Generator<CST.Token> {
  for (const token of new Parser().parse(text)) {
    if (token.type === 'error') throw new ListFault('damaged');
    yield token;
  }
}

function refuseDuplicateKeys({ items }: YAMLMap.Parsed): void {
  const keys = items.map(({ key }) => (isScalar(key) ? String(key.value) : key));
  if (new Set(keys).size < keys.length) throw new ListFault('damaged');
}

function readHolder(key: ParsedNode, value: ParsedNode | null): YamlHolder {
  if (value === null || isEmptyNode(value)) return { key: spanOf(key), value: undefined };
  if (!isMap(value) && !isSeq(value)) throw new ListFault('layout');
  if (isMap(value)) refuseDuplicateKeys(value);
  return { key: spanOf(key), value };
}

function isEmptyNode(node: ParsedNode): boolean {
  return isScalar(node) && node.value === null && node.range[1] === node.range[0];
}

/** The span of each member; in a map it starts at the key. */
function memberSpans(collection: Collection): readonly Span[] {
  if (isSeq(collection)) return collection.items.map(spanOf);
  return collection.items.map(({ key, value }) => ({
    from: spanOf(key).from,
    to: Math.max(spanOf(key).to, value ? spanOf(value).to : 0),
  }));
}

/** A node without the trailing comment and line ending. */
function spanOf({ range }: ParsedNode): Span {
  return { from: range[0], to: range[1] };
}

/** The whole lines of a member of a block collection. */
function linesOf(text: string, { from, to }: Span): Span {
  // A block scalar includes its final line ending.
  const endsWithNewline = to > from && text[to - 1] === '\n';
  return { from: lineStart(text, from), to: endsWithNewline ? to : nextLine(text, to) };
}
