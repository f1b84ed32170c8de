import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { watchEvents } from './contenders.ts';

const root = path.join(import.meta.dirname, '../..');

/** Layers from the bottom up: a part may use its own layer and those listed before it. */
const layers = [
  ['shared/', 'main/address/', 'main/'],
  ['main/oauth/', 'main/net/', 'main/storage/'],
  ['main/mcp/'],
  ['main/engine/'],
  ['main/host/'],
  ['main/cli/'],
];

function layerOf(file: string): number {
  const found = layers.findIndex((parts) => parts.some((part) => part !== 'main/' && file.startsWith(part)));
  return Math.max(found, 0);
}

interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly { readonly ranges: readonly { readonly count: number }[] }[];
  }[];
}

/**
 * How much code one `connect` passes through: the files with a function that ran, how often one uses another, and how
 * often that goes back up a layer. From a run of the sources with V8's precise coverage.
 */
export async function describeWalk(url: string, folder: string): Promise<string> {
  const [home, coverage] = ['walk', 'coverage'].map((name) => path.join(folder, name)) as [string, string];
  mkdirSync(home);
  const words = ['connect', url, '--local', '--name', 'Bench', '--sign-in', 'print', '--json'];
  const child = spawn(process.execPath, [path.join(root, 'main/cli/index.ts'), ...words], {
    env: { ...process.env, POSTERN_HOME: home, NODE_V8_COVERAGE: coverage },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr]) createInterface({ input: stream }).on('line', watchEvents);
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`connect ended with ${code}`);
  const files = filesThatRan(coverage);
  const uses = [...files].flatMap((file) =>
    usedBy(file)
      .filter((used) => files.has(used))
      .map((used) => [file, used]),
  );
  const climbs = uses.filter(([from = '', to = '']) => layerOf(to) > layerOf(from));
  return `one connect: ${files.size} files, one uses another ${uses.length} times, ${climbs.length} of them up a layer`;
}

/** Paths relative to the project, without files that only contain tables and types. */
function filesThatRan(coverage: string): ReadonlySet<string> {
  const reports = readdirSync(coverage).map((name) => readFileSync(path.join(coverage, name), 'utf8'));
  const scripts = reports.flatMap((text) => (JSON.parse(text) as Coverage).result);
  // A module's first function is its body.
  const ran = scripts.filter(({ functions }) => functions.slice(1).some(({ ranges }) => (ranges[0]?.count ?? 0) > 0));
  const places = ran.flatMap(({ url }) => (url.startsWith('file:') ? path.relative(root, fileURLToPath(url)) : []));
  return new Set(
    places.map((place) => place.replaceAll('\\', '/')).filter((place) => /^(?:main|shared)\//u.test(place)),
  );
}

/** Modules whose values it imports, statically or dynamically. */
function usedBy(file: string): readonly string[] {
  const text = readFileSync(path.join(root, file), 'utf8');
  const imports = text.matchAll(/^import (?!type )[^;]*? from '(\.[^']+)'|import\('(\.[^']+)'\)/gmu);
  return [
    ...new Set(
      [...imports].map(([, named, loaded]) => path.posix.join(path.posix.dirname(file), named ?? loaded ?? '')),
    ),
  ];
}
