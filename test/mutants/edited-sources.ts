import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { declarationsOf, findPattern, importsOf, parseModule } from './code-pattern.ts';
import type { Node, PatternMatch } from './code-pattern.ts';

/** A code replacement, found by a pattern that survives moved code and renamed variables. */
export interface Edit {
  /**
   * A top-level declaration to search; then its module, then the modules which that one imports. The same lines
   * elsewhere are another check. Empty: all of `main/`, `shared/` and `pipe/`.
   */
  readonly in: string;
  /** A pattern for `findPattern` with exactly one match. */
  readonly find: string;
  /** May use the pattern's holes. Empty: the code is deleted. */
  readonly replace: string;
}

interface Source {
  readonly file: string;
  readonly text: string;
  readonly module: Node;
}

interface SourceMatch {
  readonly source: Source;
  readonly match: PatternMatch;
}

const root = join(import.meta.dirname, '../..');
let app: readonly Source[] | undefined;

/**
 * Edited sources of `main/`, `shared/` and the pipe for Node, by absolute path. Throws if an edit does not match
 * exactly once.
 */
export function editedSources(edits: readonly Edit[]): ReadonlyMap<string, string> {
  const found = edits.map((edit) => ({ edit, ...locate(edit) }));
  const sources = new Map<string, string>();
  for (const { source } of found) {
    const own = found
      .filter((each) => each.source === source)
      .sort((one, other) => other.match.start - one.match.start);
    const text = own.reduce((whole, { edit, match }) => makeEdit(whole, edit, match), source.text);
    try {
      parseModule(text);
    } catch (error) {
      throw new Error(`${source.file} is not TypeScript after ${own.map(({ edit }) => edit.find).join(' ')}`, {
        cause: error,
      });
    }
    sources.set(source.file, text);
  }
  return sources;
}

function locate({ in: name, find }: Edit): SourceMatch {
  const sources = (app ??= readApp());
  const search = (
    some: readonly Source[],
    parts = (source: Source): readonly Node[] => [source.module],
  ): SourceMatch[] =>
    some.flatMap((source) =>
      parts(source).flatMap((part) => findPattern(find, part, source.text).map((match) => ({ source, match }))),
    );
  const declared = ({ module }: Source): readonly Node[] => declarationsOf(module, name);
  const own = name === '' ? sources : sources.filter((source) => declared(source).length > 0);
  const isNear = ({ file }: Source): boolean => own.some((one) => imports(one, file));
  const searches = [() => search(own, declared), () => search(own), () => search(sources.filter(isNear))];
  const found = searches.reduce<SourceMatch[]>((before, next) => (before.length > 0 ? before : next()), []);
  const [only] = found;
  if (only && found.length === 1) return only;
  const files = found.map(({ source }) => source.file).join(', ');
  throw new Error(`found ${found.length} times instead of once near ${name}: ${find} ${files}`);
}

function imports({ file, module }: Source, other: string): boolean {
  return importsOf(module).some((specifier) => join(dirname(file), specifier) === other);
}

function makeEdit(text: string, { replace }: Edit, { start, end, kind, holes }: PatternMatch): string {
  const filled = replace.replaceAll(/(\$+\w*)(;?)/g, (hole, name: string, semicolon: string) => {
    const content = holes.get(name);
    // A matched statement already ends with a semicolon.
    return content === undefined ? hole : `${content}${/[;}]$/.test(content) ? '' : semicolon}`;
  });
  const rest = text.slice(end);
  if (replace !== '') return text.slice(0, start) + filled + rest;
  return text.slice(0, start) + (kind === 'element' ? rest.replace(/^\s*,/, '') : `;${rest}`);
}

function readApp(): Source[] {
  return globSync(['main/**/*.ts', 'shared/**/*.ts', 'pipe/*.js'], { cwd: root }).map((name) => {
    const file = join(root, name);
    const text = readFileSync(file, 'utf8');
    return { file, text, module: parseModule(text) };
  });
}
