import { Figures, quantile } from './figures.ts';
import { memoryOf } from './memory-of.ts';
import { callOf } from './program.ts';
import type { Program } from './program.ts';
import type { Way } from './ways.ts';

const megabyte = 1_000_000;
export const sizes = [1, 4, 15] as const;
/** What passes of each size in a round. */
const largest = 15;
const calls = 200;
const atOnce = 16;
const callsAtOnce = 1_600;

/** One after the other in each round, so that a slower moment of the machine is everybody's. */
export async function measureWays(ways: readonly Way[], rounds: number): Promise<Figures> {
  const figures = new Figures();
  const eachRound = async (times: number, measure: (way: Way) => Promise<void>): Promise<void> => {
    for (let round = 0; round < times; round += 1) {
      for (const at of ways.keys()) {
        const way = ways[(at + round) % ways.length];
        if (way) await measure(way);
      }
    }
  };
  await eachRound(rounds, async (way) => figures.add(way.name, 'initialize', await way.initialize()));
  const programs = new Map<Way, Program>();
  try {
    for (const way of ways) programs.set(way, await way.open());
    const eachProgram = (times: number, measure: (program: Program, way: Way) => Promise<void>): Promise<void> =>
      eachRound(times, async (way) => {
        const program = programs.get(way);
        if (program) await measure(program, way);
      });
    await eachProgram(1, (program) => callOften(program, calls).then(() => {}));
    await eachProgram(1, async ({ pid }, { name }) => {
      if (pid !== undefined) figures.add(name, 'memory before', memoryOf(pid));
    });
    await eachProgram(rounds, async (program, { name }) => {
      const times = await callOften(program, calls);
      figures.add(name, 'call', quantile(times, 0.5));
      figures.add(name, 'call p95', quantile(times, 0.95));
    });
    await eachProgram(Math.ceil(rounds / 2), async (program, { name }) => {
      figures.add(name, 'calls a second', await callsASecond(program));
    });
    for (const stream of [false, true]) {
      for (const size of sizes) {
        await eachProgram(Math.ceil(rounds / 2), async (program, { name }) => {
          const times: number[] = [];
          for (let passed = 0; passed < largest; passed += size) {
            times.push(await program.ask('tools/call', callOf(size * megabyte, stream)));
          }
          figures.add(name, sizeName(size, stream), quantile(times, 0.5) / size);
        });
      }
    }
    await eachProgram(1, async ({ pid }, { name }) => {
      if (pid !== undefined) figures.add(name, 'memory', memoryOf(pid));
    });
  } finally {
    for (const program of programs.values()) await program.close();
  }
  return figures;
}

/** Milliseconds for each MB. */
export function sizeName(size: number, stream: boolean): string {
  return `${size} MB ${stream ? 'SSE' : 'JSON'}`;
}

/** Milliseconds of each of so many calls, one after the other. */
export async function callOften(program: Program, count: number): Promise<readonly number[]> {
  const times: number[] = [];
  for (let call = 0; call < count; call += 1) times.push(await program.ask('tools/call', callOf(100)));
  return times;
}

async function callsASecond(program: Program): Promise<number> {
  const since = performance.now();
  await Promise.all(Array.from({ length: atOnce }, () => callOften(program, callsAtOnce / atOnce)));
  return callsAtOnce / ((performance.now() - since) / 1_000);
}
