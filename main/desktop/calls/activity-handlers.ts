import type { IpcHandlers } from '../../../shared/ipc-handlers.ts';
import { programName } from '../../programs/records/other-program.ts';
import type { DesktopContext } from '../desktop-context.ts';

/** Which program called what, by whichever process that was noted. */
export function activityHandlers({ activity, programs }: DesktopContext): Pick<IpcHandlers, 'activity:read'> {
  return {
    'activity:read': async ({ after }) => {
      const { first, last, calls } = await activity.read(after);
      const records = await programs.records.list();
      return {
        first,
        last,
        calls: calls.map((call) => {
          const name = call.program === undefined ? undefined : programName(call.program, records);
          return { ...call, ...(name !== undefined && { programName: name }) };
        }),
      };
    },
  };
}
