import type { IpcHandlers } from '../../../shared/ipc-handlers.ts';
import { PosternError } from '../../postern-error.ts';
import type { DesktopContext } from '../desktop-context.ts';

/**
 * The end of an install (spec 2.10): the ticket counts once, for the window and the integration that it was issued
 * to; the engine redeems it. Errors: TICKET_INVALID, and those of storing.
 */
export function installHandler({ connections }: DesktopContext): IpcHandlers['connection:install'] {
  return async ({ ticketId, name }, { surface }) => {
    const connection = connections.find(({ install }) => install?.asked === ticketId);
    if (!connection?.install) throw new PosternError('TICKET_INVALID', { stage: 'install' });
    const { answer } = connection.install;
    // From here on it is spent, also for whoever shows it a moment later.
    connection.install = undefined;
    if (name !== undefined) connection.name = name;
    const { running } = connection;
    answer({ surface, name });
    await running;
    const { state, error } = connection;
    if (state.name === 'integrated') return { integrationId: state.integrationId };
    throw new PosternError(error?.code ?? 'TICKET_INVALID', { stage: error?.stage ?? 'install' });
  };
}
