import { visit } from '../mutants/code-pattern.ts';
import type { Node } from '../mutants/code-pattern.ts';
import { pathOf, syntaxNodes } from './source-words.ts';

/** Element attributes that a user sees or hears. */
const visibleAttributes = new Set([
  'aria-label',
  'aria-description',
  'aria-roledescription',
  'alt',
  'label',
  'placeholder',
  'title',
]);
const letters = /\p{L}{2}/u;
/** Words that start with a capital, like a sentence or label; class and event names do not. */
const sentence = /^\p{Lu}[\p{L}’']* \S/u;

/** Hard-coded text for users in a module, which would stay untranslated. */
export function findSentences(file: string, source: string): readonly string[] {
  const nodes = syntaxNodes(file, source);
  // An internal error, whose text no user sees.
  const unseen = new Set(nodes.filter(({ type }) => type === 'ThrowStatement').flatMap(within));
  const found = nodes.flatMap((node) => {
    if (node.type === 'JSXText') return letters.test(String(node['value'])) ? [String(node['value']).trim()] : [];
    if (node.type === 'JSXAttribute') {
      const isSpoken = visibleAttributes.has(String((node['name'] as Node)['name']));
      const value = node['value'] as Node | null;
      return isSpoken && value?.type === 'Literal' && letters.test(String(value['value']))
        ? [String(value['value'])]
        : [];
    }
    const text = textOf(node);
    return text !== undefined && sentence.test(text) && !unseen.has(node) ? [text] : [];
  });
  return [...new Set(found)];
}

/** Uses of an error's English text; the window shows `words.errors.message` instead. */
export function findEnglishOfErrors(file: string, source: string): readonly string[] {
  const nodes = syntaxNodes(file, source);
  // Comparing two messages shows neither.
  const compared = new Set(nodes.filter(isComparison).flatMap(within));
  return nodes
    .filter((node) => node.type === 'MemberExpression' && !compared.has(node))
    .map(pathOf)
    .filter((path) => /(?:^|\.)(?:error|failure|fault|trouble|notice)\.message$/u.test(path));
}

const isComparison = ({ type, operator }: Node): boolean =>
  type === 'BinaryExpression' && ['===', '!==', '==', '!='].includes(String(operator));

function textOf(node: Node): string | undefined {
  if (node.type === 'Literal' && typeof node['value'] === 'string') return node['value'];
  if (node.type !== 'TemplateElement') return undefined;
  return (node['value'] as { readonly cooked?: string }).cooked;
}

function within(node: Node): readonly Node[] {
  const nodes: Node[] = [];
  visit(node, (each) => void nodes.push(each));
  return nodes;
}
