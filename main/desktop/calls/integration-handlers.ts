import type { ConnectionView } from '../../../shared/connection-view.ts';
import { describeError } from '../../../shared/error-catalogue.ts';
import { isKeyHeaderValue } from '../../../shared/header-name.ts';
import type { Integration } from '../../../shared/integration.ts';
import type { IpcHandlers } from '../../../shared/ipc-contract.ts';
import { displayText } from '../../address/display-text.ts';
import { connectWithKey } from '../../engine/connect/connect-with-key.ts';
import { hasSignIn, usesApiKey } from '../../engine/kept/api-key.ts';
import { saveCredentials } from '../../engine/kept/stored-secrets.ts';
import { Flow } from '../../engine/sign-in/flow.ts';
import type { NewSignIn } from '../../engine/sign-in/reauthenticate.ts';
import { renewIntegration } from '../../engine/use/refresh-integration.ts';
import { readClientProof } from '../../oauth/client/client-credentials.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { Secret } from '../../secret.ts';
import { windowWords } from '../../window-words.ts';
import { checkEndpoints, startNewSignIn } from '../../window/connecting/start-connection.ts';
import { createConnection, integrationOf, waitingFor } from '../../window/connections/connections.ts';
import { defaultOptions, withoutSecretMethod } from '../../window/connections/choices-for.ts';
import type { DesktopContext } from '../../window/desktop-context.ts';
import { takeBackChanges } from '../../window/apps/shown-changes.ts';
import type { ShownChanges } from '../../window/apps/shown-changes.ts';
import { readServer, readServers } from '../../operations/read-server.ts';
import { observing } from '../../window/calls/observing.ts';
import { signInsOf } from '../../window/calls/sign-ins-of.ts';

type IntegrationHandlers = Pick<
  IpcHandlers,
  | 'integration:signInAgain'
  | 'integration:switchAccount'
  | 'integration:refresh'
  | 'integration:signOut'
  | 'integration:remove'
  | 'integration:update'
  | 'integration:setCredentials'
  | 'integration:replaceKey'
  | 'integration:signIns'
  | 'integration:events'
>;

