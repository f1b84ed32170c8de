import { parseSync } from 'vite';

/** A node of the syntax tree, as far as a pattern looks at it. */
export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [part: string]: unknown;
}

/** Where a pattern stands: a piece of a source, and what stands there for its holes, by name. */
export interface Place {
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

/** Says nothing about what code does. */
const formal = new Set(['start', 'end', 'raw', 'range', 'shorthand', 'typeAnnotation', 'returnType', 'decorators']);

/** The syntax tree of a module. Throws when it is not TypeScript. */
export function parseModule(source: string): Node {
  const { program, errors } = parse(source);
  if (errors.length > 0) throw new Error(errors[0]?.message);
  return program;
}

/**
 * The places in a module where a pattern stands. A pattern is an expression, one or more statements, a property, a
 * `case` or a member of a class, in TypeScript. `$name` in it is a hole for anything, the same
 * name for the same thing; `$` alone for whatever it is.
 */
export function findPattern(pattern: string, module: Node, source: string): Place[] {
  const { kind, nodes } = parsePattern(pattern);
  const [first] = nodes;
  if (first === undefined) return [];
  const places: Place[] = [];
  const look = (candidates: readonly Node[]): void => {
    const holes = new Map<string, string>();
    const last = candidates.at(-1);
    // What stands alone in a block is found on its own.
    if (last === undefined || (last.type === 'BlockStatement' && first.type !== last.type)) return;
    if (!nodes.every((node, index) => fits(node, candidates[index], source, holes))) return;
    places.push({ start: candidates[0]?.start ?? 0, end: last.end, kind, holes });
  };
  visit(module, (node, list, index) =>
    look(list && nodes.length > 1 ? list.slice(index, index + nodes.length) : [node]),
  );
  return places;
}

/** The declarations of `name` at the top of a module, exported or not. */
export function declarationsOf(module: Node, name: string): Node[] {
  return (module['body'] as Node[]).flatMap((statement) => {
    const declared = statement.type.startsWith('Export') ? statement['declaration'] : statement;
    if (!isNode(declared)) return [];
    const each = (declared['declarations'] as Node[] | undefined) ?? [declared];
    return each.filter(({ id }) => isNode(id) && id['name'] === name);
  });
}

/** What a module imports or exports on, as it is written there. */
export function importsOf(module: Node): string[] {
  return (module['body'] as Node[]).flatMap(({ source }) =>
    isNode(source) && typeof source['value'] === 'string' ? [source['value']] : [],
  );
}

/** Every node below `node` and itself, with the list that it stands in. */
export function visit(
  node: Node,
  tell: (node: Node, list: readonly Node[] | undefined, index: number) => void,
  list?: readonly Node[],
  index = 0,
): void {
  tell(node, list, index);
  for (const part of Object.values(node)) {
    if (Array.isArray(part)) {
      const nodes = part.filter(isNode);
      for (const [at, each] of nodes.entries()) visit(each, tell, nodes, at);
    } else if (isNode(part)) visit(part, tell);
  }
}

const parsedPatterns = new Map<string, Pattern>();

function parsePattern(text: string): Pattern {
  const known = parsedPatterns.get(text);
  if (known) return known;
  const readings: readonly (readonly [before: string, after: string, kind: Kind, way: readonly string[]])[] = [
    ['async () => (', ')', 'code', ['expression', 'body']],
    ['async () => {', '}', 'statements', ['expression', 'body', 'body']],
    ['({', '})', 'element', ['expression', 'properties']],
    ['async () => { switch (0) {', '} }', 'element', ['expression', 'body', 'body', '0', 'cases']],
    ['class A {', '}', 'element', ['body', 'body']],
  ];
  for (const [before, after, kind, way] of readings) {
    const { program, errors } = parse(`${before}\n${text}\n${after}`);
    const [statement] = program['body'] as Node[];
    if (errors.length > 0 || statement === undefined) continue;
    const found = way.reduce<unknown>((node, part) => (node as Node)[part], statement);
    const nodes = Array.isArray(found) ? found.filter(isNode) : [found as Node];
    // A property alone reads as a statement with a label, a method of a class as one of an object.
    if (nodes.length > 0 && nodes.every(({ type, method }) => type !== 'LabeledStatement' && method !== true)) {
      parsedPatterns.set(text, { kind, nodes });
      return { kind, nodes };
    }
  }
  throw new Error(`no TypeScript: ${text}`);
}

function fits(pattern: Node, node: Node | undefined, source: string, holes: Map<string, string>): boolean {
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
    .filter((part) => !formal.has(part))
    .every((part) => partFits(expected[part], found[part], source, holes));
}

function partFits(pattern: unknown, part: unknown, source: string, holes: Map<string, string>): boolean {
  if (Array.isArray(pattern)) return Array.isArray(part) && listFits(pattern, part, source, holes);
  if (isNode(pattern)) return isNode(part) && fits(pattern, part, source, holes);
  if (typeof pattern === 'object' && pattern !== null) return JSON.stringify(pattern) === JSON.stringify(part);
  return pattern === part;
}

/** `$$name` in a list of the pattern is for any number of elements, once in a list. */
function listFits(pattern: unknown[], list: unknown[], source: string, holes: Map<string, string>): boolean {
  const rest = pattern.findIndex((each) => isNode(each) && holeOf(each)?.startsWith('$$') === true);
  if (rest < 0) {
    return pattern.length === list.length && pattern.every((each, index) => partFits(each, list[index], source, holes));
  }
  const after = pattern.length - rest - 1;
  const taken = list.slice(rest, list.length - after).filter(isNode);
  const [first, last] = [taken[0], taken.at(-1)];
  holes.set(holeOf(pattern[rest] as Node) ?? '', first && last ? source.slice(first.start, last.end) : '');
  return (
    list.length >= rest + after &&
    listFits(pattern.slice(0, rest), list.slice(0, rest), source, holes) &&
    listFits(pattern.slice(rest + 1), list.slice(list.length - after), source, holes)
  );
}

function holeOf(pattern: Node): string | undefined {
  if (pattern.type === 'ExpressionStatement') return holeOf(pattern['expression'] as Node);
  if (pattern.type === 'Property' && pattern['shorthand'] === true) return holeOf(pattern['value'] as Node);
  const name = pattern['name'];
  return pattern.type === 'Identifier' && typeof name === 'string' && name.startsWith('$') ? name : undefined;
}

/** `if (a) { b; }` is `if (a) b;`. */
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
