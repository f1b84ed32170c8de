import { parseSync } from 'vite';
import { visit } from '../mutants/code-pattern.ts';
import type { Node } from '../mutants/code-pattern.ts';

/** Every node of a module's syntax tree, without comments. `file` determines the language. */
export function syntaxNodes(file: string, source: string): readonly Node[] {
  const nodes: Node[] = [];
  visit(parseSync(file, source).program as unknown as Node, (node) => void nodes.push(node));
  return nodes;
}

/** True if a node is an identifier or string with one of these names. */
export function isWord(node: Node, words: readonly string[]): boolean {
  const word = node.type === 'Literal' ? node['value'] : /^(?:JSX)?Identifier$/u.test(node.type) && node['name'];
  return typeof word === 'string' && words.includes(word);
}

/** A call `object.method(…)` or `method(…)`: the called path and the number of arguments. */
export function calledPath(node: Node): { readonly path: string; readonly argumentCount: number } | undefined {
  if (node.type !== 'CallExpression') return undefined;
  return { path: pathOf(node['callee'] as Node), argumentCount: (node['arguments'] as readonly Node[]).length };
}

/** The path `a.b.c` of an expression; parts that are not names become `?`. */
export function pathOf(node: Node): string {
  if (node.type === 'ChainExpression') return pathOf(node['expression'] as Node);
  if (node.type === 'MemberExpression') {
    return `${pathOf(node['object'] as Node)}.${pathOf(node['property'] as Node)}`;
  }
  return node.type === 'Identifier' ? String(node['name']) : node.type === 'Literal' ? String(node['value']) : '?';
}
