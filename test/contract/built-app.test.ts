import { globSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { parseSync } from 'vite';
import { describe, expect, it } from 'vitest';
import { errorCauses } from '../../scripts/cli-docs/error-guide.ts';
import { describeError } from '../../shared/error-codes.ts';

const folder = join(import.meta.dirname, '../../dist/cli');
const read = (file: string): string => readFileSync(join(folder, file), 'utf8');
const files = globSync('*.js', { cwd: folder });

const importsOf = (file: string): readonly string[] => {
  const source = read(file);
  const { staticImports, dynamicImports } = parseSync(file, source).module;
  return [
    ...staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...dynamicImports.map(({ moduleRequest }) => source.slice(moduleRequest.start + 1, moduleRequest.end - 1)),
  ];
};

describe('the built app', () => {
  it('needs only Node and keytar at run time', () => {
    const known = new Set([
      'keytar',
      ...builtinModules,
      ...builtinModules.map((name) => `node:${name}`),
      'node:sqlite',
    ]);
    const foreignImports = files.flatMap((file) =>
      importsOf(file)
        .filter((target) => !target.startsWith('./') && !known.has(target))
        .map((target) => `${file} → ${target}`),
    );
    expect(foreignImports).toEqual([]);
  });

  it('never requires electron, which would try to download itself in plain Node', () => {
    // Its name may appear, for example with a version.
    const asking = /\b(?:from|import|require)\s*\(?\s*["'`]electron(?:\/\w+)?["'`]/;
    expect(asking.test('import { app } from "electron";') && asking.test("import('electron/main')")).toBe(true);
    expect(files.filter((file) => asking.test(read(file)))).toEqual([]);
  });

  it('has the messages of errors but not their causes, which are only for docs/errors.md', () => {
    const built = globSync('{cli,main,preload,renderer}/**/*.js', { cwd: join(folder, '..') }).map(
      (file) => [file, readFileSync(join(folder, '..', file), 'utf8')] as const,
    );
    const filesWith = (text: string): readonly string[] =>
      built.filter(([, source]) => source.includes(text)).map(([file]) => file);
    const parts = filesWith(describeError('CFG_NO_COPY', {}).message).map((file) => file.split('/')[0]);
    expect(new Set(parts)).toEqual(new Set(['cli', 'main']));
    // Quotes, which a bundler may escape, are left out.
    const sentences = Object.values(errorCauses).map((causes) => causes.split(/[`"']/u)[0] ?? '');
    expect(sentences.filter((text) => text.length > 20 && filesWith(text).length > 0)).toEqual([]);
  });
});
