import type { AppRecord } from '../../../shared/app-record.ts';
import { displayText } from '../../address/display-text.ts';
import { secretOf } from '../../apps/entry/our-entries.ts';
import { otherApp } from '../../apps/records/app-records.ts';
import { readStoredSecret, appSecret } from '../../apps/records/app-secret.ts';
import { findApp } from '../../apps/table/apps.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { isRecordId } from '../../gateway/capabilities/app-access.ts';
import { systemRandom } from '../../host/system-ports.ts';
import type { Command, CommandContext } from '../command-context.ts';
import { UsageError } from '../options/parse-arguments.ts';
import type { CommandResult } from '../output/output.ts';
import { appNotFound } from '../apps/resolve-references.ts';

/**
 * `postern headers APP`, which apps run themselves. Errors: APP_NOT_FOUND, APP_UNKNOWN, APP_REVOKED,
 * APP_SECRET_LOST, KC_*, CFG_*.
 */
export async function headers(context: CommandContext): Promise<CommandResult> {
  const { ports, apps } = await context.openEngine();
  const word = context.args.positionals[0] ?? '';
  const record = findAllowed(await apps.list(), word);
  if (!record) throw await appNotFound(word, apps);
  const vault = await ports.vault();
  const app = findApp(record.app) ?? otherApp(record.name, record.app);
  // Its entries contain the old secret, and a new one would lock them out.
  if (record.secretHash !== undefined && secretOf(app, true) === 'header' && !(await readStoredSecret(vault, record)))
    throw new PosternError('APP_SECRET_LOST', appErrorOptions(app));
  const secret = await appSecret({ vault, apps, random: systemRandom }, record);
  const fields = { Authorization: `Bearer ${secret.reveal()}` };
  return { fields, text: JSON.stringify(fields) };
}

/** By record ID or app. `undefined`: no such app. Errors: APP_UNKNOWN, APP_REVOKED. */
function findAllowed(records: readonly AppRecord[], reference: string): AppRecord | undefined {
  const known = findApp(reference);
  const ids = [reference.toLowerCase(), known?.id, otherApp(reference).id];
  const byId = records.filter(({ id }) => id === reference);
  const matching = byId.length > 0 ? byId : records.filter(({ app }) => ids.includes(app));
  const active = matching.filter(({ revokedAt }) => revokedAt === undefined);
  const record = active.findLast(({ integrations }) => integrations.length > 0);
  if (record) return record;
  const [revoked] = active.length > 0 ? [] : matching;
  if (revoked) throw new PosternError('APP_REVOKED', appErrorOptions({ id: revoked.app, name: revoked.name }));
  const allowed = active[0] ? { id: active[0].app, name: active[0].name } : known;
  if (allowed) throw new PosternError('APP_UNKNOWN', appErrorOptions(allowed));
  if (isRecordId(reference)) throw new PosternError('APP_UNKNOWN', appErrorOptions());
  return undefined;
}

/** Error options about an app. Without one, the record ID in an entry is unknown. */
function appErrorOptions(app?: { readonly id: string; readonly name: string }) {
  return {
    stage: 'gateway',
    detail: { any: true, ...(app && { app: displayText(app.name) }) },
    remedy: { kind: 'allow-app', ...(app && { app: app.id }) },
  } as const;
}

/** Only reached if `proxy` is not the first word; else `main/cli/start/run-process.ts` runs the pipe. */
export const proxy: Command = async () => {
  throw new UsageError('Write “proxy” directly after “postern”.', 'proxy');
};
