import { describeError } from '../../../shared/error-catalogue.ts';
import { isErrorCode } from '../../../shared/error-codes.ts';
import type { IpcHandlers } from '../../../shared/ipc-handlers.ts';
import { programName } from '../../programs/records/other-program.ts';
import { windowWords } from '../../window-words.ts';
import type { DesktopContext } from '../desktop-context.ts';
import { activityCsv } from '../views/activity-csv.ts';

/** Which program called what, by whichever process that was noted. */
export function activityHandlers({
  activity,
  programs,
  ports,
  shell,
}: DesktopContext): Pick<IpcHandlers, 'activity:read' | 'activity:export'> {
  return {
    'activity:read': async ({ after }) => {
      const { first, last, calls } = await activity.read(after);
      const records = await programs.records.list();
      return {
        first,
        last,
        calls: calls.map((call) => {
          const name = call.program === undefined ? undefined : programName(call.program, records);
          const failure = isErrorCode(call.outcome) && describeError(call.outcome, {}).message;
          return { ...call, ...(name !== undefined && { programName: name }), ...(failure && { failure }) };
        }),
      };
    },
    'activity:export': async ({ calls: wanted }) => {
      const { last, calls } = await activity.read(0);
      const records = await programs.records.list();
      const list = await ports.store.list();
      const oldest = last - calls.length + 1;
      const named = wanted.flatMap((number) => {
        const call = calls[number - oldest];
        // What was deleted meanwhile is gone.
        if (!call) return [];
        const { program, integration, server } = call;
        const name = program === undefined ? undefined : (programName(program, records) ?? program);
        const serverName = list.find(({ id }) => id === integration)?.name ?? server;
        return [{ ...call, programName: name ?? '', serverName }];
      });
      return { saved: await shell.saveFile(windowWords.exportedActivity, activityCsv(named)) };
    },
  };
}
