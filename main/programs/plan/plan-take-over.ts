import type { UsedServer } from '../used-server.ts';
import type { ProgramFile } from '../../program-ports.ts';
import { entryFor } from '../entry/entry-for.ts';
import { withDecisions } from '../entry/entry-decisions.ts';
import { entryNamed } from '../list/entry-list.ts';
import { planEdits } from './plan-edits.ts';
import { withUses } from './plan-records.ts';
import { type PlannedChange, readFile } from './planned-change.ts';
import type { Program } from '../table/program.ts';
import { newId, type ProgramEngine } from '../program-engine.ts';
import { recordOf } from '../records/program-records.ts';

/**
 * Entries of a program replaced by those of Postern, under the same names and with what the user has decided about
 * them there: one change. `record`: as in `UseOptions`.
 * Errors: PROGRAM_FILE_*.
 */
export async function planTakeOver(
  engine: ProgramEngine,
  program: Program,
  file: ProgramFile,
  taken: readonly { readonly name: string; readonly integration: UsedServer }[],
  record?: string,
): Promise<PlannedChange> {
  const { content } = await readFile(engine, program, file);
  const id = recordOf(await engine.records.list(), program)?.id ?? record ?? newId(engine, 8);
  return await planEdits(engine, {
    program,
    file,
    edits: taken.map(({ name, integration }) => ({
      name,
      entry: withDecisions(entryFor(engine, program, { name, integration, id }), entryNamed(content, name)),
    })),
    servers: taken.map(({ integration }) => ({ id: integration.id, isThere: false })),
    records: withUses(engine, program, { id, integrations: taken.map(({ integration }) => integration), file }),
  });
}
