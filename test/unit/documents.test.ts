import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { programs } from '../../main/apps/table/table.ts';
import { commandAt } from '../../main/cli/options/command-spec.ts';
import type { OptionName } from '../../main/cli/options/option-specs.ts';
import { commandTable } from '../../main/cli/table/command-table.ts';

const root = join(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const documents = globSync(['*.md', 'docs/**/*.md', 'test/*/README.md', '.github/**/*.md'], { cwd: root }).toSorted();
const sources = globSync('{main,preload,renderer,scripts,shared,test}/**/*.{ts,tsx}', { cwd: root }).concat(
  globSync('*.ts', { cwd: root }),
);
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };

/** What stands in backticks or in a block of code, line by line. */
function codeIn(text: string): readonly string[] {
  const blocks = [...text.matchAll(/^ *```\w*\n([\s\S]*?)^ *```$/gmu)].flatMap(([, block = '']) => block.split('\n'));
  const spans = [...text.replaceAll(/^ *```[\s\S]*?^ *```$/gmu, '').matchAll(/`([^`\n]+)`/gu)].map(
    ([, code = '']) => code,
  );
  return [...blocks, ...spans].map((line) => line.trim());
}

/** As GitHub and most others make the anchor of a heading. */
const anchorsOf = (text: string): readonly string[] =>
  [...text.matchAll(/^#+ (.+)$/gmu)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

describe.each(documents)('%s', (file) => {
  const text = read(file);
  const code = codeIn(text);

  it('links to what is there', () => {
    const broken = [...text.matchAll(/\]\((?!https?:)([^)\s]*)\)/gu)].flatMap(([, target = '']) => {
      const [path = '', anchor] = target.split('#');
      const linked = path === '' ? file : join(dirname(file), path);
      if (!existsSync(join(root, linked))) return [target];
      return anchor === undefined || anchorsOf(read(linked)).includes(anchor) ? [] : [target];
    });
    expect(broken).toEqual([]);
  });

  it('names files and folders of the project that are there', () => {
    const paths = code.filter((words) =>
      /^(?:main|shared|renderer|preload|pipe|scripts|test|docs|packaging|bin)\/[\w./-]*$/u.test(words),
    );
    // SECURITY.md names tests from their own folder on.
    expect(paths.filter((path) => !existsSync(join(root, path)) && !existsSync(join(root, 'test', path)))).toEqual([]);
    const modules = code.filter((words) => /^(?:[\w.-]+\/)*[\w.-]+\.tsx?$/u.test(words));
    expect(modules.filter((module) => !sources.some((source) => `/${source}`.endsWith(`/${module}`)))).toEqual([]);
  });

  it('shows commands of the project that there are', () => {
    const run = code.flatMap((line) => [...line.matchAll(/\bnpm run ([a-z][a-z:-]*)/gu)].map(([, name = '']) => name));
    expect(run.filter((name) => !(name in scripts))).toEqual([]);
    const started = code.flatMap((line) =>
      [...line.matchAll(/\bnode (?:--\S+ )*([a-z][\w/-]*\.[jt]s)\b/gu)].map(([, name = '']) => name),
    );
    expect(started.filter((name) => !existsSync(join(root, name)))).toEqual([]);
  });

  it('shows commands of Postern that there are, with options that they take', () => {
    const wrong = code.flatMap((line) => {
      const [, name = '', rest = ''] = /^(?:npx )?postern ([a-z][a-z-]*)([^|;&#]*)/u.exec(line) ?? [];
      if (name === '') return [];
      const command = commandAt(commandTable, [name, ...rest.trim().split(/\s+/u)]);
      if (command === undefined) return commandTable.firstWords.includes(name) && rest.trim() === '' ? [] : [line];
      const taken: readonly OptionName[] = [...commandTable.specs[command].options, 'json', 'help'];
      const options = [...rest.matchAll(/(?<=\s)--([a-z][a-z-]*)/gu)].map(([, option = '']) => option);
      return options.every((option) => taken.some((known) => known === option)) ? [] : [line];
    });
    expect(wrong).toEqual([]);
  });
});

describe('docs/each-program.md', () => {
  const text = read('docs/each-program.md');
  const sections = text.split(/^## /mu).slice(1);

  it.each(programs.map((program) => [program.id, program] as const))('has %s as the table has it', (id, program) => {
    const section = sections.find((each) => each.includes(`postern use Notes ${id}\n`));
    // One of a family is named with the one that it is like.
    if (!section) return expect(text).toContain(`\`${id}\``);
    const code = codeIn(section);
    const files = Object.values(program.files).flatMap((places) => places.map(({ path }) => path));
    expect(code).toEqual(expect.arrayContaining(files.map((path) => path.replace(/\{\w+\|([^}]*)\}/u, '$1'))));
    const members = [program.stdio, program.http ?? {}].flatMap((shape) => Object.keys(shape));
    expect(code).toEqual(expect.arrayContaining(members.filter((name) => name !== 'name')));
    expect(code.includes('--http')).toBe(program.http !== undefined || section.includes('refused'));
    expect(section.trim().split('\n').length).toBeLessThanOrEqual(10);
  });
});
