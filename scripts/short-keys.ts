import { parseAst } from 'vite';
import type { Plugin } from 'vite';
import { shortKey } from '../shared/sentence-key.ts';

/** The tables that have the German of a sentence by its English. */
const tables = /\/(?:german\/(?:advice|storage|waiting)|de\/service(?:-advice|-step)?)-words\.ts$/u;

const lookUp = /\/shared\/sentence-key\.ts$/u;

/** Gives those tables short keys, so that the pages do not hold the English of each sentence a second time. */
export function shortKeys(): Plugin {
  const sentences = new Map<string, string>();
  const keyOf = (sentence: string): string => {
    const key = shortKey(sentence);
    if ((sentences.get(key) ?? sentence) !== sentence) throw new Error(`two sentences have one key: ${sentence}`);
    sentences.set(key, sentence);
    return key;
  };
  return {
    name: 'short-keys',
    enforce: 'pre',
    transform: {
      filter: { id: [lookUp, tables] },
      handler(code, id) {
        if (lookUp.test(id)) return changed(code, code.replace('=> sentence;', '=> shortKey(sentence);'));
        const written = keysOf(code).reduceRight(
          (rest, { sentence, start, end }) => `${rest.slice(0, start)}'${keyOf(sentence)}'${rest.slice(end)}`,
          code,
        );
        return changed(code, written);
      },
    },
  };
}

function changed(from: string, to: string): { code: string; map: null } {
  if (from === to) throw new Error('nothing has a key here');
  return { code: to, map: null };
}

/** The keys of the objects that a module exports, as they are written, in their order. */
function keysOf(code: string): readonly { sentence: string; start: number; end: number }[] {
  const declared = parseAst(code, { lang: 'ts' }).body.flatMap((statement) =>
    statement.type === 'ExportNamedDeclaration' && statement.declaration?.type === 'VariableDeclaration'
      ? statement.declaration.declarations.map(({ init }) => (init?.type === 'TSAsExpression' ? init.expression : init))
      : [],
  );
  const properties = declared.flatMap((value) => (value?.type === 'ObjectExpression' ? value.properties : []));
  return properties.flatMap((property) => {
    if (property.type !== 'Property') return [];
    const { key } = property;
    if (key.type === 'Identifier') return [{ sentence: key.name, start: key.start, end: key.end }];
    if (key.type === 'Literal') return [{ sentence: String(key.value), start: key.start, end: key.end }];
    return [];
  });
}
