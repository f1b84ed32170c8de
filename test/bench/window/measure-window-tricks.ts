import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { normalizePath } from 'vite';
import type { Plugin } from 'vite';
import { align, notMeasured } from '../report.ts';
import { spreadOf } from '../statistics.ts';
import { editedBundle, windowTricks } from '../tricks.ts';
import type { BenchRuntime } from './bench-runtime.ts';
import { timeStart } from './measure-start.ts';

const root = path.join(import.meta.dirname, '../../..');

/** Optimizations of the window, and how to build it without each. */
const tricks: readonly { readonly name: string; readonly inMain?: Plugin; readonly inPages?: Plugin }[] = [
  ...windowTricks.map(({ name, edits }) => ({ name, inMain: editedBundle(...edits) })),
  {
    name: 'commands in a bundle of their own',
    inMain: {
      name: 'without-a-trick',
      enforce: 'pre',
      resolveId: (id) => (id === './command.ts' ? path.join(root, 'main/command.ts') : null),
    },
  },
  {
    name: 'no schemas in the window',
    // At the start of the pages: the schemas need their imports to be loaded first.
    inPages: changedFile('renderer/main.tsx', (code) => `import '../shared/ipc-contract.ts';\n${code}`),
  },
];

/** What each optimization saves until the window is usable, in the format of `describeTricks`. */
export async function describeWindowTricks(runtime: BenchRuntime, folder: string, rounds: number): Promise<string> {
  const build = async (name: string, inMain: Plugin[], inPages: Plugin[]): Promise<string> => {
    const app = path.join(built, name);
    await runtime.build(app, inMain, inPages);
    return app;
  };
  // Inside the project, because Postern looks for keytar in node_modules above it.
  mkdirSync(path.join(root, 'dist'), { recursive: true });
  const built = mkdtempSync(path.join(root, 'dist/bench-window-'));
  try {
    const whole = await build('whole', [], []);
    const rows: string[][] = [['there for speed', `start of the window, ${runtime.name}`]];
    const row = async (index: number, { name, inMain, inPages }: (typeof tricks)[number]): Promise<string[]> => {
      const other = await build(`without-${index}`, inMain ? [inMain] : [], inPages ? [inPages] : []);
      const time = async (app: string): Promise<number> =>
        await timeStart(runtime, app, path.join(folder, path.basename(app)));
      const saved: number[] = [];
      const wholes: number[] = [];
      // The first run of each only warms up caches.
      for (let round = 0; round <= rounds; round += 1) {
        const apps = round % 2 === 0 ? [whole, other] : [other, whole];
        const times = new Map<string, number>();
        for (const app of apps) times.set(app, await time(app));
        if (round === 0) continue;
        wholes.push(times.get(whole) ?? NaN);
        saved.push((times.get(other) ?? NaN) - (times.get(whole) ?? NaN));
      }
      const { median, least, most } = spreadOf(saved);
      const share = (100 * median) / spreadOf(wholes).median;
      return [name, `${median.toFixed(0)} ms (${least.toFixed(0)} to ${most.toFixed(0)}), ${share.toFixed(0)} %`];
    };
    for (const [index, trick] of tricks.entries())
      rows.push(await row(index, trick).catch((error: unknown) => [trick.name, notMeasured(error)]));
    return align(rows);
  } finally {
    rmSync(built, { recursive: true, force: true });
  }
}

function changedFile(file: string, change: (code: string) => string): Plugin {
  const id = normalizePath(path.join(root, file));
  return {
    name: 'without-a-trick',
    enforce: 'pre',
    transform: (code, loaded) => (loaded === id ? change(code) : null),
  };
}
