import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { apps } from '../../main/apps/table/apps.ts';
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

/** Code spans and code blocks, line by line. */
function codeIn(text: string): readonly string[] {
  const blocks = [...text.matchAll(/^ *```\w*\n([\s\S]*?)^ *```$/gmu)].flatMap(([, block = '']) => block.split('\n'));
  const spans = [...text.replaceAll(/^ *```[\s\S]*?^ *```$/gmu, '').matchAll(/`([^`\n]+)`/gu)].map(
    ([, code = '']) => code,
  );
  return [...blocks, ...spans].map((line) => line.trim());
}

/** Heading anchors as GitHub and most others generate them. */
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

  it('has no broken links', () => {
    const broken = [...text.matchAll(/\]\((?!https?:)([^)\s]*)\)/gu)].flatMap(([, target = '']) => {
      const [path = '', anchor] = target.split('#');
      const linked = path === '' ? file : join(dirname(file), path);
      if (!existsSync(join(root, linked))) return [target];
      return anchor === undefined || anchorsOf(read(linked)).includes(anchor) ? [] : [target];
    });
    expect(broken).toEqual([]);
  });

  it('names only files and folders that exist', () => {
    const paths = code.filter((words) =>
      /^(?:main|shared|renderer|preload|pipe|scripts|test|docs|packaging|bin)\/[\w./-]*$/u.test(words),
    );
    // SECURITY.md names tests relative to their folder.
    expect(paths.filter((path) => !existsSync(join(root, path)) && !existsSync(join(root, 'test', path)))).toEqual([]);
    const modules = code.filter((words) => /^(?:[\w.-]+\/)*[\w.-]+\.tsx?$/u.test(words));
    expect(modules.filter((module) => !sources.some((source) => `/${source}`.endsWith(`/${module}`)))).toEqual([]);
  });

  it('shows only project commands that exist', () => {
    const run = code.flatMap((line) => [...line.matchAll(/\bnpm run ([a-z][a-z:-]*)/gu)].map(([, name = '']) => name));
    expect(run.filter((name) => !(name in scripts))).toEqual([]);
    const started = code.flatMap((line) =>
      [...line.matchAll(/\bnode (?:--\S+ )*([a-z][\w/-]*\.[jt]s)\b/gu)].map(([, name = '']) => name),
    );
    expect(started.filter((name) => !existsSync(join(root, name)))).toEqual([]);
  });

  it('shows only Postern commands that exist, with options that they accept', () => {
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

describe('docs/each-app.md', () => {
  const text = read('docs/each-app.md');
  const sections = text.split(/^## /mu).slice(1);

  it.each(apps.map((app) => [app.id, app] as const))('matches the table for %s', (id, app) => {
    const section = sections.find((each) => each.includes(`postern use Notes ${id}\n`));
    // A variant is listed with the app that it resembles.
    if (!section) return expect(text).toContain(`\`${id}\``);
    const code = codeIn(section);
    const files = Object.values(app.files).flatMap((places) => places.map(({ path }) => path));
    expect(code).toEqual(expect.arrayContaining(files.map((path) => path.replace(/\{\w+\|([^}]*)\}/u, '$1'))));
    const members = [app.stdio, app.http ?? {}].flatMap((shape) => Object.keys(shape));
    expect(code).toEqual(expect.arrayContaining(members.filter((name) => name !== 'name')));
    expect(code.includes('--http')).toBe(app.http !== undefined || section.includes('refused'));
    expect(section.trim().split('\n').length).toBeLessThanOrEqual(10);
  });
});
