import { parseSync } from 'vite';

/** An ESTree node. */
export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [part: string]: unknown;
}

/** A match of a pattern in a source; `holes` maps each hole to the text it matched. */
export interface PatternMatch {
  readonly start: number;
  readonly end: number;
  readonly kind: Kind;
  readonly holes: ReadonlyMap<string, string>;
}

type Kind = 'code' | 'statements' | 'element';

interface Pattern {
  readonly kind: Kind;
  readonly nodes: readonly Node[];
}

/** Parts that do not change what code does. */
const ignoredParts = new Set([
  'start',
  'end',
  'raw',
  'range',
  'shorthand',
  'typeAnnotation',
  'returnType',
  'decorators',
]);

/** The syntax tree of a module. Throws when it is not TypeScript. */
export function parseModule(source: string): Node {
  const { program, errors } = parse(source);
  if (errors.length > 0) throw new Error(errors[0]?.message);
  return program;
}

/**
 * Finds every match of a pattern in a module. A pattern is TypeScript: an expression, one or more statements, a
 * property, a `case` or a class member. A hole `$name` matches anything, the same text each time; `$` matches anything.
 */
export function findPattern(pattern: string, module: Node, source: string): PatternMatch[] {
  const { kind, nodes } = parsePattern(pattern);
  const [first] = nodes;
  if (first === undefined) return [];
  const matches: PatternMatch[] = [];
  const tryMatch = (candidates: readonly Node[]): void => {
    const holes = new Map<string, string>();
    const last = candidates.at(-1);
    // The only statement of a block is visited separately.
    if (last === undefined || (last.type === 'BlockStatement' && first.type !== last.type)) return;
    if (!nodes.every((node, index) => matchesNode(node, candidates[index], source, holes))) return;
    matches.push({ start: candidates[0]?.start ?? 0, end: last.end, kind, holes });
  };
  visit(module, (node, list, index) =>
    tryMatch(list && nodes.length > 1 ? list.slice(index, index + nodes.length) : [node]),
  );
  return matches;
}

/** Top-level declarations of `name`, exported or not. */
export function declarationsOf(module: Node, name: string): Node[] {
  return (module['body'] as Node[]).flatMap((statement) => {
    const declared = statement.type.startsWith('Export') ? statement['declaration'] : statement;
    if (!isNode(declared)) return [];
    const each = (declared['declarations'] as Node[] | undefined) ?? [declared];
    return each.filter(({ id }) => isNode(id) && id['name'] === name);
  });
}

/** Specifiers of a module's imports and re-exports. */
export function importsOf(module: Node): string[] {
  return (module['body'] as Node[]).flatMap(({ source }) =>
    isNode(source) && typeof source['value'] === 'string' ? [source['value']] : [],
  );
}

/** Calls back for `node` and every node below it, with the list that contains it. */
export function visit(
  node: Node,
  callback: (node: Node, list: readonly Node[] | undefined, index: number) => void,
  list?: readonly Node[],
  index = 0,
): void {
  callback(node, list, index);
  for (const part of Object.values(node)) {
    if (Array.isArray(part)) {
      const nodes = part.filter(isNode);
      for (const [at, each] of nodes.entries()) visit(each, callback, nodes, at);
    } else if (isNode(part)) visit(part, callback);
  }
}

const parsedPatterns = new Map<string, Pattern>();

