import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';

export interface TestTitle {
  /** Below `test/`. */
  readonly file: string;
  readonly title: string;
}

/** Names that declare tests and groups, directly or as `it.each(…)(…)`. */
const declarers = new Set(['it', 'test', 'describe', 'property']);

interface Node {
  readonly type: string;
  readonly [name: string]: unknown;
}

const folder = join(import.meta.dirname, '..');

/** Every title in the test tree, as written, including `%s` and `${…}`. Skipped ones are excluded. */
export function readTestTitles(): readonly TestTitle[] {
  return globSync('**/*.test.ts', { cwd: folder })
    .map((file) => file.replaceAll('\\', '/'))
    .toSorted()
    .flatMap((file) => {
      const source = readFileSync(join(folder, file), 'utf8');
      const titles: TestTitle[] = [];
      visit(parseSync(file, source).program, (node) => {
        if (node.type !== 'CallExpression' || !declares(node['callee'] as Node)) return;
        const [first] = node['arguments'] as { type: string; start: number; end: number }[];
        if (first?.type !== 'Literal' && first?.type !== 'TemplateLiteral') return;
        titles.push({ file, title: source.slice(first.start + 1, first.end - 1) });
      });
      return titles;
    });
}

function declares(callee: Node): boolean {
  switch (callee.type) {
    case 'Identifier':
      return declarers.has(String(callee['name']));
    case 'MemberExpression': {
      const { name } = callee['property'] as { name?: string };
      return name !== 'skip' && name !== 'todo' && declares(callee['object'] as Node);
    }
    case 'CallExpression':
      return declares(callee['callee'] as Node);
    default:
      return false;
  }
}

function visit(node: unknown, see: (node: Node) => void): void {
  if (Array.isArray(node)) for (const one of node) visit(one, see);
  else if (typeof node === 'object' && node !== null) {
    if ('type' in node) see(node as Node);
    for (const value of Object.values(node)) visit(value, see);
  }
}
