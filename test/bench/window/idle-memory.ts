import path from 'node:path';
import type { BenchRuntime } from './bench-runtime.ts';
import { emptyApp } from './measure-start.ts';

/** Resident memory of the idle main process in megabytes: ours, and that of an empty app. */
export async function idleMemory(
  runtime: BenchRuntime,
  built: string,
  folder: string,
): Promise<{ ours: number; empty: number }> {
  const megabytes = async (name: string, address: string, app: string): Promise<number> => {
    await using window = await runtime.launch(app, path.join(folder, `idle-${name}`));
    await window.page(address);
    // Long enough for leftovers of the start to be garbage collected.
    return await window.evaluate(async () => {
      await new Promise((resolve) => setTimeout(resolve, 5_000));
      return process.memoryUsage().rss / 1_000_000;
    });
  };
  return {
    ours: await megabytes('ours', 'app://postern/index.html', built),
    empty: await megabytes('empty', 'app://empty/', emptyApp),
  };
}
