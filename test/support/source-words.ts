import { parseSync } from 'vite';
import { visit } from '../mutants/code-pattern.ts';
import type { Node } from '../mutants/code-pattern.ts';

/** Every node of a module's syntax tree: comments are none. `file` tells the language. */
export function syntaxNodes(file: string, source: string): readonly Node[] {
  const nodes: Node[] = [];
  visit(parseSync(file, source).program as unknown as Node, (node) => void nodes.push(node));
  return nodes;
}

/** Whether a node is this name in code, or a string that is it. */
export function isWord(node: Node, words: readonly string[]): boolean {
  const word = node.type === 'Literal' ? node['value'] : /^(?:JSX)?Identifier$/u.test(node.type) && node['name'];
  return typeof word === 'string' && words.includes(word);
}

/** A call written `object.method(…)` or `method(…)`: the path that is called, and how many arguments it is given. */
export function calledPath(node: Node): { readonly path: string; readonly given: number } | undefined {
  if (node.type !== 'CallExpression') return undefined;
  return { path: pathOf(node['callee'] as Node), given: (node['arguments'] as readonly Node[]).length };
}

/** `a.b.c` of such an expression; what is no name in it is `?`. */
export function pathOf(node: Node): string {
  if (node.type === 'ChainExpression') return pathOf(node['expression'] as Node);
  if (node.type === 'MemberExpression') {
    return `${pathOf(node['object'] as Node)}.${pathOf(node['property'] as Node)}`;
  }
  return node.type === 'Identifier' ? String(node['name']) : node.type === 'Literal' ? String(node['value']) : '?';
}
