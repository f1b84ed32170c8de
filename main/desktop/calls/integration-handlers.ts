import { forgetWith } from '../../programs/records/forgetful-records.ts';
import { withoutServer } from '../../../shared/program-record.ts';
import type { ConnectionView } from '../../../shared/connection-view.ts';
import type { IpcHandlers } from '../../../shared/ipc-handlers.ts';
import { displayText } from '../../address/display-text.ts';
import { Flow } from '../../integration/sign-in/flow.ts';
import type { NewSignIn } from '../../integration/sign-in/reauthenticate.ts';
import { renewIntegration } from '../../integration/use/refresh-integration.ts';
import { removeIntegration } from '../../integration/leave/remove-integration.ts';
import { signOut } from '../../integration/leave/sign-out.ts';
import { saveCredentials } from '../../integration/kept/stored-secrets.ts';
import { PosternError } from '../../postern-error.ts';
import { Secret } from '../../secret.ts';
import { windowWords } from '../../window-words.ts';
import { checkEndpoints } from '../connecting/check-endpoints.ts';
import { createConnection, integrationOf } from '../connections/connections.ts';
import { waitingFor } from '../connections/waiting.ts';
import { defaultOptions } from '../connections/default-options.ts';
import type { DesktopContext } from '../desktop-context.ts';
import type { ShownChanges } from '../programs/shown-changes.ts';
import { readServer } from '../state/read-server.ts';
import { observing } from './observing.ts';
import { replaceKey } from './replace-key.ts';
import { startNewSignIn } from '../connecting/start-connection.ts';
import { traceOf } from './trace-of.ts';

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
  | 'integration:trace'
>;

export function integrationHandlers(context: DesktopContext, shown: ShownChanges): IntegrationHandlers {
  const { ports, ask, connections, board, changed } = context;

  async function signInAgain(
    id: string,
    surface: string,
    kind: Exclude<ConnectionView['kind'], 'connect'>,
    demand: Omit<NewSignIn, 'surface' | 'flow'>,
  ): Promise<{ connectionId: string }> {
    const { url, name, options } = await readServer(ports, id);
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
      // Nothing is wrong with the integration, so that only who asked is told.
      if (renewal.kind === 'not-renewable') throw renewal.error;
      return null;
    },
    'integration:signOut': async ({ id }) => {
      const integration = await readServer(ports, id);
      if (!(await ask(windowWords.ask.signOut(displayText(integration.name))))) return null;
      await forgetWith(await context.programs.records.list(), (records) => withoutServer(records, id), ports.vault);
      endFlow(id);
      const { signal } = new AbortController();
      const { revocation } = await board.during(id, 'signingOut', () => signOut(ports, integration, signal));
      board.forget(id);
      board.awake();
      return { revocation };
    },
    'integration:remove': async ({ id, entries = [] }) => {
      const integration = await readServer(ports, id);
      const programs = shown.namesOf(entries);
      if (!(await ask(windowWords.ask.remove(displayText(integration.name), programs)))) return null;
      // First, since what fails here leaves all as it is.
      await shown.makeBefore(entries).finally(() => changed('programs'));
      endFlow(id);
      const { signal } = new AbortController();
      const { revocation, registration } = await board.during(id, 'removing', () =>
        removeIntegration(ports, integration, signal),
      );
      for (const connection of connections.all())
        if (integrationOf(connection) === id) connections.remove(connection.id);
      board.drop(id);
      board.awake();
      changed('programs');
      return { revocation, registration };
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
        ...(clientSecret !== undefined && { clientSecret: new Secret(clientSecret.trim()) }),
        ...(clientAuthentication && { authentication: clientAuthentication }),
        ...(secretExpiresAt !== undefined && { secretExpiresAt }),
        source: 'typed',
        issuerKey,
        redirectUri,
      });
      // What was said of the secret before, and what reminds of its end, was of the old one.
      await ports.store.update(id, ({ clientSecretExpiresAt: _old, ...integration }) => ({
        ...integration,
        ...(secretExpiresAt !== undefined && { clientSecretExpiresAt: secretExpiresAt }),
      }));
      return null;
    },
    'integration:replaceKey': async ({ id, value }) => {
      await replaceKey(context, await readServer(ports, id), value);
      return null;
    },
    'integration:trace': async ({ id }) => ({ entries: [...traceOf(context, id)] }),
  };
}
