import type { IpcHandlers } from '../../../shared/ipc-handlers.ts';
import { defaultOptions, leadToSameVerdict } from '../default-options.ts';
import { checkEndpoints } from './check-endpoints.ts';
import { allowHosts, answerHosts } from '../connections/agreed-hosts.ts';
import { connectWithHeader } from '../connections/connect-with-header.ts';
import { createConnection, isRunning } from '../connections/connection.ts';
import type { Connection } from '../connections/connection.ts';
import { installHandler } from './install-handler.ts';
import { keyFor } from '../connections/key-header.ts';
import type { DesktopContext } from '../desktop-context.ts';
import { openAgain, useBrowser } from '../connections/open-sign-in-page.ts';
import { startDiscovery, startSignIn } from '../connections/start-connection.ts';
import { submitCredentials } from '../connections/submit-credentials.ts';

type ConnectionHandlers = Pick<IpcHandlers, Extract<keyof IpcHandlers, `connection:${string}`>>;

export function connectionHandlers(context: DesktopContext): ConnectionHandlers {
  const { connections, shell, settings, imports, changed } = context;
  const page = { shell, surface: () => settings.surface(), onChange: () => changed('connections') };

  function stop(connection: Connection): void {
    connection.abort.abort();
  }

  return {
    'connection:discover': async ({ id, url, options, importEntry }, { surface }) => {
      const known = id === undefined ? undefined : connections.get(id);
      const chosen = defaultOptions({ ...known?.options, ...options });
      checkEndpoints(url, chosen);
      const imported = importEntry === undefined ? undefined : imports.get(importEntry);
      const connection =
        known ??
        connections.add(
          createConnection({
            kind: 'connect',
            surface,
            url,
            name: imported?.name ?? '',
            options: chosen,
          }),
        );
      if (known) {
        // A name that came from the old address goes with it, and so does what was typed for its service.
        if (known.url !== url) Object.assign(known, { name: '', typedSecret: undefined });
        known.url = url;
        known.options = chosen;
      }
      connection.header = keyFor(imported?.header, url) ?? keyFor(connection.header, url);
      startDiscovery(context, connection);
      return { id: connection.id };
    },
    'connection:start': async ({ id, name, options, header, agreesTo }) => {
      const connection = connections.get(id);
      // A second click focuses the first.
      if (isRunning(connection)) {
        if (agreesTo) answerHosts(connection, agreesTo);
        if (connection.signIn) await openAgain(connection, page);
        return null;
      }
      if (name !== undefined) connection.name = name;
      if (options) {
        const chosen = defaultOptions({ ...connection.options, ...options });
        checkEndpoints(connection.url, chosen);
        // A verdict that other choices led to is no verdict on these.
        if (!leadToSameVerdict(chosen, connection.options)) connection.inspection = undefined;
        connection.options = chosen;
      }
      if (agreesTo) allowHosts(connection, agreesTo);
      if (header || connection.header) connectWithHeader(context, connection, header);
      else startSignIn(context, connection);
      return null;
    },
    'connection:submitCredentials': async (input) => {
      await submitCredentials(context, connections.get(input.id), input);
      return null;
    },
    'connection:tryAgain': async ({ id }) => {
      const connection = connections.get(id);
      if (connection.credentials) connection.credentials.answer('try-again');
      else if (!isRunning(connection)) connection.again?.();
      return null;
    },
    'connection:submitCallback': async ({ id, address }) => {
      const { signIn } = connections.get(id);
      return { verdict: signIn?.authorization.submit(address) ?? 'expired' };
    },
    'connection:openAgain': async ({ id }) => {
      await openAgain(connections.get(id), page);
      return null;
    },
    'connection:useBrowser': async ({ id }) => {
      await useBrowser(connections.get(id), page);
      return null;
    },
    'connection:cancel': async ({ id }) => {
      const connection = connections.find((candidate) => candidate.id === id);
      if (connection) stop(connection);
      connections.remove(id);
      return null;
    },
    'connection:install': installHandler(context),
  };
}
