import type { Integration } from '../../../shared/integration.ts';
import { entryFor, type HttpAccess, secretOf } from '../entry/entry-for.ts';
import { planPaste } from './plan-edits.ts';
import type { PlannedChange } from './planned-change.ts';
import type { Program } from '../table/program.ts';
import { newId, type ProgramEngine } from '../program-engine.ts';
import { recordOf, withoutUse, withUse } from '../records/program-records.ts';

/** Only the person knows where it keeps its servers. */
const nowhere = { path: '' };

/** As of `planUse`. */
interface OtherUse {
  readonly as?: string | undefined;
  readonly http?: HttpAccess | undefined;
  readonly record?: string | undefined;
}

/** Lines for a program that is not in the table, which lead to `integration`. Errors: CFG_*. */
export async function planOtherUse(
  engine: ProgramEngine,
  program: Program,
  integration: Integration,
  { as, http, record }: OtherUse,
): Promise<PlannedChange> {
  const name = as ?? integration.alias ?? integration.id;
  const id = recordOf(await engine.records.list(), program)?.id ?? record ?? newId(engine, 8);
  return planPaste({
    program,
    file: nowhere,
    edits: [{ name, entry: entryFor(engine, program, { name, integration, id, http }) }],
    secret: secretOf(program, http !== undefined),
    records: (records) => withUse(records, { id, program, integration: integration.id, now: engine.clock.now() }),
  });
}

/** The right goes; what stands somewhere leads nowhere then. `server`: as of `planUnuse`. */
export function planOtherUnuse(program: Program, server: Integration | string): PlannedChange {
  const [name, id] = typeof server === 'string' ? [server, server] : [server.alias ?? server.id, server.id];
  return planPaste({
    program,
    file: nowhere,
    edits: [{ name, entry: undefined }],
    records: (records) => withoutUse(records, program, id),
  });
}
