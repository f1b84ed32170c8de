import { Figures, quantile } from './figures.ts';
import { memoryOf } from './memory-of.ts';
import { callOf } from './app.ts';
import type { App } from './app.ts';
import type { Route } from './routes.ts';

const megabyte = 1_000_000;
export const sizes = [1, 4, 15] as const;
/** Calls of each size per round. */
const largest = 15;
const calls = 200;
const atOnce = 16;
const callsAtOnce = 1_600;

/** Measures the paths one after the other in each round, so that slow moments of the machine affect all. */
export async function measureRoutes(routes: readonly Route[], rounds: number): Promise<Figures> {
  const figures = new Figures();
  const eachRound = async (times: number, measure: (route: Route) => Promise<void>): Promise<void> => {
    for (let round = 0; round < times; round += 1) {
      for (const at of routes.keys()) {
        const route = routes[(at + round) % routes.length];
        if (route) await measure(route);
      }
    }
  };
  await eachRound(rounds, async (route) => figures.add(route.name, 'initialize', await route.initialize()));
  const apps = new Map<Route, App>();
  try {
    for (const route of routes) apps.set(route, await route.open());
    const eachApp = (times: number, measure: (app: App, route: Route) => Promise<void>): Promise<void> =>
      eachRound(times, async (route) => {
        const app = apps.get(route);
        if (app) await measure(app, route);
      });
    await eachApp(1, (app) => callOften(app, calls).then(() => {}));
    await eachApp(1, async ({ pid }, { name }) => {
      if (pid !== undefined) figures.add(name, 'memory before', memoryOf(pid));
    });
    await eachApp(rounds, async (app, { name }) => {
      const times = await callOften(app, calls);
      figures.add(name, 'call', quantile(times, 0.5));
      figures.add(name, 'call p95', quantile(times, 0.95));
    });
    await eachApp(Math.ceil(rounds / 2), async (app, { name }) => {
      figures.add(name, 'calls a second', await callsASecond(app));
    });
    for (const stream of [false, true]) {
      for (const size of sizes) {
        await eachApp(Math.ceil(rounds / 2), async (app, { name }) => {
          const times: number[] = [];
          for (let passed = 0; passed < largest; passed += size) {
            times.push(await app.ask('tools/call', callOf(size * megabyte, stream)));
          }
          figures.add(name, sizeName(size, stream), quantile(times, 0.5) / size);
        });
      }
    }
    await eachApp(1, async ({ pid }, { name }) => {
      if (pid !== undefined) figures.add(name, 'memory', memoryOf(pid));
    });
  } finally {
    for (const app of apps.values()) await app.close();
  }
  return figures;
}

/** Milliseconds per MB. */
export function sizeName(size: number, stream: boolean): string {
  return `${size} MB ${stream ? 'SSE' : 'JSON'}`;
}

/** Milliseconds of each of this many sequential calls. */
export async function callOften(app: App, count: number): Promise<readonly number[]> {
  const times: number[] = [];
  for (let call = 0; call < count; call += 1) times.push(await app.ask('tools/call', callOf(100)));
  return times;
}

async function callsASecond(app: App): Promise<number> {
  const since = performance.now();
  await Promise.all(Array.from({ length: atOnce }, () => callOften(app, callsAtOnce / atOnce)));
  return callsAtOnce / ((performance.now() - since) / 1_000);
}