function parsePattern(text: string): Pattern {
  const known = parsedPatterns.get(text);
  if (known) return known;
  const contexts: readonly (readonly [before: string, after: string, kind: Kind, way: readonly string[]])[] = [
    ['async () => (', ')', 'code', ['expression', 'body']],
    ['async () => {', '}', 'statements', ['expression', 'body', 'body']],
    ['({', '})', 'element', ['expression', 'properties']],
    ['async () => { switch (0) {', '} }', 'element', ['expression', 'body', 'body', '0', 'cases']],
    ['class A {', '}', 'element', ['body', 'body']],
  ];
  for (const [before, after, kind, path] of contexts) {
    const { program, errors } = parse(`${before}\n${text}\n${after}`);
    const [statement] = program['body'] as Node[];
    if (errors.length > 0 || statement === undefined) continue;
    const found = path.reduce<unknown>((node, part) => (node as Node)[part], statement);
    const nodes = Array.isArray(found) ? found.filter(isNode) : [found as Node];
    // A lone property parses as a labeled statement, and a class method as an object method.
    if (nodes.length > 0 && nodes.every(({ type, method }) => type !== 'LabeledStatement' && method !== true)) {
      parsedPatterns.set(text, { kind, nodes });
      return { kind, nodes };
    }
  }
  throw new Error(`not TypeScript: ${text}`);
}

function matchesNode(pattern: Node, node: Node | undefined, source: string, holes: Map<string, string>): boolean {
  if (node === undefined) return false;
  const hole = holeOf(pattern);
  if (hole !== undefined) {
    const text = source.slice(node.start, node.end);
    if (hole === '$') return true;
    if (holes.has(hole)) return holes.get(hole) === text;
    holes.set(hole, text);
    return true;
  }
  const [expected, found] = [withoutBraces(pattern), withoutBraces(node)];
  if (expected.type !== found.type) return false;
  if (expected.type === 'Literal' && 'regex' in expected) return expected['raw'] === found['raw'];
  return Object.keys(expected)
    .filter((part) => !ignoredParts.has(part))
    .every((part) => matchesPart(expected[part], found[part], source, holes));
}

function matchesPart(pattern: unknown, part: unknown, source: string, holes: Map<string, string>): boolean {
  if (Array.isArray(pattern)) return Array.isArray(part) && matchesList(pattern, part, source, holes);
  if (isNode(pattern)) return isNode(part) && matchesNode(pattern, part, source, holes);
  if (typeof pattern === 'object' && pattern !== null) return JSON.stringify(pattern) === JSON.stringify(part);
  return pattern === part;
}

/** `$$name`, at most once in a list, matches any number of elements. */
function matchesList(pattern: unknown[], list: unknown[], source: string, holes: Map<string, string>): boolean {
  const rest = pattern.findIndex((each) => isNode(each) && holeOf(each)?.startsWith('$$') === true);
  if (rest < 0) {
    return (
      pattern.length === list.length && pattern.every((each, index) => matchesPart(each, list[index], source, holes))
    );
  }
  const after = pattern.length - rest - 1;
  const matched = list.slice(rest, list.length - after).filter(isNode);
  const [first, last] = [matched[0], matched.at(-1)];
  holes.set(holeOf(pattern[rest] as Node) ?? '', first && last ? source.slice(first.start, last.end) : '');
  return (
    list.length >= rest + after &&
    matchesList(pattern.slice(0, rest), list.slice(0, rest), source, holes) &&
    matchesList(pattern.slice(rest + 1), list.slice(list.length - after), source, holes)
  );
}

function holeOf(pattern: Node): string | undefined {
  if (pattern.type === 'ExpressionStatement') return holeOf(pattern['expression'] as Node);
  if (pattern.type === 'Property' && pattern['shorthand'] === true) return holeOf(pattern['value'] as Node);
  const name = pattern['name'];
  return pattern.type === 'Identifier' && typeof name === 'string' && name.startsWith('$') ? name : undefined;
}

/** Makes `if (a) { b; }` equal `if (a) b;`. */
function withoutBraces(node: Node): Node {
  if (node.type !== 'BlockStatement') return node;
  const [only, ...others] = node['body'] as Node[];
  return only && others.length === 0 && !only.type.endsWith('Declaration') ? only : node;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}

function parse(source: string): { program: Node; errors: readonly { message: string }[] } {
  const { program, errors } = parseSync('module.ts', source, {
    lang: 'ts',
    sourceType: 'module',
    preserveParens: false,
  });
  return { program: program as unknown as Node, errors };
}
