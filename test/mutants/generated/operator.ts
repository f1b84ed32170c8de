import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseModule } from '../code-pattern.ts';
import type { Node } from '../code-pattern.ts';

/**
 * - `guard`: `if (…) throw/return/continue/break` never applies
 * - `throw`: any other `throw` is left out
 * - `call`: a statement that only calls `checkX()`, `requireX()` … is left out
 * - `operand`: one operand of `&&` or `||` no longer matters
 * - `equal`: a comparison for equality that a function returns is always true
 * - `boundary`: `<` is `<=`, `>=` is `>` …
 */
export type MutantKind = 'guard' | 'throw' | 'call' | 'operand' | 'equal' | 'boundary';

/** A mutant that removes one check, derived from the source. */
export interface GeneratedMutant {
  /** `file:function:kind:ordinal`: stable as long as the function has the same checks. */
  readonly name: string;
  /** Relative to the project. */
  readonly file: string;
  readonly folder: string;
  readonly kind: MutantKind;
  readonly line: number;
  readonly start: number;
  readonly end: number;
  /** See `instrument.ts`. */
  readonly change: Change;
}

export type Change =
  | { readonly kind: 'constant'; readonly value: boolean }
  | { readonly kind: 'omit' }
  | { readonly kind: 'compare'; readonly operator: string; readonly leftEnd: number; readonly rightStart: number };

/** Folders of `main/` with security checks. */
export const mutatedFolders = ['address', 'apps', 'engine', 'gateway', 'net', 'oauth', 'storage'] as const;

const root = join(import.meta.dirname, '../../..');
const checkNames = /^(?:assert|check|demand|ensure|forbid|must|refuse|require|validate|verify)(?:[A-Z]|$)/u;
const predicateNames =
  /^(?:are|can|did|does|has|have|is|may|must|should|was|were)[A-Z]|^(?:endsWith|every|has|includes|matches|some|startsWith|test)/u;
const swapped = new Set(['<', '<=', '>', '>=']);
const equality = new Set(['===', '!==']);

let everyMutant: readonly GeneratedMutant[] | undefined;

/** Mutants of all mutated folders, ordered by file. */
export function generateMutants(): readonly GeneratedMutant[] {
  return (everyMutant ??= mutatedFolders.flatMap((folder) =>
    globSync(`main/${folder}/**/*.ts`, { cwd: root })
      .sort()
      .flatMap((file) => mutantsOf(file, readFileSync(join(root, file), 'utf8'))),
  ));
}

export function mutantsOf(file: string, source: string): GeneratedMutant[] {
  const found: GeneratedMutant[] = [];
  const counts = new Map<string, number>();
  const folder = file.split('/')[1] ?? '';

  const add = (kind: MutantKind, { start, end }: Node, scopes: readonly string[], change: Change): void => {
    const prefix = `${file}:${scopes.join('.') || 'module'}:${kind}`;
    const ordinal = (counts.get(prefix) ?? 0) + 1;
    counts.set(prefix, ordinal);
    const line = source.slice(0, start).split('\n').length;
    found.push({ name: `${prefix}:${ordinal}`, file, folder, kind, line, start, end, change });
  };

  const walk = (node: Node, parent: Node | undefined, outer: readonly string[]): void => {
    const inner = nameOf(node, parent);
    const scopes = inner === undefined ? outer : [...outer, inner].slice(-2);
    if (isType(node) || isUnreachable(node)) return;
    switch (node.type) {
      case 'IfStatement':
        if (isGuard(node)) add('guard', child(node, 'test'), scopes, { kind: 'constant', value: false });
        break;
      case 'ThrowStatement':
        if (!isOnlyStatementOfGuard(node, parent, parents)) add('throw', node, scopes, { kind: 'omit' });
        break;
      case 'ExpressionStatement':
        if (checkNames.test(calleeOf(node))) add('call', node, scopes, { kind: 'omit' });
        break;
      case 'LogicalExpression':
        for (const operand of operandsOf(node, parent)) {
          add('operand', operand, scopes, { kind: 'constant', value: node['operator'] === '&&' });
        }
        break;
      case 'BinaryExpression':
        addComparison(node, parent, scopes);
        break;
    }
    parents.push(node);
    for (const part of Object.values(node)) {
      if (Array.isArray(part)) for (const each of part.filter(isNode)) walk(each, node, scopes);
      else if (isNode(part)) walk(part, node, scopes);
    }
    parents.pop();
  };

  const addComparison = (node: Node, parent: Node | undefined, scopes: readonly string[]): void => {
    const operator = String(node['operator']);
    if (swapped.has(operator) && parent?.type !== 'ForStatement') {
      const [leftEnd, rightStart] = operatorRange(source, node, operator);
      add('boundary', node, scopes, { kind: 'compare', operator, leftEnd, rightStart });
    } else if (equality.has(operator) && isResult(node, parent)) {
      add('equal', node, scopes, { kind: 'constant', value: true });
    }
  };

  const parents: Node[] = [];
  walk(parseModule(source), undefined, []);
  return found;
}

/**
 * Throwing INTERNAL only satisfies the compiler, and an error other than `PosternError` is a bug in Postern: no input
 * can reach either, so no test can.
 */
