import type { ActivityView } from '../../shared/activity.ts';
import { describeError } from '../../shared/error-catalogue.ts';
import { isErrorCode } from '../../shared/error-codes.ts';
import type { ProgramsHere } from '../apps/program-engine.ts';
import { programName } from '../apps/records/other-program.ts';
import type { IntegrationStore } from '../ports.ts';
import type { ActivityLog } from '../window-ports.ts';
import type { OperationInput, OperationOutput } from './operation.ts';

interface Scope {
  readonly activity: Pick<ActivityLog, 'read'>;
  readonly programs: { readonly records: Pick<ProgramsHere['records'], 'list'> };
  readonly ports: { readonly store: Pick<IntegrationStore, 'list'> };
}

/** Which app called what, by whichever process that was noted, with the names that apps and servers have now. Errors: CFG_*. */
export async function readActivity(
  { activity, programs, ports: { store } }: Scope,
  { after }: OperationInput<'activity:read'>,
): Promise<OperationOutput<'activity:read'>> {
  const { first, last, calls } = await activity.read(after);
  if (calls.length === 0) return { first, last, calls: [] };
  const records = await programs.records.list();
  const names = new Map((await store.list()).map(({ id, name }) => [id, name]));
  const named = calls.map((call): ActivityView => {
    const app = call.program === undefined ? undefined : programName(call.program, records);
    const code = call.outcome;
    return {
      ...call,
      ...(app !== undefined && { programName: app }),
      serverName: names.get(call.integration ?? '') ?? call.server,
      ...(isErrorCode(code) && { failure: { code, sentence: describeError(code, {}).message } }),
    };
  });
  return { first, last, calls: named };
}

export const activityOperations = {
  'activity:read': readActivity,
} as const;
