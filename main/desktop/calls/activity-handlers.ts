import type { IpcHandlers } from '../../../shared/ipc-handlers.ts';
import { findProgram } from '../../programs/table.ts';
import type { DesktopContext } from '../desktop-context.ts';

/** Which program called what, by whichever process that was noted. */
export function activityHandlers({ activity }: DesktopContext): Pick<IpcHandlers, 'activity:read'> {
  return {
    'activity:read': async ({ after }) => {
      const { first, last, calls } = await activity.read(after);
      return {
        first,
        last,
        calls: calls.map((call) => {
          const name = call.program === undefined ? undefined : findProgram(call.program)?.name;
          return { ...call, ...(name !== undefined && { programName: name }) };
        }),
      };
    },
  };
}
