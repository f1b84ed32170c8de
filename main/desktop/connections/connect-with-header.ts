import { connectWithKey } from '../../integration/connect/connect-with-key.ts';
import { isKeyHeaderName, isKeyHeaderValue } from '../../../shared/header-name.ts';
import { PosternError } from '../../postern-error.ts';
import { Secret } from '../../secret.ts';
import type { Connection } from './connection.ts';
import type { DesktopContext } from '../desktop-context.ts';
import { keyFor } from './key-header.ts';
import { runConnection } from './run-connection.ts';

/**
 * Connects with a fixed header, typed now or imported. Errors: API_KEY_INVALID; API_KEY_MISSING where the one that is
 * there belongs to another server.
 */
export function connectWithHeader(
  context: DesktopContext,
  connection: Connection,
  typed: { readonly name: string; readonly value: string } | undefined,
): void {
  if (typed) {
    const value = typed.value.trim();
    if (!isKeyHeaderName(typed.name) || !isKeyHeaderValue(value)) {
      throw new PosternError('API_KEY_INVALID', { stage: 'credentials' });
    }
    connection.header = { name: typed.name, value: new Secret(value), url: connection.url };
  }
  const { url } = connection;
  const header = keyFor(connection.header, url);
  if (!header) throw new PosternError('API_KEY_MISSING', { stage: 'credentials' });
  connection.again = () => connectWithHeader(context, connection, undefined);
  void runConnection(context, connection, async (ports, _interaction, signal) => {
    const options = { ...connection.options, headerName: header.name };
    const { name } = connection;
    const { integration } = await connectWithKey(
      ports,
      { url, name: name || undefined, options, key: header.value },
      signal,
    );
    connection.integrationId = integration.id;
    connection.header = undefined;
    connection.state = { name: 'integrated', integrationId: integration.id };
    context.health.madeHere(integration.id);
    context.board.keepTrace(integration.id, connection.trace);
    context.board.awake();
  });
}
