import type { IpcHandlers } from '../../../shared/ipc-handlers.ts';
import { choicesFor, defaultOptions, leadToSameVerdict } from '../connections/default-options.ts';
import { checkEndpoints } from '../connecting/check-endpoints.ts';
import { Flow } from '../../integration/sign-in/flow.ts';
import { chooseAssertionFile } from '../connecting/choose-assertion-file.ts';
import { connectWithHeader } from '../connecting/connect-with-header.ts';
import { bringsKey, createConnection, isRunning } from '../connections/connections.ts';
import type { Connection, Wanted } from '../connections/connections.ts';
import { keyFor } from '../connections/key-header.ts';
import type { DesktopContext } from '../desktop-context.ts';
import { openAgain, useBrowser } from '../connecting/open-sign-in-page.ts';
import { startDiscovery, startSignIn, startWithOwnApp, typedBefore } from '../connecting/start-connection.ts';
import { submitCredentials } from '../connecting/submit-credentials.ts';
import { waitingFor } from '../connections/waiting.ts';
import { errorOf, isUnderWay } from '../../integration/sign-in/flow-state.ts';
import { toPlainError } from '../../plain-error.ts';
import { PosternError } from '../../postern-error.ts';
import { displayHost } from '../../address/display-host.ts';
import { withAgreed, hostsToAgree } from '../../integration/sign-in/agree-to-hosts.ts';
import type { Attempt } from '../connections/attempt.ts';

type ConnectionHandlers = Pick<IpcHandlers, Extract<keyof IpcHandlers, `connection:${string}`>>;

export function connectionHandlers(context: DesktopContext): ConnectionHandlers {
  const { ports, connections, shell, imports, changed } = context;
  const page = { shell, onChange: () => changed('connections') };

  return {
    'connection:discover': async ({ id, url: typed, options, importEntry, name, atOnce }, { surface }) => {
      const imported = importEntry === undefined ? undefined : imports.get(importEntry);
      const url = imported?.place?.server.url ?? typed;
      const shown = id === undefined ? undefined : connections.get(id);
      const known = shown && !isUnderWay(shown.flow.state) ? shown : undefined;
      const earlier = known && choicesFor(url, known.wanted);
      const chosen = defaultOptions({ ...earlier, ...options });
      checkEndpoints(url, chosen);
      if (!known) connections.dropFailedChecks();
      const connection =
        known ??
        connections.add(
          createConnection({
            purpose: { kind: 'connect' },
            surface,
            flow: new Flow(ports.log),
            wanted: { url, name: imported?.name ?? '', options: chosen, importEntry: imported && importEntry },
          }),
        );
      const { wanted } = connection;
      connection.wanted = {
        ...wanted,
        // A name that came from the old address goes with it, and so does what was typed for its service.
        ...(wanted.url !== url && { name: '', typed: undefined, importEntry: undefined }),
        ...(imported && { name: imported.name, importEntry }),
        ...(name !== undefined && { name }),
        url,
        options: chosen,
        header: keyFor(imported?.header, url) ?? keyFor(wanted.header, url),
      };
      startDiscovery(context, connection, atOnce);
      return { id: connection.id };
    },
    'connection:start': async ({ id, name, options, header, agreesTo, ownApp }) => {
      const connection = connections.get(id);
      // A second click focuses the first.
      if (isRunning(connection)) {
        if (agreesTo) answerHosts(connection.attempt, agreesTo);
        await openAgain(connection.attempt, page);
        return null;
      }
      if (name !== undefined) connection.wanted = { ...connection.wanted, name };
      if (options) {
        const { wanted } = connection;
        const chosen = defaultOptions({ ...wanted.options, ...options });
        if (chosen.grant !== 'jwt-bearer') delete chosen.assertionFile;
        checkEndpoints(wanted.url, chosen);
        // A verdict that other choices led to is no verdict on these.
        if (!leadToSameVerdict(chosen, wanted.options)) connection.flow.doubt();
        connection.wanted = { ...wanted, options: chosen };
      }
      if (agreesTo) allowHosts(connection, agreesTo);
      if (ownApp) startWithOwnApp(context, connection);
      // A key that was typed and refused is not used in place of the sign-in that is asked for now.
      else if (header || bringsKey(connection.wanted)) connectWithHeader(context, connection, header);
      else startSignIn(context, connection, typedBefore(connection));
      return null;
    },
    'connection:chooseAssertionFile': async ({ id }) => ({
      chosen: await chooseAssertionFile(context, connections.get(id)),
    }),
    'connection:submitCredentials': async (input) => {
      await submitCredentials(context, connections.get(input.id), input);
      return null;
    },
    'connection:tryAgain': async ({ id }) => {
      const connection = connections.get(id);
      const question = waitingFor(connection.attempt, 'credentials');
      if (question) question.answer(question.request.canRegister ? 'register' : 'try-again');
      else if (!isRunning(connection)) connection.attempt?.again();
      return null;
    },
    'connection:submitCallback': async ({ id, address }) => {
      const waiting = waitingFor(connections.get(id).attempt, 'callback');
      return { verdict: waiting?.authorization.submit(address) ?? 'expired' };
    },
    'connection:openAgain': async ({ id }) => {
      await openAgain(connections.get(id).attempt, page);
      return null;
    },
    'connection:useBrowser': async ({ id }) => {
      const connection = connections.get(id);
      if (waitingFor(connection.attempt, 'device')) startOver(connection, { onDevice: false });
      else await useBrowser(connection.attempt, page);
      return null;
    },
    'connection:useDevice': async ({ id }) => {
      const connection = connections.get(id);
      if (waitingFor(connection.attempt, 'callback')) startOver(connection, { onDevice: true });
      return null;
    },
    'connection:stop': async ({ id }) => {
      connections.find((candidate) => candidate.id === id)?.attempt?.end();
      return null;
    },
    'connection:cancel': async ({ id }) => {
      connections.find((candidate) => candidate.id === id)?.attempt?.end();
      connections.remove(id);
      return null;
    },
    'connection:install': installHandler(context),
  };
}

