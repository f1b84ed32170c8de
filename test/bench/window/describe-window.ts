import path from 'node:path';
import { describeGoals, describeSpread, measured } from '../report.ts';
import type { Goal } from '../report.ts';
import type { BenchRuntime } from './bench-runtime.ts';
import { idleMemory } from './idle-memory.ts';
import { measureListFrames } from './measure-list-frames.ts';
import { measureStart } from './measure-start.ts';

/** The cost of the window, compared with a minimal window on the same runtime, with the goals. */
export async function describeWindow(runtime: BenchRuntime, folder: string, rounds: number): Promise<string> {
  const none = { median: NaN, least: NaN, most: NaN };
  const built = path.join(folder, 'window');
  await runtime.build(built);
  const start = await measured('The start', () => measureStart(runtime, built, folder, rounds), {
    ours: none,
    empty: none,
  });
  const frames = await measured('The list of 1,000', () => measureListFrames(runtime, built, folder, 3), {
    many: NaN,
    empty: NaN,
    longest: NaN,
  });
  const memory = await measured('Memory when idle', () => idleMemory(runtime, built, folder), {
    ours: NaN,
    empty: NaN,
  });
  const goals: readonly Goal[] = [
    { text: 'start to interactive, against an empty page', value: start.ours.median / start.empty.median, limit: 1.4 },
    {
      text: 'scrolling and filtering 1,000 servers, against none (95th percentile of frames)',
      value: frames.many / frames.empty,
      limit: 2,
    },
    { text: 'the longest frame of those with 1,000 servers (ms)', value: frames.longest, limit: 50 },
    { text: 'main process when idle, against that of an empty app', value: memory.ours / memory.empty, limit: 1.3 },
  ];
  return [
    `The window, ${runtime.name}:`,
    `start to interactive ${describeSpread(start.ours)}, an empty page ${describeSpread(start.empty)}`,
    `frames of a list of 1,000 ${frames.many.toFixed(1)} ms, the longest ${frames.longest.toFixed(1)} ms, of an empty one ${frames.empty.toFixed(1)} ms`,
    `main process when idle ${memory.ours.toFixed(0)} MB, that of an empty app ${memory.empty.toFixed(0)} MB`,
    '',
    describeGoals(goals),
  ].join('\n');
}
