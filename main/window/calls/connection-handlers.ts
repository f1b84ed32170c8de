import type { z } from 'zod/mini';
import type { IpcContract, IpcHandlers } from '../../../shared/ipc-contract.ts';
import { displayHost, displayPlace } from '../../address/display-text.ts';
import { checkEndpoints, defaultOptions, withoutSecretMethod } from '../../engine/kept/integration-policy.ts';
import { hostsToAgree, withAgreed } from '../../engine/sign-in/agree-to-hosts.ts';
import { errorOf, isUnderWay } from '../../engine/sign-in/flow-state.ts';
import { Flow } from '../../engine/sign-in/flow.ts';
import type { TypedCredentials } from '../../engine/sign-in/sign-in-interaction.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { hasProof, proofOf, readTypedClient } from '../../oauth/client/client-credentials.ts';
import { loadKnownOptions } from '../../operations/connect.ts';
import { Secret } from '../../secret.ts';
import { windowWords } from '../../window-words.ts';
import { openAgain, useBrowser } from '../connecting/open-sign-in-page.ts';
import {
  goOn,
  startDiscovery,
  startNewSignIn,
  startSignIn,
  startWithKey,
  startWithOwnApp,
} from '../connecting/start-connection.ts';
import { choicesFor, leadToSameVerdict } from '../connections/choices-for.ts';
import { createConnection, isRunning, keyFor, waitingFor } from '../connections/connections.ts';
import type { Attempt, Connection, ImportedEntry, Wanted } from '../connections/connections.ts';
import type { DesktopContext } from '../desktop-context.ts';
import { shownAddress } from '../views/describe-connection.ts';

type ConnectionHandlers = Pick<IpcHandlers, Extract<keyof IpcHandlers, `connection:${string}`>>;

