import { freePort } from '../../engine/gateway/free-port.ts';
import { systemRandom } from '../../engine/random.ts';
import type { IntegrationStore, Vault } from '../../ports.ts';
import { PosternError } from '../../postern-error.ts';
import type { HttpAccess } from '../../programs/entry/entry-for.ts';
import { findSecret } from '../../programs/look/find-secret.ts';
import type { PlannedChange } from '../../programs/plan/planned-change.ts';
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
import type { Program } from '../../programs/table/program.ts';
import type { CompletedChange } from './confirm-changes.ts';

/** How an entry with an address is planned: the port, what the program shows, and the id for its record. */
export interface HttpWanted {
  readonly http: HttpAccess;
  readonly record: string;
}

export interface UseOverHttp {
  /** For what is shown. */
  wantedFor(program: Program): HttpWanted;
  /** The change as it is made: the port is kept, and the program's secret put in where it has no other way. */
  complete(shown: PlannedChange, plan: (wanted: HttpWanted) => Promise<PlannedChange>): Promise<CompletedChange>;
}

/** Errors: CFG_*; of `complete` PROGRAM_FILE_CHANGED and KC_* too. */
export async function prepareHttp(
  engine: ProgramEngine,
  store: IntegrationStore,
  vault: () => Promise<Vault>,
): Promise<UseOverHttp> {
  const port = (await store.settings()).gatewayPort ?? (await freePort());
  const gatewayUrl = gatewayUrlOf(port);
  const fresh = new Map<string, string>();
  const wantedFor = ({ id }: Program): HttpWanted => {
    const record = fresh.get(id) ?? newId(engine, 8);
    fresh.set(id, record);
    return { http: { gatewayUrl, authorization: hiddenAuthorization }, record };
  };
  return {
    wantedFor,
    async complete(shown, plan) {
      const { program, file } = shown;
      const { record: id } = wantedFor(program);
      const before = recordOf(await engine.records.list(), program);
      const record = before ?? { id };
      const opened = await vault();
      const known = before && ((await keptSecret(opened, before)) ?? (await findSecret(engine, program, before)));
      const secret = known ?? newSecret(systemRandom);
      const planned =
        shown.secret === 'header'
          ? await plan({ http: { gatewayUrl, authorization: authorizationOf(secret) }, record: id })
          : shown;
      if (planned.before !== shown.before)
        throw new PosternError('PROGRAM_FILE_CHANGED', { stage: 'programs', detail: { file: file.path } });
      await store.updateSettings((settings) =>
        settings.gatewayPort === port ? settings : { ...settings, gatewayPort: port },
      );
      // Before its record has the hash: with a helper the secret is there before the program asks for it.
      await keepSecret(opened, record, secret);
      return {
        change: {
          ...planned,
          // Lines that a person pastes are of no use without it.
          shown: planned.way === 'paste' ? planned.shown : shown.shown,
          records: (records) => withSecret(shown.records(records), record, secret),
        },
        giveBack: () => giveBackSecret(vault, engine.records, record, secret),
        endsSecret: shown.secret === 'header' && before?.secretHash !== undefined && !known,
      };
    },
  };
}
