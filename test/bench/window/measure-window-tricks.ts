import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { normalizePath } from 'vite';
import type { Plugin } from 'vite';
import { buildWindow } from '../../../scripts/build-window.ts';
import { align } from '../report.ts';
import { spreadOf } from '../statistics.ts';
import { timeStart } from './measure-start.ts';

const root = path.join(import.meta.dirname, '../../..');

/** What the window's pages hold for speed alone, and how they are built without it. */
const tricks: readonly { readonly name: string; readonly without: Plugin }[] = [
  {
    name: 'no schemas in the window',
    without: changedFile('shared/choices.ts', (code) => `import './ipc-contract.ts';\n${code}`),
  },
  {
    name: 'what comes after the first screen in a second file',
    without: changedFile(
      'renderer/app/use-later-screens.ts',
      () => `
        import { laterScreens } from './later-screens.tsx';
        export const preloadLaterScreens = () => {};
        export const useLaterScreens = () => laterScreens;`,
    ),
  },
  {
    name: 'main asked before React runs',
    // Asked by whoever waits for the answer.
    without: changedFile(
      'renderer/first-snapshots.ts',
      () => `
        import { postern } from './postern.ts';
        export const firstSnapshots = { then: (...next) => postern.app.snapshots().then(...next) };`,
    ),
  },
];

/** What each of them saves from the start to a window that can be used, as `describeTricks` says it. */
export async function describeWindowTricks(folder: string, rounds: number): Promise<string> {
  // Inside the project, since the program looks for keytar in node_modules above it.
  mkdirSync(path.join(root, 'dist'), { recursive: true });
  const built = mkdtempSync(path.join(root, 'dist/bench-window-'));
  try {
    const whole = await buildProgram(path.join(built, 'whole'), []);
    const rows: string[][] = [['there for speed', 'start of the window']];
    for (const [index, { name, without }] of tricks.entries()) {
      const other = await buildProgram(path.join(built, `without-${index}`), [without]);
      const time = async (program: string): Promise<number> =>
        await timeStart(program, path.join(folder, path.basename(program)));
      const saved: number[] = [];
      const wholes: number[] = [];
      // The first of each only fills the caches of the machine.
      for (let round = 0; round <= rounds; round += 1) {
        const programs = round % 2 === 0 ? [whole, other] : [other, whole];
        const times = new Map<string, number>();
        for (const program of programs) times.set(program, await time(program));
        if (round === 0) continue;
        wholes.push(times.get(whole) ?? NaN);
        saved.push((times.get(other) ?? NaN) - (times.get(whole) ?? NaN));
      }
      const { median, least, most } = spreadOf(saved);
      const share = (100 * median) / spreadOf(wholes).median;
      rows.push([name, `${median.toFixed(0)} ms (${least.toFixed(0)} to ${most.toFixed(0)}), ${share.toFixed(0)} %`]);
    }
    return align(rows);
  } finally {
    rmSync(built, { recursive: true, force: true });
  }
}

async function buildProgram(folder: string, inPages: Plugin[]): Promise<string> {
  await buildWindow(path.join(folder, 'dist'), [], inPages);
  copyFileSync(path.join(root, 'package.json'), path.join(folder, 'package.json'));
  return folder;
}

function changedFile(file: string, change: (code: string) => string): Plugin {
  const id = normalizePath(path.join(root, file));
  return {
    name: 'without-a-trick',
    enforce: 'pre',
    transform: (code, loaded) => (loaded === id ? change(code) : null),
  };
}