export function connectionHandlers(context: DesktopContext): ConnectionHandlers {
  const { ports, connections, shell, imports, changed } = context;
  const page = { shell, onChange: () => changed('connections') };

  return {
    'connection:discover': async ({ id, url: typed, options, importEntry, name, atOnce }, { surface }) => {
      // Before anything is read that may be another a moment later.
      const knownOptions = await loadKnownOptions();
      const imported = importEntry === undefined ? undefined : imports.get(importEntry);
      const shown = id === undefined ? undefined : connections.get(id);
      // A window knows no address of a list with the keys in it.
      const isListed = ({ place, server: { url = '' } }: ImportedEntry): boolean =>
        place !== undefined || typed === shownAddress({ url, importEntry });
      const listed = imported && isListed(imported) ? imported.server.url : undefined;
      const url = listed ?? (shown && typed === shownAddress(shown.wanted) ? shown.wanted.url : typed);
      const known = shown && !isUnderWay(shown.flow.state) ? shown : undefined;
      // What the user has taken back since stays so.
      const needed = known?.wanted.url === url ? undefined : knownOptions(url);
      const earlier = known && choicesFor(url, known.wanted);
      const chosen = defaultOptions({ ...earlier, ...needed, ...options });
      checkEndpoints(url, chosen);
      if (!known) connections.dropFailedChecks();
      const connection =
        known ??
        connections.add(
          createConnection({
            purpose: { kind: 'connect' },
            surface,
            flow: new Flow(ports.log),
            wanted: { url, name: imported?.server.name ?? '', options: chosen, importEntry: imported && importEntry },
          }),
        );
      const { wanted } = connection;
      connection.wanted = {
        ...wanted,
        // A name that came from the old address goes with it, and so does what was typed for its service.
        ...(wanted.url !== url && { name: '', typed: undefined, importEntry: undefined }),
        ...(imported && { name: imported.server.name, importEntry }),
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
      else if (header) startWithKey(context, connection, header);
      else goOn(context, connection);
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
    throw errorOf(state) ?? new PosternError('TICKET_INVALID', { stage: 'install' });
  };
}

/** Takes a yes to the hosts of the trust card; one to others counts for nothing, and the sign-in asks for itself. */
function allowHosts(connection: Connection, agreesTo: readonly string[]): void {
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

type Input = z.output<IpcContract['connection:submitCredentials']['input']>;

/**
 * What the credential dialog sends. Other options than before hold from the start of a sign-in, so it starts again
 * with them and with what was typed; the earlier secret stays when client and service are the same.
 * Errors: STATE_EXPIRED when nothing is asked any more; those of `readTypedClient`; those of the address rule for typed endpoints.
 */
async function submitCredentials(context: DesktopContext, connection: Connection, input: Input): Promise<void> {
  const question = waitingFor(connection.attempt, 'credentials');
  if (!question) throw new PosternError('STATE_EXPIRED', { stage: 'credentials' });
  const { clientSecret, clientAuthentication, secretExpiresAt, options } = input;
  const { clientId, ...given } = readTypedClient(input);
  const { issuerKey, callbackUrl } = question.request;
  const { wanted } = connection;
  const earlier = wanted.typed?.client;
  const kept = earlier?.clientId === clientId && earlier.issuerKey === issuerKey ? proofOf(earlier) : {};
  const proof = clientSecret === undefined ? kept : given;
  const typed: TypedCredentials = {
    clientId,
    ...proof,
    ...(hasProof(proof) && { issuerKey }),
    ...(clientAuthentication && { authentication: clientAuthentication }),
    ...(secretExpiresAt !== undefined && { secretExpiresAt }),
  };
  connection.wanted = { ...wanted, typed: { client: { ...typed, issuerKey }, callbackUrl } };
  const before = withoutSecretMethod(wanted.options);
  const changes = options !== undefined || wanted.options.clientAuthentication !== undefined;
  const chosen = changes ? defaultOptions({ ...before, ...options }) : undefined;
  if (chosen) checkEndpoints(wanted.url, chosen);
  if (!chosen || JSON.stringify(chosen) === JSON.stringify(wanted.options)) return question.answer(typed);

  const leadElsewhere = !leadToSameVerdict(chosen, wanted.options);
  if (leadElsewhere) connection.flow.doubt();
  // What is typed together with such choices is meant for the service that they lead to.
  const isForNext = leadElsewhere && clientSecret !== undefined;
  const { issuerKey: _asked, ...forNext } = typed;
  const credentials = isForNext ? forNext : typed;
  const client = leadElsewhere ? credentials : { ...typed, issuerKey };
  connection.wanted = { ...wanted, options: chosen, typed: { client, callbackUrl } };
  const { purpose } = connection;
  if (purpose.kind === 'connect') return startSignIn(context, connection, credentials);
  const { integrationId } = purpose;
  await context.ports.store.update(integrationId, (integration) => ({ ...integration, options: chosen }));
  startNewSignIn(context, connection, integrationId, { typed: credentials });
}

/**
 * The file whose assertion stands in for a sign-in. What is in it is as good as a password, so that no page names one:
 * the person chooses it in a dialog of the system, for the server that this names. False: they chose none. Errors:
 * ASSERTION_INVALID for one that cannot be read or that others can write.
 */
async function chooseAssertionFile(
  { shell, ports, changed }: Pick<DesktopContext, 'shell' | 'ports' | 'changed'>,
  connection: Connection,
): Promise<boolean> {
  const { url } = connection.wanted;
  const file = await shell.chooseFile(windowWords.assertionFile(displayPlace(new URL(url))));
  // Another address was checked behind the dialog.
  if (file === undefined || connection.wanted.url !== url) return false;
  const read = await ports.assertions.read(file);
  if (!(read instanceof Secret))
    throw new PosternError('ASSERTION_INVALID', { stage: 'token', detail: { fault: read, file } });
  connection.wanted = { ...connection.wanted, options: { ...connection.wanted.options, assertionFile: file } };
  changed('connections');
  return true;
}
