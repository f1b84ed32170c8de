import { PosternError } from '../../postern-error.ts';
import { planUse } from '../../programs/plan/plan-use.ts';
import type { PlannedChange } from '../../programs/plan/planned-change.ts';
import type { Program } from '../../programs/table/program.ts';
import { gatewayUrlOf, newId, type ProgramEngine } from '../../programs/program-engine.ts';
import { recordOf } from '../../programs/records/program-records.ts';
import {
  authorizationOf,
  giveBackSecret,
  hiddenAuthorization,
  keepSecret,
  keptSecret,
  newSecret,
  withSecret,
} from '../../programs/records/program-secret.ts';
import type { Secret } from '../../secret.ts';
import type { DesktopContext } from '../desktop-context.ts';
import { readUsed } from '../state/read-server.ts';
import type { WantedChange } from './shown-changes.ts';

/** By HTTP: the lines that are copied hold the secret, which is kept once the person says that they stand there. */
interface Access {
  /** Of the program's record. */
  readonly id: string;
  readonly port: number;
  readonly secret: Secret;
  /** The secret in the lines that it has was lost with the vault. */
  readonly endsSecret: boolean;
}

/**
 * Lines for a program that is not in the table, to use servers. `isHttp`: they hold an address; left out, as those that
 * it has.
 */
export function wantedLines(
  context: DesktopContext,
  program: Program,
  { integrations: ids, isHttp }: { readonly integrations: readonly string[]; readonly isHttp?: boolean },
): WantedChange {
  const { ports, programs, freePort } = context;
  const fresh = newId(programs, 8);
  let access: Access | undefined;

  async function open(engine: ProgramEngine): Promise<Access | undefined> {
    const record = recordOf(await engine.records.list(), program);
    const id = record?.id ?? fresh;
    if (!(isHttp ?? record?.secretHash !== undefined)) return undefined;
    // It was revoked, or added by somebody else, since it was shown.
    if (access && access.id !== id) throw new PosternError('PROGRAM_FILE_CHANGED', { stage: 'programs' });
    if (access) return access;
    const kept = record && (await keptSecret(await ports.vault(), record));
    access = {
      id,
      port: (await ports.store.settings()).gatewayPort ?? (await freePort()),
      secret: kept ?? newSecret(ports.random),
      endsSecret: record?.secretHash !== undefined && kept === undefined,
    };
    return access;
  }

  return {
    program,
    async prepare() {
      if (!access) return;
      const { port } = access;
      await ports.store.updateSettings((settings) => ({ ...settings, gatewayPort: port }));
      await keepSecret(await ports.vault(), access, access.secret);
    },
    async giveBack() {
      if (!access) return;
      await giveBackSecret(ports.vault, programs.records, access, access.secret);
    },
    plan: async (engine) => {
      const integrations = await readUsed(context, ids);
      const http = await open(engine);
      if (!http) return await planUse(engine, program, integrations, { record: fresh });
      const planWith = (authorization: string) =>
        planUse(engine, program, integrations, {
          record: http.id,
          http: { gatewayUrl: gatewayUrlOf(http.port), authorization },
        });
      const planned = await planWith(hiddenAuthorization);
      const pasted = (await planWith(authorizationOf(http.secret))).shown.after;
      const records: PlannedChange['records'] = (before) => withSecret(planned.records(before), http, http.secret);
      return { ...planned, pasted, ...(http.endsSecret && { endsSecret: true as const }), records };
    },
  };
}