/** What goes on ends, and begins anew in another way. */
function startOver(connection: Connection, change: Pick<Wanted, 'onDevice'>): void {
  connection.wanted = { ...connection.wanted, ...change };
  connection.attempt?.again();
}

/**
 * The end of an install (spec 2.10): the ticket counts once, for the window and the integration that it was issued
 * to; the engine redeems it. Errors: TICKET_INVALID, and those of storing.
 */
function installHandler({ connections }: DesktopContext): IpcHandlers['connection:install'] {
  return async ({ ticketId, name }, { surface }) => {
    const connection = connections.find(({ attempt }) => waitingFor(attempt, 'install')?.ticketId === ticketId);
    const attempt = connection?.attempt;
    const question = waitingFor(attempt, 'install');
    if (!attempt || !question) throw new PosternError('TICKET_INVALID', { stage: 'install' });
    // From here on it is spent, even for somebody who shows it a moment later.
    attempt.waiting = undefined;
    if (name !== undefined) connection.wanted = { ...connection.wanted, name };
    const { running } = attempt;
    question.answer({ surface, name });
    await running;
    const { state } = connection.flow;
    if (state.name === 'integrated') return { integrationId: state.integrationId };
    const error = errorOf(state);
    const { code, stage } = toPlainError(error ?? new PosternError('TICKET_INVALID', { stage: 'install' }));
    throw new PosternError(code, { stage });
  };
}

/** Takes a yes to the hosts of the trust card; one to others counts for nothing, and the sign-in asks for itself. */
export function allowHosts(connection: Connection, agreesTo: readonly string[]): void {
  const { discovery } = connection.flow.found.shown ?? {};
  const { options } = connection.wanted;
  const seen = new Set(agreesTo);
  const hosts = discovery ? hostsToAgree(discovery, { options }).filter((host) => seen.has(displayHost(host))) : [];
  if (hosts.length > 0) connection.wanted = { ...connection.wanted, options: withAgreed(options, hosts) };
}

/** The same to hosts that a sign-in under way asks about: all of them, or it goes on waiting. */
export function answerHosts(attempt: Pick<Attempt, 'waiting'> | undefined, agreesTo: readonly string[]): void {
  const question = waitingFor(attempt, 'hosts');
  if (question?.request.hosts.every((host) => agreesTo.includes(displayHost(host)))) question.answer(true);
}
