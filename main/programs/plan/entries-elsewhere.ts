import { ourEntries } from '../entry/our-entries.ts';
import { filesOfLeaving } from './plan-leaving.ts';
import { isFileFault, readFile } from './planned-change.ts';
import type { Program } from '../table/program.ts';
import type { ProgramEngine } from '../program-engine.ts';

/**
 * What entries in other files of `program` lead to (alias or id), as far as we have noted these files: one right holds
 * for them all, so it stays with the last of them. A file that cannot be read holds none that works. Errors: CFG_*.
 */
export async function serversElsewhere(
  engine: ProgramEngine,
  program: Program,
  path: string,
): Promise<readonly string[]> {
  const files = await filesOfLeaving(engine, { kind: 'program', program });
  const others = files.filter(({ file }) => file.path !== path);
  const servers = await Promise.all(
    others.map(async ({ file }) => {
      try {
        const { content } = await readFile(engine, program, file);
        return (await ourEntries(engine, file.path, content)).map(({ server }) => server);
      } catch (error) {
        if (!isFileFault(error)) throw error;
        return [];
      }
    }),
  );
  return servers.flat();
}