function isUnreachable(node: Node): boolean {
  const thrown = node.type === 'IfStatement' ? lastOf(child(node, 'consequent')) : node;
  if (thrown?.type !== 'ThrowStatement' || (node.type === 'IfStatement' && !isGuard(node))) return false;
  if (node.type === 'IfStatement' && isForeignErrorTest(child(node, 'test'))) return true;
  const { arguments: values } = child(thrown, 'argument') as { arguments?: unknown };
  return Array.isArray(values) && isNode(values[0]) && values[0]['value'] === 'INTERNAL';
}

/** `!(error instanceof PosternError)` */
function isForeignErrorTest(node: Node): boolean {
  if (node.type !== 'UnaryExpression' || node['operator'] !== '!') return false;
  const { operator, right } = child(node, 'argument') as { operator?: unknown; right?: Node };
  return operator === 'instanceof' && right?.['name'] === 'PosternError';
}

/** An `if` without `else` that leaves the block. */
function isGuard(node: Node): boolean {
  if (isNode(node['alternate'])) return false;
  const last = lastOf(child(node, 'consequent'));
  return ['ThrowStatement', 'ReturnStatement', 'ContinueStatement', 'BreakStatement'].includes(last?.type ?? '');
}

/** True if the `guard` mutant already covers this statement. */
function isOnlyStatementOfGuard(node: Node, parent: Node | undefined, parents: readonly Node[]): boolean {
  const branch = parent?.type === 'BlockStatement' ? parents.at(-2) : parent;
  const body = parent?.type === 'BlockStatement' ? parent : node;
  return (
    branch?.type === 'IfStatement' &&
    isGuard(branch) &&
    branch['consequent'] === body &&
    lastOf(body)?.start === node.start
  );
}

function lastOf(statement: Node): Node | undefined {
  return statement.type === 'BlockStatement' ? (statement['body'] as Node[]).at(-1) : statement;
}

/** Operands that are conditions themselves, not the default of `a || b`. */
function operandsOf(node: Node, parent: Node | undefined): Node[] {
  const operator = node['operator'];
  // `...(a !== undefined && { a })` is no check; it only omits a property.
  if (operator === '??' || parent?.type === 'SpreadElement') return [];
  const sides = [child(node, 'left'), child(node, 'right')];
  const isTest = parent !== undefined && parent['test'] === node;
  // `a && b && c` is `(a && b) && c`: its operands are a, b and c.
  return sides.filter(
    (side) =>
      !(side.type === 'LogicalExpression' && side['operator'] === operator) &&
      !isForeignErrorTest(side) &&
      (isTest || isCondition(side)),
  );
}

function isCondition(node: Node): boolean {
  if (node.type === 'BinaryExpression') {
    const operator = String(node['operator']);
    return swapped.has(operator) || equality.has(operator) || operator === 'in' || operator === 'instanceof';
  }
  if (node.type === 'UnaryExpression') return node['operator'] === '!';
  if (node.type === 'AwaitExpression') return isCondition(child(node, 'argument'));
  if (node.type === 'CallExpression') return predicateNames.test(nameOfCallee(child(node, 'callee')));
  return predicateNames.test(nameOfCallee(node));
}

/** True for the returned expression of a function. */
function isResult(node: Node, parent: Node | undefined): boolean {
  return parent?.type === 'ReturnStatement' || (parent?.type === 'ArrowFunctionExpression' && parent['body'] === node);
}

/** The function that a call statement calls, or ''. */
function calleeOf(statement: Node): string {
  let expression = child(statement, 'expression');
  while (expression.type === 'AwaitExpression' || expression.type === 'ChainExpression') {
    expression = child(expression, expression.type === 'AwaitExpression' ? 'argument' : 'expression');
  }
  return expression.type === 'CallExpression' ? nameOfCallee(child(expression, 'callee')) : '';
}

function nameOfCallee(node: Node): string {
  if (node.type === 'ChainExpression') return nameOfCallee(child(node, 'expression'));
  if (node.type === 'MemberExpression') return nameOfCallee(child(node, 'property'));
  return typeof node['name'] === 'string' ? node['name'] : '';
}

/** Parentheses may surround the operator. */
function operatorRange(source: string, node: Node, operator: string): [leftEnd: number, rightStart: number] {
  const { end } = child(node, 'left');
  const at = source.indexOf(operator, end);
  return [at, at + operator.length];
}

/** The name of the scope that this node opens, if it does. */
function nameOf(node: Node, parent: Node | undefined): string | undefined {
  const named = ['FunctionDeclaration', 'ClassDeclaration', 'MethodDefinition', 'PropertyDefinition', 'Property'];
  const isConstant = node.type === 'VariableDeclarator' && parent?.type === 'VariableDeclaration';
  if (!named.includes(node.type) && !isConstant) return undefined;
  if (node.type === 'Property' && !isFunction(node['value'])) return undefined;
  if (isConstant && !isFunction(node['init'])) return undefined;
  const id = node['id'] ?? node['key'];
  return isNode(id) && typeof id['name'] === 'string' ? id['name'] : undefined;
}

function isFunction(value: unknown): boolean {
  return isNode(value) && (value.type === 'ArrowFunctionExpression' || value.type === 'FunctionExpression');
}

function isType({ type }: Node): boolean {
  return type.startsWith('TS') && !['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression'].includes(type);
}

function child(node: Node, part: string): Node {
  return node[part] as Node;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}
