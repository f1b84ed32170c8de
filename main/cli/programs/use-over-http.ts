import { freePort } from '../../engine/free-port.ts';
import { systemRandom } from '../../engine/random.ts';
import { authorizationOf, hiddenAuthorization, programSecret } from '../../programs/records/program-secret.ts';
import type { IntegrationStore, Vault } from '../../ports.ts';
import { PosternError } from '../../postern-error.ts';
import type { HttpAccess } from '../../programs/entry/entry-for.ts';
import type { PlannedChange } from '../../programs/plan/planned-change.ts';
import type { ProgramEngine } from '../../programs/program-engine.ts';
import { recordOf } from '../../programs/records/program-records.ts';
import { gatewayUrlOf } from '../../engine/open-programs.ts';

export interface UseOverHttp {
  /** For what is shown. */
  readonly preview: HttpAccess;
  /** The change as it is made: the port is kept, and the program's secret put in where it has no other way. */
  complete(shown: PlannedChange, plan: (http: HttpAccess) => Promise<PlannedChange>): Promise<PlannedChange>;
}

/** Errors: CFG_*; of `complete` PROGRAM_FILE_CHANGED and KC_* too. */
export async function prepareHttp(
  engine: ProgramEngine,
  store: IntegrationStore,
  vault: () => Promise<Vault>,
): Promise<UseOverHttp> {
  const port = (await store.settings()).gatewayPort ?? (await freePort());
  const preview = { gatewayUrl: gatewayUrlOf(port), authorization: hiddenAuthorization };
  return {
    preview,
    async complete(shown, plan) {
      await store.updateSettings((settings) =>
        settings.gatewayPort === port ? settings : { ...settings, gatewayPort: port },
      );
      const record = recordOf(await engine.records.change(shown.records), shown.program);
      if (!record)
        throw new PosternError('PROGRAM_FILE_CHANGED', { stage: 'programs', detail: { file: shown.file.path } });
      const secret = await programSecret(
        { vault: await vault(), programs: engine.records, random: systemRandom },
        record,
      );
      // With a helper the secret is there before the program asks for it, so that whoever serves opens the way in.
      if (shown.secret !== 'header') return shown;
      const planned = await plan({ ...preview, authorization: authorizationOf(secret) });
      if (planned.before !== shown.before)
        throw new PosternError('PROGRAM_FILE_CHANGED', { stage: 'programs', detail: { file: shown.file.path } });
      // Lines that a person pastes are of no use without it.
      return planned.way === 'paste' ? planned : { ...planned, shown: shown.shown };
    },
  };
}
