import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { buildCommandLine } from '../../../scripts/build.ts';
import type { Edit } from '../../mutants/edited-sources.ts';
import { align } from '../report.ts';
import { spreadOf } from '../statistics.ts';
import { callTricks, editedBundle } from '../tricks.ts';
import { quantile } from './figures.ts';
import { callOften } from './measure-routes.ts';
import type { App } from './app.ts';
import { makeProfile } from './served-profile.ts';
import type { ServerProcess } from './server-process.ts';
import { ownRoutes, type RouteName } from './routes.ts';

const root = path.join(import.meta.dirname, '../../..');
/** Calls per round and build; the fastest quarter shows the cost on a shared machine. */
const calls = 50;
const timesARound = 8;
const fastest = 0.25;

/**
 * What each optimization saves per call: the gateway with all of them and without one, in turn, for each path.
 * Milliseconds: the median difference, and the time of a call with it.
 */
export async function describeCallTricks(server: ServerProcess, folder: string, rounds: number): Promise<string> {
  // Inside the project, because the bundle looks for keytar in node_modules above it.
  mkdirSync(path.join(root, 'dist'), { recursive: true });
  const builds = mkdtempSync(path.join(root, 'dist/bench-'));
  const open = async (name: string, edits: readonly Edit[]) => {
    const build = path.join(builds, name);
    await buildCommandLine(build, [editedBundle(...edits)]);
    const profile = await makeProfile(server.url, path.join(folder, `calls-${name}`));
    const serving = await profile.serve(path.join(build, 'index.js'));
    const apps = new Map<RouteName, App>();
    for (const route of ownRoutes(profile, serving)) apps.set(route.name, await route.open());
    return {
      apps,
      async close() {
        for (const app of apps.values()) await app.close();
        await serving.end('SIGTERM');
      },
    };
  };
  const time = async (app: App | undefined): Promise<number> =>
    app ? quantile(await callOften(app, calls), fastest) : NaN;
  try {
    const whole = await open('whole', []);
    const names = [...whole.apps.keys()];
    const rows = [['there for the speed of a call', ...names]];
    for (const [index, { name, edits }] of callTricks.entries()) {
      const without = await open(`without-${index}`, edits);
      const row = [name];
      for (const route of names) {
        const durations: number[] = [];
        const saved: number[] = [];
        for (let turn = 0; turn < rounds * timesARound; turn += 1) {
          const order = turn % 2 === 0 ? [whole, without] : [without, whole];
          const times = new Map<typeof whole, number>();
          for (const one of order) times.set(one, await time(one.apps.get(route)));
          durations.push(times.get(whole) ?? NaN);
          saved.push((times.get(without) ?? NaN) - (times.get(whole) ?? NaN));
        }
        row.push(`${spreadOf(saved).median.toFixed(3)} ms of ${spreadOf(durations).median.toFixed(2)}`);
      }
      rows.push(row);
      await without.close();
    }
    await whole.close();
    return align(rows);
  } finally {
    rmSync(builds, { recursive: true, force: true });
  }
}
