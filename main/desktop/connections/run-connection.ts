import { Trace } from '../../integration/trace/trace.ts';
import { traceHttp } from '../../integration/trace/traced-http.ts';
import { traceInteraction } from '../../integration/trace/traced-interaction.ts';
import type { EnginePorts } from '../../integration/engine-ports.ts';
import type { SignInInteraction } from '../../integration/sign-in/sign-in-interaction.ts';
import { PosternError } from '../../postern-error.ts';
import { toWindowError } from '../../window-error.ts';
import type { Connection } from './connection.ts';
import type { DesktopContext } from '../desktop-context.ts';
import { createWindowInteraction } from './window-interaction.ts';

/** One piece of work for a connection: with ports and an interaction that are traced, under its abort signal. */
export type ConnectionWork = (ports: EnginePorts, interaction: SignInInteraction, signal: AbortSignal) => Promise<void>;

/**
 * Runs `work` for a connection, after what runs for it now has ended: its requests are kept as its trace, its error
 * stands in the connection. Never rejects; `connection.running` settles when it is over.
 */
export function runConnection(context: DesktopContext, connection: Connection, work: ConnectionWork): Promise<void> {
  connection.abort.abort();
  const abort = new AbortController();
  connection.abort = abort;
  const before = connection.running;
  const running = (async () => {
    await before;
    if (!abort.signal.aborted) await attempt(context, connection, work, abort);
  })().finally(() => {
    if (connection.running === running) connection.running = undefined;
    context.changed('connections');
    context.changed('integrations');
  });
  connection.running = running;
  context.changed('connections');
  context.changed('integrations');
  return running;
}

async function attempt(
  context: DesktopContext,
  connection: Connection,
  work: ConnectionWork,
  { signal }: AbortController,
): Promise<void> {
  const { ports, shell, settings, changed } = context;
  const trace = new Trace(ports.clock);
  connection.trace = trace;
  connection.error = undefined;
  const interaction = createWindowInteraction(connection, {
    shell,
    surface: () => settings.surface(),
    onChange: () => changed('connections'),
  });
  try {
    await work(
      { ...ports, http: traceHttp(ports.http, trace) },
      traceInteraction(interaction, trace, { canAsk: true }),
      signal,
    );
    trace.conclude();
  } catch (error) {
    trace.conclude(error);
    fail(context, connection, error);
  } finally {
    connection.signIn?.popup?.close();
    connection.signIn = undefined;
  }
}

function fail({ ports }: DesktopContext, connection: Connection, error: unknown): void {
  const plain = toWindowError(error);
  connection.error = plain;
  // The flow has said so already, in words of its own: the window's have a button.
  if (connection.state.name === 'failed') connection.state = { ...connection.state, error: plain };
  else if (plain.code !== 'USER_CANCELLED') {
    connection.state = { name: 'failed', error: plain, retryFrom: 'urlEntered' };
  }
  const { code, cause, stage } = plain;
  ports.log.write('connection-failed', { code, cause, stage, kind: connection.kind });
  if (!(error instanceof PosternError)) ports.log.write('unexpected', { type: (error as Error | undefined)?.name });
}
