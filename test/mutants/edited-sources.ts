import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { declarationsOf, findPattern, importsOf, parseModule } from './code-pattern.ts';
import type { Node, Place } from './code-pattern.ts';

/** Code that is exchanged. It is found by what it does, so that it may be moved, and its variables renamed. */
export interface Edit {
  /**
   * A declaration at the top of a module. Code that is not in it is looked for in its module, then in those that the
   * module imports, since the same lines elsewhere are another check. Empty: all of `main/`, `shared/` and `pipe/`.
   */
  readonly in: string;
  /** The code, as a pattern: see `findPattern`. It must stand there exactly once. */
  readonly find: string;
  /** What comes in its place, with the pattern's holes. Nothing: it is taken out. */
  readonly replace: string;
}

interface Source {
  readonly file: string;
  readonly text: string;
  readonly module: Node;
}

interface Found {
  readonly source: Source;
  readonly place: Place;
}

const root = join(import.meta.dirname, '../..');
let app: readonly Source[] | undefined;

/**
 * Sources of `main/`, `shared/` and the pipe for Node with the edits made, by their whole path. Throws when one of them
 * does not fit.
 */
export function editedSources(edits: readonly Edit[]): ReadonlyMap<string, string> {
  const found = edits.map((edit) => ({ edit, ...locate(edit) }));
  const sources = new Map<string, string>();
  for (const { source } of found) {
    const here = found
      .filter((each) => each.source === source)
      .sort((one, other) => other.place.start - one.place.start);
    const text = here.reduce((whole, { edit, place }) => makeEdit(whole, edit, place), source.text);
    try {
      parseModule(text);
    } catch (error) {
      throw new Error(`no TypeScript is left of ${source.file} after ${here.map(({ edit }) => edit.find).join(' ')}`, {
        cause: error,
      });
    }
    sources.set(source.file, text);
  }
  return sources;
}

function locate({ in: name, find }: Edit): Found {
  const sources = (app ??= readApp());
  const search = (some: readonly Source[], parts = (source: Source): readonly Node[] => [source.module]): Found[] =>
    some.flatMap((source) =>
      parts(source).flatMap((part) => findPattern(find, part, source.text).map((place) => ({ source, place }))),
    );
  const declared = ({ module }: Source): readonly Node[] => declarationsOf(module, name);
  const own = name === '' ? sources : sources.filter((source) => declared(source).length > 0);
  const isNear = ({ file }: Source): boolean => own.some((one) => imports(one, file));
  const tries = [() => search(own, declared), () => search(own), () => search(sources.filter(isNear))];
  const found = tries.reduce<Found[]>((before, next) => (before.length > 0 ? before : next()), []);
  const [only] = found;
  if (only && found.length === 1) return only;
  const files = found.map(({ source }) => source.file).join(', ');
  throw new Error(`stands ${found.length} times, not once, where ${name} is declared: ${find} ${files}`);
}

function imports({ file, module }: Source, other: string): boolean {
  return importsOf(module).some((specifier) => join(dirname(file), specifier) === other);
}

function makeEdit(text: string, { replace }: Edit, { start, end, kind, holes }: Place): string {
  const filled = replace.replaceAll(/(\$+\w*)(;?)/g, (hole, name: string, semicolon: string) => {
    const content = holes.get(name);
    // What a statement is ends with one already.
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
