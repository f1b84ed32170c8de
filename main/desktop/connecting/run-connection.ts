import type { ErrorCode } from '../../../shared/error-codes.ts';
import { Trace } from '../../integration/trace/trace.ts';
import { traceHttp } from '../../integration/trace/traced-http.ts';
import { traceInteraction } from '../../integration/trace/traced-interaction.ts';
import type { EnginePorts } from '../../integration/engine-ports.ts';
import { isOutcome } from '../../cancellation.ts';
import type { SignInInteraction } from '../../integration/sign-in/sign-in-interaction.ts';
import { toPlainError } from '../../plain-error.ts';
import { PosternError } from '../../postern-error.ts';
import type { DesktopContext } from '../desktop-context.ts';
import { Attempt } from '../connections/attempt.ts';
import type { Connection } from '../connections/connections.ts';
import { integrationOf } from '../connections/connections.ts';
import { closeSignInPage } from './open-sign-in-page.ts';
import { createWindowInteraction } from './window-interaction.ts';

/** One piece of work for a connection: with ports and an interaction that are traced, under its abort signal. */
export type ConnectionWork = (
  ports: EnginePorts,
  interaction: SignInInteraction,
  signal: AbortSignal,
  attempt: Attempt,
) => Promise<void>;

/**
 * Makes `work` the next attempt of a connection, after what runs for it now has ended: its flow tells how it ends.
 * `again` starts the same once more. Never rejects.
 */
export function runConnection(
  context: DesktopContext,
  connection: Connection,
  again: () => void,
  work: ConnectionWork,
): Promise<void> {
  const before = connection.attempt;
  before?.end();
  const attempt = new Attempt(context.ports.clock.now(), new Trace(context.ports.clock), again);
  connection.attempt = attempt;
  const tell = (): void => {
    context.changed('connections');
    context.changed('integrations');
  };
  const over = attempt.run(async (signal) => {
    await before?.running;
    if (!signal.aborted) await go(context, connection, attempt, work, signal);
  });
  tell();
  return over.finally(tell);
}

async function go(
  context: DesktopContext,
  connection: Connection,
  attempt: Attempt,
  work: ConnectionWork,
  signal: AbortSignal,
): Promise<void> {
  const { ports, shell, settings, changed } = context;
  const { trace } = attempt;
  const page = { shell, onChange: () => changed('connections') };
  const interaction = createWindowInteraction(connection, attempt, settings, page);
  try {
    await work(
      { ...ports, http: traceHttp(ports.http, trace) },
      traceInteraction(interaction, trace, { canAsk: true }),
      signal,
      attempt,
    );
    trace.conclude();
    attempt.hasEnded = true;
    await keepHistory(context, connection, attempt);
  } catch (error) {
    trace.conclude(error);
    const { code, cause, stage } = toPlainError(connection.flow.end(error, signal));
    attempt.hasEnded = true;
    ports.log.write('connection-failed', { code, cause, stage, kind: connection.purpose.kind });
    await keepHistory(context, connection, attempt, isOutcome(error) ? code : undefined);
    if (!(error instanceof PosternError)) ports.log.write('unexpected', { type: (error as Error | undefined)?.name });
  } finally {
    closeSignInPage(attempt);
  }
}

/** A sign-in of a server that is in the list outlasts the program, request by request. */
async function keepHistory(
  { ports, board, history }: DesktopContext,
  connection: Connection,
  attempt: Attempt,
  failure?: ErrorCode,
): Promise<void> {
  const id = integrationOf(connection);
  if (id === undefined || board.of(id).lastSignIn !== attempt) return;
  if (failure !== undefined) await history.note(id, [{ kind: 'signInFailed', at: ports.clock.now(), code: failure }]);
  await history.keepSignIn(id, { at: attempt.at, entries: [...attempt.trace.entries()] });
}
