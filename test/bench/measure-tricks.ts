import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildCommandLine } from '../../scripts/build.ts';
import type { BenchServer } from './bench-server.ts';
import type { Kind, Latency } from './cells.ts';
import { createCommandLine } from './contenders.ts';
import type { Contender } from './contenders.ts';
import { align } from './report.ts';
import { spreadOf } from './statistics.ts';
import { tricks } from './tricks.ts';

const root = path.join(import.meta.dirname, '../..');

interface Task {
  readonly title: string;
  readonly kind: Kind;
  readonly latency: Latency;
}

const tasks: readonly Task[] = [
  { title: 'full connect at 50 ms', kind: 'full', latency: 50 },
  { title: 'full connect at 0 ms', kind: 'full', latency: 0 },
  { title: 'stored tokens at 50 ms', kind: 'stored', latency: 50 },
  { title: 'stored tokens at 0 ms', kind: 'stored', latency: 0 },
];

/**
 * What each optimization saves: the command line with all of them and without one, in turn. Saved milliseconds as the
 * median difference per round, with minimum and maximum, and as a fraction of the total time.
 */
export async function describeTricks(server: BenchServer, rounds: number): Promise<string> {
  // Inside the project, because the bundle looks for keytar in node_modules above it.
  mkdirSync(path.join(root, 'dist'), { recursive: true });
  const folder = mkdtempSync(path.join(root, 'dist/bench-'));
  const homes = mkdtempSync(path.join(tmpdir(), 'postern-tricks-'));
  try {
    const whole = await buildVariant(path.join(folder, 'whole'));
    const variants: { name: string; contender: Contender }[] = [];
    for (const [index, { name, ...trick }] of tricks.entries()) {
      variants.push({ name, contender: await buildVariant(path.join(folder, `without-${index}`), trick) });
    }
    const rows: string[][] = [['there for speed', ...tasks.map(({ title }) => title)]];
    const saved = new Map(variants.map(({ name }) => [name, tasks.map((): number[] => [])]));
    const wholes = tasks.map((): number[] => []);
    for (let round = 0; round < rounds; round += 1) {
      for (const [place, { kind, latency }] of tasks.entries()) {
        const measure = async (contender: Contender): Promise<number> => {
          const home = path.join(homes, `${contender.name}-${latency}`);
          if (kind === 'full') rmSync(home, { recursive: true, force: true });
          mkdirSync(home, { recursive: true });
          await server.takeRequests();
          return (await contender.run(kind, server.url(latency, 'mcp'), home)).milliseconds;
        };
        for (const { name, contender } of variants) {
          // Measure the full build next to each: machine speed changes within a round.
          const [one, other] = round % 2 === 0 ? [whole, contender] : [contender, whole];
          const [first, second] = [await measure(one), await measure(other)];
          const [withIt, without] = one === whole ? [first, second] : [second, first];
          wholes[place]?.push(withIt);
          saved.get(name)?.[place]?.push(without - withIt);
        }
      }
    }
    for (const [name, cells] of saved) {
      rows.push([
        name,
        ...cells.map((differences, place) => {
          const { median, least, most } = spreadOf(differences);
          const share = (100 * median) / spreadOf(wholes[place] ?? []).median;
          return `${median.toFixed(0)} ms (${least.toFixed(0)} to ${most.toFixed(0)}), ${share.toFixed(0)} %`;
        }),
      ]);
    }
    return align(rows);
  } finally {
    for (const made of [folder, homes]) rmSync(made, { recursive: true, force: true });
  }
}

async function buildVariant(
  folder: string,
  { plugins, compileCache, startedByModule }: Omit<(typeof tricks)[number], 'name'> = {
    plugins: [],
    compileCache: true,
  },
): Promise<Contender> {
  await buildCommandLine(folder, [...plugins]);
  const start = path.join(folder, startedByModule ? 'start.mjs' : 'start.cjs');
  const cache = compileCache ? `enableCompileCache(${JSON.stringify(path.join(folder, 'compile-cache'))});` : '';
  const lines = startedByModule
    ? ["import { enableCompileCache } from 'node:module';", cache, "await import('./index.js');"]
    : ["const { enableCompileCache } = require('node:module');", cache, "require('./index.js');"];
  writeFileSync(start, lines.join('\n'));
  return createCommandLine(path.basename(folder), [process.execPath, start]);
}
