import { entryNameFor, type UsedServer } from '../used-server.ts';
import { entryFor, type HttpAccess, secretOf } from '../entry/entry-for.ts';
import { planPaste } from './plan-edits.ts';
import type { PlannedChange } from './planned-change.ts';
import type { Program } from '../table/program.ts';
import { newId, type ProgramEngine } from '../program-engine.ts';
import { recordOf, usesOf } from '../records/program-records.ts';
import { withoutUses, withUses } from './plan-records.ts';

/** Only the person knows where it keeps its servers. */
const nowhere = { path: '' };

/** As of `planUse`. */
interface OtherUse {
  readonly as?: string | undefined;
  readonly http?: HttpAccess | undefined;
  readonly record?: string | undefined;
}

/** Lines for a program that is not in the table, which lead to `integrations`. Errors: CFG_*. */
export async function planOtherUse(
  engine: ProgramEngine,
  program: Program,
  integrations: readonly UsedServer[],
  { as, http, record }: OtherUse,
): Promise<PlannedChange> {
  const known = recordOf(await engine.records.list(), program);
  const id = known?.id ?? record ?? newId(engine, 8);
  const { uses } = usesOf(known ? [known] : [], program);
  return planPaste({
    program,
    file: nowhere,
    edits: integrations.map((integration) => {
      const name = as ?? entryNameFor(integration);
      return { name, entry: entryFor(engine, program, { name, integration, id, http }) };
    }),
    secret: secretOf(program, http !== undefined),
    servers: integrations.map((integration) => ({ id: integration.id, isThere: uses.includes(integration.id) })),
    records: withUses(engine, program, { id, integrations, file: nowhere }),
  });
}

/** The right goes; what stands somewhere leads nowhere then. `servers`: as of `planUnuse`. */
export function planOtherUnuse(program: Program, servers: readonly (UsedServer | string)[]): PlannedChange {
  return planPaste({
    program,
    file: nowhere,
    edits: servers.map((server) => ({
      name: typeof server === 'string' ? server : entryNameFor(server),
      entry: undefined,
    })),
    records: withoutUses(program, servers),
  });
}
