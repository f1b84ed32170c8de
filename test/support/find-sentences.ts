import { visit } from '../mutants/code-pattern.ts';
import type { Node } from '../mutants/code-pattern.ts';
import { pathOf, syntaxNodes } from './source-words.ts';

/** Attributes of an element that a person sees or hears. */
const spoken = new Set([
  'aria-label',
  'aria-description',
  'aria-roledescription',
  'alt',
  'label',
  'placeholder',
  'title',
]);
const letters = /\p{L}{2}/u;
/** Words with a capital in front, as a sentence or a label has it; names of classes and events have none. */
const sentence = /^\p{Lu}[\p{L}’']* \S/u;

/** What a module says to a person in its own words, which would stay in one language. */
export function findSentences(file: string, source: string): readonly string[] {
  const nodes = syntaxNodes(file, source);
  // A fault of the program itself: nobody is shown its text.
  const unseen = new Set(nodes.filter(({ type }) => type === 'ThrowStatement').flatMap(within));
  const found = nodes.flatMap((node) => {
    if (node.type === 'JSXText') return letters.test(String(node['value'])) ? [String(node['value']).trim()] : [];
    if (node.type === 'JSXAttribute') {
      const isSpoken = spoken.has(String((node['name'] as Node)['name']));
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

/** Reads of an error's English, which `words.errors.message` says in the language of the window. */
export function findEnglishOfErrors(file: string, source: string): readonly string[] {
  const nodes = syntaxNodes(file, source);
  // To compare two of them is to say neither.
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
