import { connectServer } from '../../integration/connect/connect-server.ts';
import { findIntegration } from '../../integration/kept/find-integration.ts';
import { Flow } from '../../integration/sign-in/flow.ts';
import { inspectServer } from '../../integration/connect/inspect-server.ts';
import type { NewSignIn } from '../../integration/sign-in/reauthenticate.ts';
import { reauthenticate } from '../../integration/sign-in/reauthenticate.ts';
import type { TypedCredentials } from '../../integration/sign-in/sign-in-interaction.ts';
import { toPlainError } from '../../plain-error.ts';
import { toWindowError } from '../../window-error.ts';
import type { Connection } from './connection.ts';
import type { DesktopContext } from '../desktop-context.ts';
import { runConnection } from './run-connection.ts';

/** Finds out how the server wants to be signed in to, step by step, and rests with the verdict. Opens nothing. */
export function startDiscovery(context: DesktopContext, connection: Connection): void {
  connection.state = { name: 'urlEntered' };
  connection.steps = [];
  connection.inspection = undefined;
  connection.discovery = undefined;
  connection.again = () => startDiscovery(context, connection);
  void runConnection(context, connection, async (ports, interaction, signal) => {
    const flow = new Flow(interaction, ports.log);
    flow.advance({ type: 'discover' });
    try {
      const question = { url: connection.url, options: connection.options };
      const inspection = await inspectServer(
        ports,
        question,
        (step) => interaction.onEvent({ event: 'step', step }),
        signal,
      );
      const { discovery } = inspection;
      connection.inspection = inspection;
      connection.url = discovery.url;
      if (connection.name === '') connection.name = new URL(discovery.url).hostname.slice(0, 80);
      interaction.onEvent({ event: 'method', discovery });
      flow.advance({ type: 'methodDecided', method: discovery.method });
    } catch (error) {
      if (!signal.aborted) flow.advance({ type: 'failed', error: toPlainError(error) });
      throw error;
    }
  });
}

/** The button of the verdict: from there to a working connection. */
export function startSignIn(context: DesktopContext, connection: Connection, credentials?: TypedCredentials): void {
  connection.firstIssuer = undefined;
  connection.again = () => startSignIn(context, connection, forSameService(connection, credentials));
  void runConnection(context, connection, async (ports, interaction, signal) => {
    const { url, name, options, inspection, surface } = connection;
    const request = { url, name: name || undefined, options, inspection, credentials, surface };
    const connected = await connectServer(ports, request, interaction, signal);
    connection.integrationId = connected.integration.id;
    context.health.madeHere(connected.integration.id);
    context.board.keepTrace(connected.integration.id, connection.trace);
    const [warning] = connected.warnings;
    if (warning) {
      connection.error = toWindowError(warning);
      context.board.observe(connected.integration.id, warning);
    }
    context.board.awake();
  });
}

/** A secret that was sent once is for the service that got it, whatever the server names by now. */
function forSameService(
  { firstIssuer }: Connection,
  credentials: TypedCredentials | undefined,
): TypedCredentials | undefined {
  const issuer = credentials?.issuer ?? firstIssuer;
  return credentials && issuer !== undefined ? { ...credentials, issuer } : credentials;
}

/** Signs an integration in again, for the reason that `demand` gives. */
export function startNewSignIn(
  context: DesktopContext,
  connection: Connection,
  demand: Omit<NewSignIn, 'surface'>,
): void {
  connection.firstIssuer = undefined;
  connection.again = () =>
    startNewSignIn(context, connection, { ...demand, typed: forSameService(connection, demand.typed) });
  void runConnection(context, connection, async (ports, interaction, signal) => {
    const integration = await findIntegration(ports.store, connection.integrationId ?? '');
    connection.url = integration.url;
    connection.options = integration.options;
    const { id } = await reauthenticate(
      ports,
      integration,
      { ...demand, surface: connection.surface },
      interaction,
      signal,
    ).finally(() => context.board.keepTrace(integration.id, connection.trace));
    context.health.madeHere(id);
    context.board.forget(id);
    context.board.awake();
  });
}
