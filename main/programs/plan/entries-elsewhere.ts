import type { UsedServer } from '../used-server.ts';
import { ProgramFileFault } from '../../program-ports.ts';
import type { ProgramFile } from '../../program-ports.ts';
import { ourEntries } from '../entry/our-entries.ts';
import { filesOfLeaving } from './plan-leaving.ts';
import { readFile } from './planned-change.ts';
import type { Program } from '../table/program.ts';
import type { ProgramEngine } from '../program-engine.ts';

/** Another file of a program, and what its entries lead to (alias or id). */
interface FileElsewhere {
  readonly file: ProgramFile;
  readonly servers: readonly string[];
}

/**
 * Other files of `program` than the one at `path`, as far as we have noted them. One that cannot be read holds no entry
 * that works. Errors: CFG_*.
 */
async function readElsewhere(engine: ProgramEngine, program: Program, path: string): Promise<readonly FileElsewhere[]> {
  const files = await filesOfLeaving(engine, { kind: 'program', program });
  const others = files.filter(({ file }) => file.path !== path);
  return await Promise.all(
    others.map(async ({ file }) => {
      try {
        const { content } = await readFile(engine, program, file);
        return { file, servers: (await ourEntries(engine, file.path, content)).map(({ server }) => server) };
      } catch (error) {
        if (!(error instanceof ProgramFileFault)) throw error;
        return { file, servers: [] };
      }
    }),
  );
}

/** What entries in other files lead to: one right holds for them all, so it stays with the last of them. Errors: CFG_*. */
export async function serversElsewhere(
  engine: ProgramEngine,
  program: Program,
  path: string,
): Promise<readonly string[]> {
  return (await readElsewhere(engine, program, path)).flatMap(({ servers }) => servers);
}

/** Other files with an entry that leads to one of these. Errors: CFG_*. */
export async function filesElsewhere(
  engine: ProgramEngine,
  program: Program,
  path: string,
  integrations: readonly UsedServer[],
): Promise<readonly ProgramFile[]> {
  const others = await readElsewhere(engine, program, path);
  return others
    .filter(({ servers }) =>
      integrations.some(({ id, alias }) => servers.some((each) => each === id || each === alias)),
    )
    .map(({ file }) => file);
}
