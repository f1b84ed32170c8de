import path from 'node:path';
import { launchWindow } from '../../support/launch-window.ts';
import { emptyProgram } from './measure-start.ts';

/** Resident memory of the main process with nothing to do, megabytes: ours, and that of an empty program. */
export async function idleMemory(folder: string): Promise<{ ours: number; empty: number }> {
  const megabytes = async (name: string, address: string, program?: string): Promise<number> => {
    const profile = path.join(folder, `idle-${name}`);
    await using window = await launchWindow({ profile, ...(program !== undefined && { program }) });
    await window.page(address);
    // When what a start leaves behind has been collected, or would have been long ago.
    return await window.evaluate(async () => {
      await new Promise((resolve) => setTimeout(resolve, 5_000));
      return process.memoryUsage().rss / 1_000_000;
    });
  };
  return {
    ours: await megabytes('ours', 'app://postern/index.html'),
    empty: await megabytes('empty', 'app://empty/', emptyProgram),
  };
}
