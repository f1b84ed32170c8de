import type { IpcHandlers } from '../../../shared/ipc-handlers.ts';
import { errorOf } from '../../integration/sign-in/flow-state.ts';
import { toPlainError } from '../../plain-error.ts';
import { PosternError } from '../../postern-error.ts';
import { waitingFor } from '../connections/waiting.ts';
import type { DesktopContext } from '../desktop-context.ts';

/**
 * The end of an install (spec 2.10): the ticket counts once, for the window and the integration that it was issued
 * to; the engine redeems it. Errors: TICKET_INVALID, and those of storing.
 */
export function installHandler({ connections }: DesktopContext): IpcHandlers['connection:install'] {
  return async ({ ticketId, name }, { surface }) => {
    const connection = connections.find((candidate) => waitingFor(candidate, 'install')?.ticketId === ticketId);
    const question = connection && waitingFor(connection, 'install');
    if (!question) throw new PosternError('TICKET_INVALID', { stage: 'install' });
    // From here on it is spent, also for whoever shows it a moment later.
    connection.waiting = undefined;
    if (name !== undefined) connection.wanted = { ...connection.wanted, name };
    const running = connection.attempt?.running;
    question.answer({ surface, name });
    await running;
    const { state } = connection.flow;
    if (state.name === 'integrated') return { integrationId: state.integrationId };
    const error = errorOf(state);
    const { code, stage } = toPlainError(error ?? new PosternError('TICKET_INVALID', { stage: 'install' }));
    throw new PosternError(code, { stage });
  };
}