export function integrationHandlers(context: DesktopContext, shown: ShownChanges): IntegrationHandlers {
  const { ports, ask, connections, board, deletions, gateway, history, keptServers, changed } = context;

  async function signInAgain(
    id: string,
    surface: string,
    kind: Exclude<ConnectionView['kind'], 'connect'>,
    demand: Omit<NewSignIn, 'surface' | 'flow'>,
  ): Promise<{ connectionId: string }> {
    const { url, name, options } = await readServer(ports, id);
    // A new sign-in is not part of what is being deleted.
    await deletions.finishOf(id);
    const running = connections.ofIntegration(id);
    // One flow for an integration: a second start brings the first to the front.
    if (running) {
      const page = waitingFor(running.attempt, 'callback')?.page;
      if (page?.where === 'popup') page.popup.focus();
      return { connectionId: running.id };
    }
    for (const over of connections.all()) if (integrationOf(over) === id) connections.remove(over.id);
    const connection = createConnection({
      purpose: { kind, integrationId: id },
      surface,
      flow: new Flow(ports.log),
      wanted: { url, name, options },
    });
    connections.add(connection);
    startNewSignIn(context, connection, id, demand);
    return { connectionId: connection.id };
  }

  /** Local work comes first and does not wait for a network that is not there; a flow of it ends. */
  function endFlow(id: string): void {
    const running = connections.ofIntegration(id);
    if (!running) return;
    running.attempt?.end();
    connections.remove(running.id);
  }

  /** The tokens are still there: nobody must use them until the change of the list is noticed by itself. */
  async function noticeList(): Promise<void> {
    await keptServers.review(ports.store);
    await gateway?.changed();
  }

  return {
    'integration:signInAgain': async ({ id }, { surface }) => {
      const { refusal } = board.of(id);
      const kind = refusal?.kind === 'insufficient-scope' ? 'stepUp' : 'signInAgain';
      return await signInAgain(id, surface, kind, { refusal });
    },
    'integration:switchAccount': async ({ id }, { surface }) =>
      await signInAgain(id, surface, 'switchAccount', { freshLogin: true }),
    'integration:refresh': async ({ id }) => {
      const integration = await readServer(ports, id);
      const { signal } = new AbortController();
      const renewal = await board.during(id, 'refreshing', () =>
        observing(context, integration, () => renewIntegration(ports, integration, { signal })),
      );
      board.awake();
      // Nothing is wrong with the integration, so only the caller is told.
      if (renewal.kind === 'not-renewable') throw renewal.error;
      return null;
    },
    'integration:signOut': async ({ ids }) => {
      const named = await readServers(ports, ids);
      if (!(await ask(windowWords.ask.signOut(namesOf(named))))) return null;
      const servers = named.filter(isSignedIn);
      for (const { id } of servers) endFlow(id);
      const deletion = await deletions.begin('signOut', servers);
      await noticeList();
      for (const { id } of servers) board.forget(id);
      board.awake();
      return deletion === undefined ? null : { deletion };
    },
    'integration:remove': async ({ ids, entries = [] }) => {
      const servers = await readServers(ports, ids);
      const programs = shown.namesOf(entries);
      if (!(await ask(windowWords.ask.remove(namesOf(servers), programs)))) return null;
      // First, since what fails here leaves all as it is.
      const made = await shown.makeBefore(entries).finally(() => changed('programs'));
      for (const { id } of servers) endFlow(id);
      const deletion = await deletions.begin('remove', servers, () => takeBackChanges(context, made, ids));
      await noticeList();
      for (const connection of connections.all())
        if (ids.includes(integrationOf(connection) ?? '')) connections.remove(connection.id);
      for (const { id } of servers) board.drop(id);
      board.awake();
      changed('programs');
      return deletion === undefined ? null : { deletion };
    },
    'integration:update': async ({ id, name, options }) => {
      const before = await readServer(ports, id);
      if (options) checkEndpoints(before.url, defaultOptions({ ...before.options, ...options }));
      await ports.store.update(id, (integration) => ({
        ...integration,
        ...(name !== undefined && { name }),
        ...(options && { options: defaultOptions({ ...integration.options, ...options }) }),
      }));
      board.awake();
      return null;
    },
    'integration:setCredentials': async ({ id, clientId, clientSecret, clientAuthentication, secretExpiresAt }) => {
      const { issuerKey, redirectUri } = await readServer(ports, id);
      if (issuerKey === undefined || redirectUri === undefined) {
        throw new PosternError('SIGN_IN_REQUIRED', { stage: 'credentials' });
      }
      const vault = await ports.vault();
      await saveCredentials(vault, id, {
        clientId,
        ...(clientSecret !== undefined && readClientProof(clientSecret.trim())),
        ...(clientAuthentication && { authentication: clientAuthentication }),
        ...(secretExpiresAt !== undefined && { secretExpiresAt }),
        source: 'typed',
        issuerKey,
        redirectUri,
      });
      // What was said of the secret before, and what reminds of its end, was of the old one.
      await ports.store.update(id, ({ clientSecretExpiresAt: _old, ...integration }) => ({
        ...integration,
        options: withoutSecretMethod(integration.options),
        ...(secretExpiresAt !== undefined && { clientSecretExpiresAt: secretExpiresAt }),
      }));
      return null;
    },
    'integration:replaceKey': async ({ id, value }) => {
      await deletions.finishOf(id);
      await replaceKey(context, await readServer(ports, id), value);
      return null;
    },
    'integration:signIns': async ({ id }) => ({ signIns: await signInsOf(context, id) }),
    'integration:events': async ({ id }) => ({
      events: (await history.read(id)).events.map((event) => ({
        ...event,
        ...(event.code && { failure: describeError(event.code, {}).message }),
      })),
    }),
  };
}

/** Else the server answers without a credential, and saying that it was deleted would be a lie. */
function isSignedIn(integration: Integration): boolean {
  return integration.state !== 'signedOut' && hasSignIn(integration);
}

function namesOf(servers: readonly Integration[]): readonly string[] {
  return servers.map(({ name }) => displayText(name));
}

/**
 * Another key for a server that has one, under the same id and header. The server has to take it first: until then
 * the old key, and what is known of it, stay. Errors: API_KEY_INVALID, API_KEY_REFUSED and the others of
 * `connectWithKey`.
 */
async function replaceKey(
  { ports, board, health }: Pick<DesktopContext, 'ports' | 'board' | 'health'>,
  integration: Integration,
  typed: string,
): Promise<void> {
  const value = typed.trim();
  if (!usesApiKey(integration) || !isKeyHeaderValue(value)) {
    throw new PosternError('API_KEY_INVALID', { stage: 'credentials' });
  }
  const { id, url, name, options } = integration;
  const { signal } = new AbortController();
  await connectWithKey(ports, { url, name, options, again: integration, key: new Secret(value) }, signal);
  health.madeHere(id);
  board.forget(id);
  board.answered({ id, url });
  board.awake();
}
