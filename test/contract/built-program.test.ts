import { globSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { parseSync } from 'vite';
import { describe, expect, it } from 'vitest';

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

/** What is loaded with `file`, without what it loads on demand. */
function loadedWith(file: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const { moduleRequest } of parseSync(file, read(file)).module.staticImports) {
    if (moduleRequest.value.startsWith('./')) loadedWith(moduleRequest.value.slice(2), seen);
  }
  return seen;
}

const sourcesOf = (chunks: Iterable<string>): readonly string[] =>
  [...chunks].flatMap((chunk) => {
    const map = join(folder, `${chunk}.map`);
    return (JSON.parse(readFileSync(map, 'utf8')) as { sources: string[] }).sources;
  });

describe('the built program', () => {
  it('needs nothing at run time but Node and keytar', () => {
    const known = new Set([
      'keytar',
      ...builtinModules,
      ...builtinModules.map((name) => `node:${name}`),
      'node:sqlite',
    ]);
    const strangers = files.flatMap((file) =>
      importsOf(file)
        .filter((target) => !target.startsWith('./') && !known.has(target))
        .map((target) => `${file} → ${target}`),
    );
    expect(strangers).toEqual([]);
  });

  it('never asks for electron, which would try to download itself in plain Node', () => {
    // Its name may stand there: that of a version, for one.
    const asking = /\b(?:from|import|require)\s*\(?\s*["'`]electron(?:\/\w+)?["'`]/;
    expect(asking.test('import { app } from "electron";') && asking.test("import('electron/main')")).toBe(true);
    expect(files.filter((file) => asking.test(read(file)))).toEqual([]);
  });

  it('loads no network, OAuth or MCP code to list what is connected', () => {
    const entry = files.find((file) => /^list-.*\.js$/.test(file)) ?? '';
    const sources = sourcesOf([...loadedWith('index.js'), ...loadedWith(entry)]);
    expect(sources.some((source) => source.endsWith('main/cli/commands/list.ts'))).toBe(true);
    expect(
      sources.filter((source) =>
        /main\/(?:oauth|mcp|user-agent)\/|node_modules\/(?:undici|oauth4webapi|@modelcontextprotocol)\//.test(source),
      ),
    ).toEqual([]);
  });
});
